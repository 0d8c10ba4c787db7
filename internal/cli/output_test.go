package cli

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
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
	null := filepath.Join(dir, "null")
	paths := []string{link, pipe}
	if syscall.Mknod(null, syscall.S_IFCHR|0o600, 1<<8|3) == nil { // only root may make one
		if f, err := os.OpenFile(null, os.O_WRONLY, 0); err == nil { // not on file systems without devices
			f.Close()
			paths = append(paths, null)
		}
	}
	for _, path := range paths {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		write := func(w io.Writer) error { _, err := io.WriteString(w, "report"); return err }
		if err := writeTo(path, 0o600, write); err != nil {
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

// A snapshot goes the same way, and streams: what reads the pipe gets it as it is made.
func TestConvertIntoPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.pickle")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	keep, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that a reader without a writer does not wait for ever
	if err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan int64, 1)
	go func() {
		n, _ := io.Copy(io.Discard, reader)
		read <- n
	}()
	c := snapshotConvert{File: "../snapshot/testdata/hook.pickle.gz", Output: pipe, Protocol: 4, From: "0", To: "end"}
	if err := c.Run(OS()); err != nil {
		t.Fatal(err)
	}
	keep.Close()
	if n := <-read; n < 1000 {
		t.Errorf("%d bytes came through the pipe", n)
	}
	if st, err := os.Lstat(pipe); err != nil || st.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", st.Mode(), err)
	}
}

// /dev/stdout is the stream, with what the training has written to it already.
func TestWriteToOwnStream(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	f, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	defer func(stdout *os.File) { os.Stdout = stdout }(os.Stdout)
	os.Stdout = f
	f.WriteString("loss 0.1\n")
	for _, path := range []string{log, "/dev/fd/" + strconv.Itoa(int(f.Fd()))} {
		if err := writeTo(path, 0o600, func(w io.Writer) error { _, err := io.WriteString(w, "report\n"); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(log); err != nil || string(got) != "loss 0.1\nreport\nreport\n" {
		t.Errorf("the stream holds %q, %v", got, err)
	}
}
