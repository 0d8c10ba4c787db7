package html

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/reporttest"
)

var shots = flag.String("shots", "", "folder to write pictures of the sample pages to")

// pageFile writes the page of a report and returns its path.
func pageFile(t *testing.T, r finding.Report, lang string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteIn(f, r, lang); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every sample page opens with the network off, in light and dark, wide and narrow, without a word on
// the console, without asking for anything, and without being wider than the window.
func TestPagesInChromium(t *testing.T) {
	b := startBrowser(t)
	for _, name := range reporttest.Names(t) {
		for _, lang := range []string{"en", "zh"} {
			path := pageFile(t, reporttest.Load(t, name), lang)
			for _, l := range []look{{"light", 1200}, {"dark", 1200}, {"light", 390}, {"dark", 390}} {
				if lang == "zh" && l != (look{"light", 390}) {
					continue
				}
				b.open(path, l)
				for _, complaint := range b.complaints(path) {
					t.Errorf("%s %s: %s", name, l.scheme, complaint)
				}
				var wide int
				b.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth", &wide)
				if wide > 0 {
					t.Errorf("%s at %d: the page is %d pixels too wide", name, l.width, wide)
				}
				if *shots != "" {
					file := filepath.Join(*shots, fmt.Sprintf("%s.%s.%s.%d.png", name, lang, l.scheme, l.width))
					if err := os.WriteFile(file, b.picture(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}
