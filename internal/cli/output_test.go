package cli

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWriteToKeepsWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	file, link, pipe := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(file, []byte("an older and longer report"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0) // a pipe's writer waits for its reader
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for _, path := range []string{link, pipe} {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := writeTo(path, []byte("report")); err != nil {
			t.Fatal(err)
		}
		if after, err := os.Lstat(path); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s was %v and is %v, %v", path, before.Mode(), after.Mode(), err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "report" {
		t.Errorf("through the link came %q, %v", got, err)
	}
	got := make([]byte, len("report"))
	if _, err := io.ReadFull(reader, got); err != nil || string(got) != "report" {
		t.Errorf("through the pipe came %q, %v", got, err)
	}
}
