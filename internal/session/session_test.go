package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/inject"
	"github.com/torchleak/torchleak/internal/recording"
)

// ended is the number of a process that has ended.
func ended(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.Pid()
}

func hello(t *testing.T, dir string, pid, start int, role string) {
	t.Helper()
	text := fmt.Sprintf(`{"hello":1,"pid":%d,"start_wall_ns":%d,"role":%q}`, pid, start, role)
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d-%d.hello.json", pid, start)), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWorkersOfManyEpochs checks that loader workers, new ones in each epoch, do not fill the recording, and that
// nothing is forgotten of any other process.
func TestWorkersOfManyEpochs(t *testing.T) {
	dir, gone := t.TempDir(), ended(t)
	hello(t, dir, gone, 1, "trainer")
	hello(t, dir, os.Getpid(), 2, "worker")
	const epochs = maxWorkers + 20
	for i := range epochs {
		hello(t, dir, gone, 100+i, "worker")
	}
	s := &session{config: Config{Dir: recording.Dir{Path: dir}}, watched: map[string]*watched{}}
	s.scan()
	left, warnings := s.config.Dir.Processes()
	if len(warnings) > 0 {
		t.Fatal(warnings)
	}
	if want := maxWorkers + 2; len(left) != want || len(s.watched) != want {
		t.Fatalf("%d processes are left, %d are watched, want %d", len(left), len(s.watched), want)
	}
	if left[0].Hello.Role != "trainer" || left[1].Hello.PID != os.Getpid() || left[2].Hello.StartWall != 100+epochs-maxWorkers {
		t.Errorf("left are %+v, …", left[:3])
	}
}

func TestLeftover(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("sleep", "60")
	cmd.Env = []string{inject.RunDirectory + "=" + dir}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if got := leftover(dir); !slices.Equal(got, []int{cmd.Process.Pid}) {
		t.Errorf("left %v, want %d", got, cmd.Process.Pid)
	}
	if got := leftover(filepath.Dir(dir)); got != nil {
		t.Errorf("left %v of another run", got)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := leftover(dir); got != nil {
		t.Errorf("left %v after the end", got)
	}
}

// A run that cannot begin leaves nothing behind, and what was there before stays.
func TestRunThatCannotBegin(t *testing.T) {
	for name, argv := range map[string][]string{"no room for the probe": {"true"}, "no program": {"/dev/null"}} {
		dir, _, err := recording.Create(filepath.Join(t.TempDir(), "run"), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if name == "no room for the probe" {
			if err := os.WriteFile(dir.File("probe"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Run(Config{Argv: argv, Dir: dir}); err == nil {
			t.Errorf("%s: it ran", name)
		}
		if _, err := os.Stat(dir.Path); err == nil {
			t.Errorf("%s: %s is left", name, dir.Path)
		}
	}
}

func TestWarningsAreSaidOnce(t *testing.T) {
	s := &session{}
	full := func(file string) error { return &fs.PathError{Op: "write", Path: file, Err: syscall.ENOSPC} }
	s.warnIf(nil)
	s.warnIf(errors.Join(full("a"), errors.New("another"), full("b")))
	s.warnIf(fmt.Errorf("later: %w", full("c")))
	s.warnIf(errors.New("another"))
	if want := []string{"write a: no space left on device", "another"}; !slices.Equal(s.warnings, want) {
		t.Errorf("the warnings are %q, want %q", s.warnings, want)
	}
}
