package process

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/torchleak/torchleak/internal/memory"
)

func TestOwn(t *testing.T) {
	pid := os.Getpid()
	before, err := Read(pid)
	if err != nil {
		t.Fatal(err)
	}
	private, err := Private(pid)
	if err != nil {
		t.Fatal(err)
	}
	const size = 64 << 20
	b := make([]byte, size)
	for i := 0; i < size; i += os.Getpagesize() {
		b[i] = 1
	}
	after, err := Read(pid)
	if err != nil {
		t.Fatal(err)
	}
	now, err := Private(pid)
	if err != nil {
		t.Fatal(err)
	}
	b[0]++
	for what, grown := range map[string]int64{"rss": after.RSS - before.RSS, "anon": after.Anon - before.Anon, "private": now - private} {
		if grown < size*9/10 || grown > size*3/2 {
			t.Errorf("%s grew by %d, want %d", what, grown, size)
		}
	}
	if after.File <= 0 || after.Shm < 0 {
		t.Errorf("file %d, shm %d", after.File, after.Shm)
	}
	if parent, err := Parent(pid); err != nil || parent != os.Getppid() {
		t.Errorf("parent %d, %v; want %d", parent, err, os.Getppid())
	}
}

// One that has ended and that nobody has waited for has a status, and no memory.
func TestEnded(t *testing.T) {
	cmd := exec.Command("cat")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	stdin.Close()
	for { // until its end of the pipe is closed
		if _, err := stdout.Read(make([]byte, 1)); err != nil {
			break
		}
	}
	for range 1000 {
		if _, err = Read(cmd.Process.Pid); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrEnded) {
		t.Errorf("of one that has ended: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(cmd.Process.Pid); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of one that is gone: %v", err)
	}
	if _, err := Parent(cmd.Process.Pid); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("parent of one that is gone: %v", err)
	}
}

func TestField(t *testing.T) {
	text := []byte("Name:\tVmRSS: 7 kB\nVmRSS:\t     12 kB\nRssAnon:\tmany kB\n")
	for key, want := range map[string]int64{"VmRSS": 12 << 10, "RssAnon": memory.Absent, "RssFile": memory.Absent} {
		if got := field(text, key); got != want {
			t.Errorf("%s: %d, want %d", key, got, want)
		}
	}
}
