package nccl

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
)

func recorded(t *testing.T, name string) []Rank {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	ranks, err := readAll(z, name)
	if err != nil || len(ranks) != 1 {
		t.Fatalf("%s: %d ranks, %v", name, len(ranks), err)
	}
	return ranks
}

// Two H200, NCCL 2.28.9: eighty healthy steps, and a new process group in each of forty steps.
func TestRecordings(t *testing.T) {
	none := recorded(t, "none_rank0.log")
	if r := none[0]; r.Inits != 1 || r.Communicators != 1 || r.Destroyed != 1 || len(Findings(none)) != 0 {
		t.Errorf("healthy: %+v", r)
	}
	groups := recorded(t, "groups_rank0.log")
	if r := groups[0]; r.Inits != 41 || r.Communicators != 41 || r.Destroyed != 41 || len(r.Groups) != 2 {
		t.Errorf("a group a step: %+v", r)
	}
	found := Findings(groups)
	if len(found) != 1 || found[0].Rule != "TL116" || *found[0].Count != 40 || found[0].Memory != "cuda:0" {
		t.Errorf("a group a step: %+v", found)
	}
	if s := groups[0].InitSeconds; s == nil || *s < 1 || *s > 2 {
		t.Errorf("set-ups took %v", s)
	}
}

// life is the lines of one communicator; what is "" is left out.
func life(who, function, address, members, more string, states ...string) string {
	out := ""
	for _, s := range states {
		if function != "" {
			function = strings.TrimSpace(function) + " "
		}
		out += fmt.Sprintf("%s NCCL INFO %scomm %s %s cudaDev 1 busId 60%s - %s\n", who, function, address, members, more, s)
	}
	return out
}

// readAll reads the one log.
func readAll(r io.Reader, file string) ([]Rank, error) {
	var logs Logs
	err := logs.Read(r, file)
	return logs.Ranks(), err
}

func read(t *testing.T, text string) []Rank {
	t.Helper()
	ranks, err := readAll(strings.NewReader(text), "log")
	if err != nil {
		t.Fatal(err)
	}
	return ranks
}

func TestRead(t *testing.T) {
	both := []string{"Init START", "Init COMPLETE"}
	a, b := "node-1.x:10:11 [0]", "node-1.x:12:13 [1]"
	t.Run("several ranks in one file, behind a launcher's prefix", func(t *testing.T) {
		ranks := read(t, "[rank1]: "+life(b, "ncclCommInitRank", "0x2", "rank 1 nranks 2", " commId 0x9", both[0])+
			"epoch 1 loss 0.3\n"+life(a, "ncclCommInitRank", "0x1", "rank 0 nranks 2", " commId 0x9", both...)+
			"2026-11-29 10:00:00 "+life(b, "ncclCommInitRank", "0x2", "rank 1 nranks 2", " commId 0x9", both[1]))
		if len(ranks) != 2 || ranks[0].PID != 10 || ranks[1].PID != 12 || ranks[1].Rank != 1 || ranks[1].Inits != 1 || *ranks[1].Device != 1 {
			t.Errorf("%+v", ranks)
		}
	})
	t.Run("a release that prints only the end of a set-up", func(t *testing.T) {
		r := read(t, life(a, "", "0x1", "rank 3 nranks 8", "", "Init COMPLETE"))[0]
		if r.Inits != 1 || r.Unfinished != 0 || r.Rank != 3 || r.Groups[0].Size != 8 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("made and destroyed in turn keeps nothing", func(t *testing.T) {
		text := life(a, "ncclCommInitRank", "0x1", "rank 0 nranks 2", "", both...)
		for range 30 {
			text += life(a, "ncclCommSplit", "0x2", "rank 0 nranks 2", " parent 0x1 splitCount 1 color 7 key 0", append(both, "Abort COMPLETE")...)
		}
		ranks := read(t, text)
		if r := ranks[0]; r.Inits != 31 || r.Communicators != 2 || r.Destroyed != 30 || len(Findings(ranks)) != 0 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("an address that comes again was freed", func(t *testing.T) {
		text := ""
		for range 30 {
			text += life(a, "ncclCommInitRank", "0x1", "rank 0 nranks 2", "", both...)
		}
		if r := read(t, text)[0]; r.Communicators != 1 || r.Destroyed != 29 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("a fixed set of groups is no finding", func(t *testing.T) {
		text := life(a, "ncclCommInitRank", "0x1", "rank 0 nranks 64", "", both...)
		for i := range 12 {
			text += life(a, "ncclCommInitRank", fmt.Sprintf("0xa%x", i), "rank 0 nranks 8", "", both...)
			text += life(a, "ncclCommSplit", fmt.Sprintf("0xb%x", i), "rank 0 nranks 8", fmt.Sprintf(" parent 0x1 splitCount 1 color %d key 0", i), both...)
		}
		if found := Findings(read(t, text)); len(found) != 0 {
			t.Errorf("%+v", found)
		}
	})
	t.Run("memory and what never ended", func(t *testing.T) {
		r := read(t, life(a, "ncclCommInitRank", "0x1", "rank 0 nranks 2", "", both[0])+
			a+" NCCL INFO transport/p2p.cc:12 Cuda Alloc Size 2097152 pointer 0x7f\n"+
			a+" NCCL INFO bootstrap.cc:9 Cuda Host Alloc Size 99 pointer 0x7f\n"+
			a+" NCCL INFO CUMEM Alloc Size 1048576 pointer 0x7f handle 1\n"+
			life(a, "ncclCommInitRank", "0x1", "rank 0 nranks 2", "", both[1])+
			life(a, "ncclCommInitRank", "0x3", "rank 0 nranks 2", "", both[0]))[0]
		if r.AllocatedBytes == nil || *r.AllocatedBytes != 3<<20 || r.Unfinished != 1 || r.Inits != 1 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("colours, and lines within JSON", func(t *testing.T) {
		for what, text := range map[string]string{
			"colours": strings.ReplaceAll(strings.ReplaceAll(life(a, "ncclCommInitRank", "0x1", "rank 0 nranks 2", "", both...), "\n", "\x1b[0m\r\n"), "node", "\x1b[1;32mnode"),
			"JSON":    strings.ReplaceAll(strings.ReplaceAll(life(a, "ncclCommInitRank", "0x1", "rank 0 nranks 2", "", both...), "\n", `\n","stream":"stdout"}`+"\n"), "node", `{"log":"node`),
		} {
			if ranks := read(t, text); len(ranks) != 1 || ranks[0].Inits != 1 || ranks[0].Host != "node-1.x" {
				t.Errorf("%s: %+v", what, ranks)
			}
		}
	})
	t.Run("a rotation within", func(t *testing.T) {
		text := life(a, "ncclCommInitRank", "0x1", "rank 0 nranks 2", "", both...)
		for i := range 6 {
			text += life(a, "ncclCommSplit", fmt.Sprintf("0xb%x", i), "rank 0 nranks 2", " parent 0x1 splitCount 1 color 7 key 0", both...)
		}
		lines := strings.SplitAfter(text, "\n")
		var logs Logs
		for i, part := range []string{strings.Join(lines[:7], ""), strings.Join(lines[7:], "")} {
			if err := logs.Read(strings.NewReader(part), fmt.Sprint("log.", 2-i)); err != nil {
				t.Fatal(err)
			}
		}
		ranks := logs.Ranks()
		found := Findings(ranks)
		if len(ranks) != 1 || ranks[0].Inits != 7 || len(found) != 1 || !strings.Contains(found[0].Why, "from line 3 of log.2 to line 7 of log.1") {
			t.Errorf("%+v %+v", ranks, found)
		}
	})
	t.Run("nothing of NCCL's", func(t *testing.T) {
		if _, err := readAll(strings.NewReader("loss 1\n"+strings.Repeat("x", 1<<20)), "log"); !errors.Is(err, ErrNone) {
			t.Error(err)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(life("h:1:2 [0]", "ncclCommSplit", "0x1", "rank 0 nranks 2", " parent 0x1 color 7 key 0", "Init START", "Init COMPLETE", "Destroy COMPLETE"))
	f.Add("h:1:2 [0] NCCL INFO Init timings - x: rank 0 total 1e999\nh:1:2 [0] NCCL INFO Cuda Alloc Size 99999999999999999999 pointer")
	f.Fuzz(func(t *testing.T, text string) {
		ranks, err := readAll(strings.NewReader(text), "log")
		again, _ := readAll(strings.NewReader(text), "log")
		if err == nil && !reflect.DeepEqual(ranks, again) {
			t.Error("two readings differ")
		}
		for _, r := range ranks {
			if r.Communicators > r.Inits || r.Destroyed > r.Inits {
				t.Errorf("%+v", r)
			}
		}
	})
}
