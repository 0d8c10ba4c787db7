// Package torchleak_test keeps the documents true: what they show is run, and what they link to is there.
package torchleak_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/dev/console"
	"github.com/torchleak/torchleak/internal/pytorch"
)

// documents returns the Markdown files of the project.
func documents(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".md") {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestConsole runs the console blocks, those that need PyTorch with the newest one.
func TestConsole(t *testing.T) {
	ran := 0
	program := filepath.Join(t.TempDir(), "torchleak")
	build := exec.Command("go", "build", "-o", program, "./cmd/torchleak")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, out)
	}
	for _, document := range documents(t) {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range console.Commands(string(text)) {
			ran++
			t.Run(document+":"+strconv.Itoa(c.Line), func(t *testing.T) {
				if c.Skip != "" {
					t.Skip(c.Skip)
				}
				python := ""
				if strings.Contains(c.Text, "python") {
					python = newest(pytorch.Find(t))
				}
				runCommand(t, c, program, python)
			})
		}
	}
	if ran == 0 {
		t.Fatal("no console block found in any document")
	}
}

func newest(pythons []pytorch.Python) string {
	last := slices.MaxFunc(pythons, func(a, b pytorch.Python) int { return slices.Compare(release(a.Torch), release(b.Torch)) })
	return last.Path
}

// release returns the numbers that a version begins with: 2 and 15 of 2.15.0+cu132.
func release(version string) []int {
	var numbers []int
	for _, part := range strings.SplitN(version, ".", 3) {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// runCommand runs c in the folder of the demo, or for make in that of the project, where a reader who
// has built the program and put it on PATH would be. It works on a copy, and compares what is printed.
func runCommand(t *testing.T, c console.Command, program, python string) {
	dir := t.TempDir()
	for _, folder := range []string{"demo", "scripts"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(folder)); err != nil {
			t.Fatal(err)
		}
	}
	copyFile(t, "Makefile", filepath.Join(dir, "Makefile"))
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(program, filepath.Join(bin, "torchleak")); err != nil {
		t.Fatal(err)
	}
	if python != "" {
		// A script and not a link: a link would make Python look for its environment in the wrong place.
		text := "#!/bin/sh\nexec '" + python + "' \"$@\"\n"
		if err := os.WriteFile(filepath.Join(bin, "python"), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", c.Text)
	cmd.Dir = filepath.Join(dir, "demo")
	if strings.HasPrefix(c.Text, "make ") {
		cmd.Dir = dir
	}
	cmd.Env = pytorch.Environ("PATH=" + bin + ":" + os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("$ %s: %v", c.Text, err)
	}
	if miss := console.Mismatch(c.Output, string(out)); miss != "" {
		t.Errorf("$ %s\ndoes not print in its turn: %s\nit prints:\n%s", c.Text, miss, out)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var (
	link  = regexp.MustCompile(`\]\(([^)#\s]+)`)
	block = regexp.MustCompile("(?s)```.*?```") // code holds brackets of its own
)

func TestLinks(t *testing.T) {
	for _, document := range documents(t) {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(block.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target := filepath.Join(filepath.Dir(document), m[1])
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", document, m[1])
			}
		}
	}
}

// TestReadmeFigures holds what README.md says of the score to the page that the scorer made last.
func TestReadmeFigures(t *testing.T) {
	page, err := os.ReadFile("docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, figure := range []string{"look-alikes called leak", "statement right, first finding", "holder named"} {
		found := regexp.MustCompile(`(?m)^\| ` + figure + ` \|.*\| (\d+ of \d+) \|`).FindSubmatch(page)
		if found == nil || !strings.Contains(string(readme), string(found[1])) {
			t.Errorf("docs/accuracy.md has %q for %s, and README.md does not", found, figure)
		}
	}
}
