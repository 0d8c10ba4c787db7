package snapshotpage

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/torchleak/torchleak/internal/report/reporttest"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/snapshot"
)

var shots = flag.String("shots", "", "folder to write pictures of the pages to")

const samples = "../../snapshot/testdata"

// load reads a sample and draws it at a moment.
func load(t testing.TB, name, at string) Snapshot {
	t.Helper()
	path := filepath.Join(samples, name+".pickle.gz")
	s, err := snapshot.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return draw(t, path, s, at)
}

func draw(t testing.TB, path string, s *snapshot.Snapshot, at string) Snapshot {
	t.Helper()
	pictures, err := residence.Draw(s, at)
	if err != nil {
		t.Fatal(err)
	}
	return Snapshot{File: path, Version: "test", Devices: pictures, Notes: s.Notes}
}

// pageFile writes a page and returns its path.
func pageFile(t testing.TB, s Snapshot, lang string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "snapshot.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(f, s, lang); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// show opens a page and waits until its pictures are drawn.
func show(b *reporttest.Browser, path string, l reporttest.Look) {
	b.T.Helper()
	b.Open(path, l)
	b.Eval(`new Promise((done) => { const look = () => document.documentElement.dataset.drawn === undefined ? setTimeout(look, 5) : requestAnimationFrame(() => requestAnimationFrame(() => done())); look(); })`, nil)
}

// All that needs a browser shares one, because starting it takes longer than most checks.
func TestInChromium(t *testing.T) {
	b := reporttest.StartBrowser(t)
	for name, check := range map[string]func(*testing.T, *reporttest.Browser){"pages": checkPages} {
		t.Run(name, func(t *testing.T) {
			b.T = t
			check(t, b)
		})
	}
	b.T = t
}

// checkPages: every sample opens with the network off, in light and dark, wide and narrow, without a word on the console,
// without asking for anything, and without being wider than the window.
func checkPages(t *testing.T, b *reporttest.Browser) {
	for _, name := range []string{"hook", "oom", "varlen_expandable", "cpp", "val"} {
		for _, lang := range []string{"en", "zh"} {
			path := pageFile(t, load(t, name, "peak"), lang)
			looks := []reporttest.Look{{Scheme: "light", Width: 1200}, {Scheme: "dark", Width: 390}}
			if *shots != "" {
				looks = append(looks, reporttest.Look{Scheme: "dark", Width: 1200}, reporttest.Look{Scheme: "light", Width: 390})
			}
			for _, l := range looks {
				show(b, path, l)
				for _, complaint := range b.Complaints(path) {
					t.Errorf("%s %s: %s", name, l.Scheme, complaint)
				}
				var wide int
				b.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth", &wide)
				if wide > 0 {
					t.Errorf("%s at %d: the page is %d pixels too wide", name, l.Width, wide)
				}
				if *shots != "" {
					file := filepath.Join(*shots, fmt.Sprintf("%s.%s.%s.%d.png", name, lang, l.Scheme, l.Width))
					if err := os.WriteFile(file, b.Picture(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}
