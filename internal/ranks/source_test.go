package ranks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/recording"
)

// made makes a recording of processes that have said hello, and looks at it.
func made(t *testing.T, path string, hellos ...recording.Hello) Source {
	t.Helper()
	dir, _, err := recording.Create(path, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hellos {
		text, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir.File(fmt.Sprintf("%d-%d.hello.json", h.PID, h.StartWall)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Look(dir)
}

func hello(rank, world int, host string, job recording.Job) recording.Hello {
	return recording.Hello{PID: 100 + rank, StartWall: int64(rank), Rank: rank, WorldSize: world, Host: host, Job: job, Flight: "x.flight", MainFile: "train.py"}
}

func TestJobs(t *testing.T) {
	base := t.TempDir()
	at := func(name string, hellos ...recording.Hello) Source {
		return made(t, filepath.Join(base, name), hellos...)
	}
	run := recording.Job{Run: "r1", Master: "node0:1234"}
	sources := []Source{
		at("a", hello(0, 4, "node0", run), hello(1, 4, "node0", run)),
		at("b", hello(2, 4, "node1", run)),
		// After a restart the ranks meet elsewhere; the name of the run stays.
		at("c", hello(3, 4, "node2", recording.Job{Run: "r1", Master: "node0:9999"})),
		// Loopback means another place on each machine.
		at("d", hello(0, 2, "node0", recording.Job{Master: "127.0.0.1:29500"})),
		at("e", hello(1, 2, "node1", recording.Job{Master: "127.0.0.1:29500"})),
		// Two trainings in one job of a scheduler.
		at("f", hello(0, 2, "node0", recording.Job{Master: "node0:1", Scheduler: "slurm 77"})),
		at("g", hello(1, 2, "node0", recording.Job{Master: "node0:2", Scheduler: "slurm 77"})),
		at("h", hello(0, 3, "node0", recording.Job{Scheduler: "slurm 78"})),
		at("i", hello(1, 3, "node1", recording.Job{Scheduler: "slurm 78"})),
		// No name at all: the program and the number of ranks say it.
		at("j", hello(0, 6, "node0", recording.Job{})),
		at("k", hello(1, 6, "node1", recording.Job{})),
		// Single processes are no ranks of anything.
		at("l", hello(0, 1, "node0", recording.Job{})),
		at("m", hello(0, 1, "node0", recording.Job{})),
	}
	var got []string
	for _, job := range Jobs(sources) {
		names := ""
		for _, s := range job {
			names += filepath.Base(s.Dir.Path)
		}
		got = append(got, names)
	}
	if want := []string{"abc", "d", "e", "f", "g", "hi", "jk", "l", "m"}; !slices.Equal(got, want) {
		t.Errorf("jobs %v, want %v", got, want)
	}
	if sources[0].ID != "r1" || sources[7].ID != "slurm 78" {
		t.Errorf("called %q and %q", sources[0].ID, sources[7].ID)
	}
}

func TestCopies(t *testing.T) {
	base, job := t.TempDir(), recording.Job{Run: "r"}
	a := made(t, filepath.Join(base, "a"), hello(0, 2, "n", job))
	b := made(t, filepath.Join(base, "b"), hello(0, 2, "n", job))
	other := made(t, filepath.Join(base, "c"), hello(0, 2, "m", job))
	empty := made(t, filepath.Join(base, "d"))
	kept, copies := Copies([]Source{a, b, other, empty})
	if len(kept) != 3 || !slices.Equal(copies, []string{b.Dir.Path}) || empty.Steps() {
		t.Errorf("kept %d, copies %v", len(kept), copies)
	}
}

// A path is a recording, or a folder of some.
func TestOpen(t *testing.T) {
	base := t.TempDir()
	for _, name := range []string{"node1", "node0"} {
		made(t, filepath.Join(base, name))
	}
	if err := os.MkdirAll(filepath.Join(base, "other"), 0o700); err != nil {
		t.Fatal(err)
	}
	dirs, err := Open(base)
	if err != nil || len(dirs) != 2 || filepath.Base(dirs[0].Path) != "node0" {
		t.Errorf("%v, %v", dirs, err)
	}
	if dirs, err := Open(filepath.Join(base, "node1")); err != nil || len(dirs) != 1 {
		t.Errorf("%v, %v", dirs, err)
	}
	if _, err := Open(filepath.Join(base, "other")); err == nil {
		t.Error("an empty folder is a recording")
	}
}
