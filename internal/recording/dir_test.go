package recording

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A folder's name is no pattern.
func TestFilesInAnyFolder(t *testing.T) {
	d, _, err := Create(filepath.Join(t.TempDir(), "[x] y*"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"7-1.hello.json", "7-1.evidence-10.json", "7-1.evidence-2.json", "7-10.evidence-1.json", "7-1.evidence-3.json.tmp"} {
		if err := os.WriteFile(d.File(name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ps, warnings := d.Processes()
	if len(ps) != 1 || len(warnings) > 0 {
		t.Fatalf("%d processes, %v", len(ps), warnings)
	}
	got := ps[0].Evidence()
	if len(got) != 2 || got[0] != ps[0].EvidenceFile(2) || got[1] != ps[0].EvidenceFile(10) {
		t.Errorf("evidence files %v", got)
	}
	if _, _, err := Create(d.Path, time.Now()); err == nil || !strings.Contains(err.Error(), "already holds a recording") {
		t.Errorf("a second recording in one folder: %v", err)
	}
}

// Whoever may write to the folder could change the probe that the command loads.
func TestCreateOnlyWhereOthersCannotWrite(t *testing.T) {
	for mode, want := range map[os.FileMode]string{0o755: "", 0o700: "", 0o775: "others may write", 0o777: "others may write"} {
		dir := t.TempDir()
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		_, _, err := Create(dir, time.Now())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("mode %v: %v", mode, err)
		}
	}
}

func TestCreateInAnothersFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chown(dir, os.Geteuid()+1, -1); err != nil {
		t.Skip("only root can give a folder away")
	}
	if _, _, err := Create(dir, time.Now()); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Errorf("a folder of another user: %v", err)
	}
}

// What runs leave below the default directory is nothing to commit.
func TestDefaultIsHiddenFromGit(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, _, err := Create("", time.Now()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(".torchleak", ".gitignore")); err != nil || string(text) != "*\n" {
		t.Errorf(".gitignore holds %q, %v", text, err)
	}
}

// A disk without room, for data or for files, is as good as one that cannot be written, and nothing is left on it.
func TestCreateWithoutRoom(t *testing.T) {
	for _, limit := range []string{"size=200k", "size=40m,nr_inodes=50"} {
		t.Run(limit, func(t *testing.T) { createWithoutRoom(t, limit) })
	}
}

func createWithoutRoom(t *testing.T, limit string) {
	small := t.TempDir()
	if err := syscall.Mount("none", small, "tmpfs", 0, limit); err != nil {
		t.Skipf("a small file system cannot be made: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(small, syscall.MNT_DETACH) })
	t.Chdir(small)
	d, warning, err := Create("", time.Now())
	if err != nil || strings.HasPrefix(d.Path, small) || !strings.Contains(warning, "no space left on device") {
		t.Errorf("the default: %v, %q, %v", d, warning, err)
	}
	d.Discard()
	if _, err := os.Stat(d.Path); err == nil {
		t.Errorf("%s is still there", d.Path)
	}
	if _, _, err := Create("named/here", time.Now()); err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("a directory that was named: %v", err)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A cluster's jobs may all begin in one second, in one directory.
func TestCreateManyAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	now, seen := time.Now(), map[string]bool{}
	for range 1100 {
		d, warning, err := Create("", now)
		if err != nil || warning != "" || seen[d.Path] || !strings.Contains(d.Path, ".torchleak") {
			t.Fatalf("run %d: %s, %q, %v", len(seen)+1, d.Path, warning, err)
		}
		seen[d.Path] = true
	}
}

// What goes wrong names the file that was to be, not the one that stands in for it meanwhile.
func TestReplaceNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	err := Replace(path, 0o600, func(w io.Writer) error { w.(*os.File).Close(); _, err := w.Write([]byte("x")); return err })
	if err == nil || !strings.HasPrefix(err.Error(), "write "+path+":") {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	gone := filepath.Join(filepath.Dir(path), "gone", "run.json")
	if err := WriteFile(gone, nil); err == nil || err.Error() != "open "+gone+": no such file or directory" {
		t.Errorf("got %v", err)
	}
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, nil); err == nil || !strings.HasPrefix(err.Error(), "replace "+path+":") {
		t.Errorf("got %v", err)
	}
}
