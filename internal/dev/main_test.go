package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestGenerated(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, make := range generators {
		files, err := make(root)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 {
			t.Error("a generator makes nothing")
		}
		for path, want := range files {
			got, err := os.ReadFile(filepath.Join(root, path))
			if err != nil {
				t.Error(err)
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s is stale: run go run ./internal/dev generate", path)
			}
		}
	}
}
