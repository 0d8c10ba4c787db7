package torchleak_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// machine is a folder of programs that is all that PATH has, apart from what every POSIX system has.
type machine struct {
	t    *testing.T
	path string
	home string
}

func newMachine(t *testing.T) machine {
	m := machine{t, t.TempDir(), t.TempDir()}
	for _, tool := range []string{"sh", "sed", "cut", "dirname", "mkdir", "rm", "id"} {
		found, err := exec.LookPath(tool)
		if err != nil {
			t.Skipf("no %s", tool)
		}
		if err := os.Symlink(found, filepath.Join(m.path, tool)); err != nil {
			t.Fatal(err)
		}
	}
	m.program("id", "echo 1000") // not root: nothing is installed
	return m
}

// program puts a shell script there and returns its path.
func (m machine) program(name, text string) string {
	path := filepath.Join(m.path, name)
	os.Remove(path)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		m.t.Fatal(err)
	}
	return path
}

// run runs a script of the scripts folder and returns what it answers and what it says.
func (m machine) run(script string, env ...string) (answer, said string, ok bool) {
	fields := strings.Fields(script)
	cmd := exec.Command(filepath.Join("scripts", fields[0]), fields[1:]...)
	cmd.Env = append([]string{"PATH=" + m.path, "HOME=" + m.home}, env...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	return strings.TrimSpace(stdout.String()), stderr.String(), err == nil
}

// wantFailure wants the script to fail, answer nothing, and say each of the words.
func (m machine) wantFailure(script string, env []string, words ...string) {
	m.t.Helper()
	answer, said, ok := m.run(script, env...)
	if ok || answer != "" {
		m.t.Errorf("%s: answered %q, ok %v; want a failure", script, answer, ok)
	}
	for _, w := range words {
		if !strings.Contains(said, w) {
			m.t.Errorf("%s: does not say %q:\n%s", script, w, said)
		}
	}
}

func TestToolchain(t *testing.T) {
	m := newMachine(t)
	m.wantFailure("toolchain.sh", nil, "no C compiler", "apt-get install gcc")
	m.program("gcc", "")
	m.wantFailure("toolchain.sh", nil, "found none", "go.dev/dl")
	m.program("go", `if [ "$1" = env ]; then echo go1.19.8; else echo go version go1.19.8; fi`)
	m.wantFailure("toolchain.sh", nil, "found go version go1.19.8", "go.dev/dl")
	for _, version := range []string{"go1.21rc2", "go1.22.1", "go1.26.8"} {
		m.program("go", "echo "+version)
		if _, said, ok := m.run("toolchain.sh"); !ok {
			t.Errorf("%s is refused: %s", version, said)
		}
	}
}

func TestPythonThatIsNamed(t *testing.T) {
	m := newMachine(t)
	without := m.program("without", "exit 1")
	with := m.program("with", "exit 0")
	m.wantFailure("python.sh", []string{"TORCHLEAK_PYTHON=" + without}, without, "pip install torch")
	if answer, said, _ := m.run("python.sh", "TORCHLEAK_PYTHON="+with+":"+without); answer != with {
		t.Errorf("answered %q, want %q: %s", answer, with, said)
	}
}

func TestPython314(t *testing.T) {
	m := newMachine(t)
	cache := filepath.Join(m.home, ".cache", "torchleak")
	fake := func(path, text string) string {
		path = filepath.Join(cache, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fake("newest/bin/python", "echo 2.15.0")
	m.wantFailure("python3.14.sh", nil, "Python 3.14 with torch 2.15.0", "no python3.14 here", "apt-get install mmdebstrap patchelf")
	m.program("mmdebstrap", "exit 1")
	m.program("patchelf", "exit 1")
	m.wantFailure("python3.14.sh", nil, "Debian testing's python3.14 could not be had")
	m.program("python3.14", "exit 1")
	m.wantFailure("python3.14.sh", nil, "makes no virtual environment", "python3.14-venv")
	there := fake("python3.14/venv/bin/python", "exit 0")
	if answer, said, _ := m.run("python3.14.sh"); answer != there {
		t.Errorf("answered %q, want %q: %s", answer, there, said)
	}
}

func TestPythonsWithCUDA(t *testing.T) {
	m := newMachine(t)
	cpu := m.program("cpu", "exit 1")
	first := m.program("first", "exit 0")
	second := m.program("second", "exit 0")
	m.wantFailure("pythons.sh --cuda", []string{"TORCHLEAK_PYTHON=" + cpu}, "CUDA device", "make test-gpu")
	list := strings.Join([]string{first, cpu, second}, ":")
	if answer, said, _ := m.run("pythons.sh --cuda", "TORCHLEAK_PYTHON="+list); answer != first+":"+second {
		t.Errorf("answered %q: %s", answer, said)
	}
	if answer, _, _ := m.run("pythons.sh", "TORCHLEAK_PYTHON="+list); answer != list {
		t.Errorf("answered %q, want the list as it is", answer)
	}
}
