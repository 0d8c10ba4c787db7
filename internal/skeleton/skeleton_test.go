package skeleton

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAllAreThere compares the list with the folders: each has a script that its command runs, and a smoke test of it.
func TestAllAreThere(t *testing.T) {
	folders, err := fs.ReadDir(templates, "templates")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != len(All)+1 {
		t.Errorf("%d folders, and %d skeletons with one for what they share", len(folders), len(All))
	}
	for _, s := range All {
		files, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		script := s.Run[strings.LastIndex(s.Run, " ")+1:]
		if files[script] == nil || !strings.Contains(string(files["smoke.sh"]), script) {
			t.Errorf("%s: %s is not there, or not what smoke.sh runs", s.Name, script)
		}
		for _, name := range []string{"memwatch.py", "data.py"} {
			if files[name] == nil {
				t.Errorf("%s has no %s", s.Name, name)
			}
		}
	}
}

func TestWriteNeverOverwrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	paths, err := All[0].Write(dir, false)
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	if st, err := os.Stat(filepath.Join(dir, "smoke.sh")); err != nil || st.Mode().Perm()&0o100 == 0 {
		t.Errorf("smoke.sh cannot be executed: %v, %v", st.Mode(), err)
	}
	mine := filepath.Join(dir, "train.py")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "data.py")); err != nil {
		t.Fatal(err)
	}
	if _, err := All[0].Write(dir, false); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), mine) {
		t.Errorf("writing over a file gives %v", err)
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) != "mine" {
		t.Errorf("train.py is now %q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "data.py")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a part was written: %v", err)
	}
	if _, err := All[0].Write(dir, true); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) == "mine" {
		t.Errorf("with force train.py is %q, %v", text, err)
	}
}
