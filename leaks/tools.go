package leaks

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
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

// Tail is the last line that a program said.
func Tail(said string) string {
	said = strings.TrimSpace(said)
	if i := strings.LastIndexByte(said, '\n'); i >= 0 {
		said = said[i+1:]
	}
	return said
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
