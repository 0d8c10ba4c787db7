package lint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

// BenchmarkTree lints the folder that TORCHLEAK_LINT_TREE names, such as an installed transformers; without it the
// project's own trainings.
func BenchmarkTree(b *testing.B) {
	tree := os.Getenv("TORCHLEAK_LINT_TREE")
	if tree == "" {
		tree = "../../leaks"
	}
	size := int64(0)
	err := filepath.Walk(tree, func(path string, info os.FileInfo, err error) error {
		if err == nil && isSource(path) && info.Mode().IsRegular() {
			size += info.Size()
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	var report finding.Lint
	for b.Loop() {
		r, err := Run(Options{Paths: []string{tree}, Isolated: true})
		if err != nil {
			b.Fatal(err)
		}
		report = r.Report
	}
	b.SetBytes(size)
	b.ReportMetric(float64(report.Files), "files")
	b.ReportMetric(float64(len(report.Findings)), "findings")
}
