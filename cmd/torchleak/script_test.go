package main

import (
	"flag"
	"os"
	"path/filepath"
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

// TestScript runs testdata/script: what a user types and what comes back, with each real PyTorch.
func TestScript(t *testing.T) {
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir:                 "testdata/script",
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
