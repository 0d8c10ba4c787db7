package torchleak_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/cli"
)

var (
	rev     = regexp.MustCompile(`(?m)^ +rev: (\S+)`)
	named   = regexp.MustCompile(`(?:\btorchleak[ :]|[vV]ersion: "?)(\d+\.\d+\.\d+)\b`)
	heading = regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)\b`)
)

// TestVersion holds the version that the binary prints, the changelog, the documents and what is deployed together. Before the first release
// there is no CHANGELOG.md, and no document may name a tag, which nobody could fetch.
func TestVersion(t *testing.T) {
	tag := "main"
	switch text, err := os.ReadFile("CHANGELOG.md"); {
	case err == nil:
		newest := heading.FindSubmatch(text)
		if newest == nil || string(newest[1]) != cli.Version {
			t.Errorf("the newest release in CHANGELOG.md is %q, and the binary is %s", newest, cli.Version)
		}
		tag = "v" + cli.Version
	case !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	}
	paths := documents(t)
	for _, pattern := range []string{".github/ISSUE_TEMPLATE/*.yml", "deploy/kubernetes/*.yaml", "deploy/helm/torchleak/Chart.yaml", "deploy/container/Dockerfile"} {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatalf("%s: nothing is there, %v", pattern, err)
		}
		paths = append(paths, more...)
	}
	revs, names := 0, 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range rev.FindAllStringSubmatch(string(text), -1) {
			revs++
			if found[1] != tag {
				t.Errorf("%s takes rev: %s; it is %s", path, found[1], tag)
			}
		}
		for _, found := range named.FindAllStringSubmatch(string(text), -1) {
			names++
			if found[1] != cli.Version && !strings.HasPrefix(path, "CHANGELOG") {
				t.Errorf("%s speaks of torchleak %s; it is %s", path, found[1], cli.Version)
			}
		}
	}
	if revs < 2 || names < 10 { // README.md and docs/lint.md; the three forms, the chart's two, images
		t.Errorf("only %d revisions and %d versions were found", revs, names)
	}
}
