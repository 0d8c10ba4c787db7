package leaks

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Build builds the torchleak of this module into folder and returns its path. said takes what the compiler says.
func Build(folder string, said io.Writer) (string, error) {
	binary := filepath.Join(folder, "torchleak")
	build := exec.Command("go", "build", "-o", binary, "github.com/torchleak/torchleak/cmd/torchleak")
	build.Stderr = said
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("building torchleak: %w", err)
	}
	return binary, nil
}

// Torchleak runs the binary in a folder and returns what it wrote to standard output and what it said. When ctx is done it is
// interrupted, which ends its training too.
func Torchleak(ctx context.Context, binary, folder string, args ...string) (out []byte, said string, err error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = folder, Environ(), 30*time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	return out, stderr.String(), err
}

// Environ is one thread a program, and nothing of the caller's own torchleak or Python settings.
func Environ() []string {
	env := []string{"OMP_NUM_THREADS=1"}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "TORCHLEAK_") && !strings.HasPrefix(e, "PYTHON") && !strings.HasPrefix(e, "OMP_") {
			env = append(env, e)
		}
	}
	return env
}

// Tail is the last line that a program said, less what is set in behind it: of torchleak the sentence, and not the next step.
func Tail(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	last := len(lines) - 1
	for last > 0 && strings.HasPrefix(lines[last], " ") {
		last--
	}
	return lines[last]
}

// Machine describes this machine as pages name it.
func Machine() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores, %s", name, runtime.NumCPU(), runtime.GOOS)
}
