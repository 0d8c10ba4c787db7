// Command dev writes the generated files of the repository: `go run ./internal/dev generate`.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// generators make files from the folders of the tree below root: paths below root, and what they hold.
var generators = []func(root string) (map[string][]byte, error){
	ruleFiles,
	backendFiles,
	metricFiles,
}

func main() {
	if len(os.Args) != 2 || os.Args[1] != "generate" {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/dev generate")
		os.Exit(2)
	}
	changed, err := generate(".")
	if err == nil && slices.Contains(changed, backendList) {
		err = again()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

// again generates by a program that holds the backends there are now: what is told of them is made of their facts in Go.
func again() error {
	cmd := exec.Command("go", "run", "./internal/dev", "generate")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// generate writes all files below root that are made, and returns those that it changed.
func generate(root string) (changed []string, err error) {
	for _, make := range generators {
		files, err := make(root)
		if err != nil {
			return changed, err
		}
		for path, content := range files {
			full := filepath.Join(root, path)
			if old, err := os.ReadFile(full); err == nil && bytes.Equal(old, content) {
				continue
			}
			if err := os.WriteFile(full, content, 0o644); err != nil {
				return changed, err
			}
			changed = append(changed, path)
		}
	}
	return changed, nil
}
