package main

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/torchleak/torchleak/internal/cli"
	"github.com/torchleak/torchleak/internal/pytorch"
)

var update = flag.Bool("update", false, "rewrite the scripts' expected outputs")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"torchleak": func() { os.Exit(cli.Main(os.Args[1:], cli.OS())) },
	})
}

// anyPyTorch is the first line of a script in which no PyTorch trains, or whose outcome is the same with each: it runs with
// the first alone.
const anyPyTorch = "# With any PyTorch.\n"

// scripts are the files of testdata/script, all or without those for which any PyTorch will do.
func scripts(t *testing.T, all bool) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	return slices.DeleteFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return !all && strings.HasPrefix(string(text), anyPyTorch)
	})
}

// TestScript runs testdata/script: what a user types and what comes back, with each real PyTorch.
func TestScript(t *testing.T) {
	for i, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Files:               scripts(t, i == 0),
				UpdateScripts:       *update,
				RequireExplicitExec: true,
				Setup: func(env *testscript.Env) error {
					root, err := filepath.Abs("../..")
					if err != nil {
						return err
					}
					env.Setenv("ROOT", root) // of the project, for recordings that packages have
					env.Setenv("PYTHON", python.Path)
					env.Setenv("OMP_NUM_THREADS", "1")
					env.Setenv("HOME", env.WorkDir)
					return nil
				},
			})
		})
	}
}
