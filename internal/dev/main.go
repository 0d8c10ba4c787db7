// Command dev writes the generated files of the repository: `go run ./internal/dev generate`.
package main

import (
	"fmt"
	"os"
	"path/filepath"
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
	if err := generate("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

func generate(root string) error {
	for _, make := range generators {
		files, err := make(root)
		if err != nil {
			return err
		}
		for path, content := range files {
			if err := os.WriteFile(filepath.Join(root, path), content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
