package session

import (
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

// The trainer is looked at first, then each worker in turn; of one that has ended the last look stays.
func TestPagesInTurn(t *testing.T) {
	first, end := running(t)
	second, _ := running(t)
	workers := []*worker{{pid: first}, nil, {pid: second}}
	var h pagesOf
	now := time.Now()
	look := func() {
		t.Helper()
		now = now.Add(time.Minute)
		if h.look(now, os.Getpid(), workers, 7) || !h.take(now, time.Minute) {
			t.Error("not looked though it is due")
		}
		if h.look(now, os.Getpid(), workers, 7) || h.take(now, time.Minute) {
			t.Error("looked again at once")
		}
	}
	if h.look(now, os.Getpid(), workers, 0) {
		t.Error("looked before the first step")
	}
	names := func() (all []string) {
		for _, p := range h.seen.Processes {
			all = append(all, p.Name)
		}
		return all
	}
	for _, want := range []int{1, 2, 3, 3, 3} {
		look()
		if got := names(); len(got) != want {
			t.Errorf("seen %v, want %d", got, want)
		}
	}
	end()
	workers[0] = nil
	for range 3 {
		look()
	}
	if got := names(); len(got) != 3 || got[0] != "trainer" || got[1] != "worker:0" || got[2] != "worker:2" {
		t.Errorf("seen %v", got)
	}
	if p := h.seen.Processes[0]; p.PID != os.Getpid() || p.Step != 7 || p.Files <= 0 || p.Other+p.Heap <= 0 {
		t.Errorf("%+v", p)
	}
	if g := h.seen.Group; g == nil || g.Limit <= 0 || g.Working <= 0 || g.Working > g.Limit {
		t.Errorf("bounded by %+v", g)
	}
	if s := h.seen.Shm; s == nil || s.Total <= 0 || s.First < 0 || s.Used > s.Total {
		t.Errorf("/dev/shm %+v", s)
	}
	dir := recording.Dir{Path: t.TempDir()}
	if err := os.WriteFile(dir.File("7-1.hello.json"), []byte(`{"hello":1,"pid":7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	processes, _ := dir.Processes()
	if err := h.save(processes[0]); err != nil {
		t.Fatal(err)
	}
	read, err := processes[0].LoadHost()
	if err != nil || read == nil || len(read.Processes) != 3 || !reflect.DeepEqual(read.Processes[2], h.seen.Processes[2]) || *read.Group != *h.seen.Group {
		t.Errorf("read back %+v, %v", read, err)
	}
}

// What lies in shared memory counts once two looks in a row have met it, and still when it has been taken away.
func TestLeftInSharedMemory(t *testing.T) {
	var h pagesOf
	for i, look := range []struct {
		name               string
		used, mapped, want int64
	}{
		{recording.Trainer, 100, 0, 0},
		{recording.Trainer, 900, 300, 0},
		{"worker:0", 900, 200, 0},
		{recording.Trainer, 800, 300, 200}, // beyond 100 at first, and 500 that two have mapped
		{recording.Trainer, 900, 0, 200},
		{recording.Trainer, 0, 0, 200},
	} {
		h.enter(looked{pages: recording.HostPages{Name: look.name, Parts: process.Parts{Shm: look.mapped}}, ok: true, shm: &recording.HostShm{Used: look.used}})
		if s := h.seen.Shm; s.Left != look.want || s.First != 100 {
			t.Errorf("look %d: %+v, want %d", i, s, look.want)
		}
	}
}

// Looks that take long are few: behind the first ones they take a hundredth of the time.
func TestPagesAreLookedAtSeldom(t *testing.T) {
	const cost = 15 * time.Millisecond
	var h pagesOf
	now, spent := time.Now(), time.Duration(0)
	end := now.Add(time.Minute)
	for ; now.Before(end); now = h.due {
		h.aside.start(func() looked { return looked{took: cost} })
		if !h.take(now, time.Minute) {
			t.Fatal("the look has no end")
		}
		spent += cost
	}
	// 15 looks 150 ms apart, then one in each 1.5 s: 15 + 57.75/1.5, or 54 of 15 ms.
	if spent > time.Minute/60 {
		t.Errorf("%v of a minute were spent on it", spent)
	}
}
