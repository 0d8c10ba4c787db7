package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/process"
)

// What a training has started ends with it, also where the training alone would not take it along.
func TestStartEndsAll(t *testing.T) {
	file := filepath.Join(t.TempDir(), "worker")
	end, err := start(exec.CommandContext(t.Context(), "sh", "-c", `sleep 600 & echo $! >"$1.part"; mv "$1.part" "$1"; wait`, "sh", file))
	if err != nil {
		t.Fatal(err)
	}
	wait := func(what string, reached func() bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); !reached(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal(what)
			}
		}
	}
	worker := 0
	wait("no worker was started", func() bool {
		text, err := os.ReadFile(file)
		worker, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	if !process.Alive(worker) {
		t.Fatal("the worker has ended before")
	}
	end()
	wait("the worker is left", func() bool { return !process.Alive(worker) })
}

// The page is read before anything is run: what cannot be read is said at once.
func TestPageIsReadFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("docs/accuracy-attach.md", 0o700); err != nil { // a folder of that name
		t.Fatal(err)
	}
	if _, err := run([]string{"--leaks", t.TempDir()}, t.Output()); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("got %v", err)
	}
	if err := os.RemoveAll("docs"); err != nil {
		t.Fatal(err)
	}
	if _, err := run([]string{"--leaks", t.TempDir()}, t.Output()); err == nil || !strings.Contains(err.Error(), "no case to run") {
		t.Errorf("without a page: got %v", err)
	}
}

func TestEvery(t *testing.T) {
	if _, err := run([]string{"--every", "0"}, t.Output()); err == nil || !strings.Contains(err.Error(), "from 1 on") {
		t.Errorf("got %v", err)
	}
}
