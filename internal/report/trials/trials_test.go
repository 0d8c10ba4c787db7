package trials

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/report/reporttest"
)

// sample is a search that found one statement, with texts from a target that would like to be more than text.
func sample() Result {
	return Result{
		Lang: "en", Version: "0.1.0", Name: "bisect", Argv: "python </title><script>alert(1)</script>.py", Outcome: Good, Headline: "host (used) grows",
		Statements: []Statement{{"train.py:14", "losses.append(\"<b>\\x1b[2J\")\x1b[2J"}},
		Curves:     []Curve{{"with", []int64{0, 100, 200}, "+100 B/step", "▁▄█"}, {"去掉后", []int64{0, -50, 0}, "0 B/step", "▁▁▁"}},
		Facts:      []Fact{{"runs", "2 in 3 s"}},
		Runs:       []Run{{"as it is", "+100 B/step", ""}, {"without 1 statement (train.py:14)", "0 B/step", "the growth is gone"}},
	}
}

func TestText(t *testing.T) {
	want := `
torchleak bisect: host (used) grows
  train.py:14   losses.append("<b>\x1b[2J")\x1b[2J
  with    ▁▄█  +100 B/step
  去掉后  ▁▁▁  0 B/step
  runs    2 in 3 s
`
	var plain, colored strings.Builder
	if err := WriteText(&plain, sample(), false); err != nil || plain.String() != want {
		t.Errorf("%v, wrote\n%s\nwant\n%s", err, plain.String(), want)
	}
	if err := WriteText(&colored, sample(), true); err != nil || !strings.Contains(colored.String(), bold+colors[Good]+"host (used) grows"+reset) {
		t.Errorf("%v, in colours:\n%q", err, colored.String())
	}
}

// Both curves are drawn in one box, with what falls below the start inside.
func TestDraw(t *testing.T) {
	drawn := draw(sample().Curves)
	if got, want := drawn[0].Points, "0.0,208.0 500.0,104.0 1000.0,0.0"; got != want {
		t.Errorf("the first is %s, want %s", got, want)
	}
	if got, want := drawn[1].Points, "0.0,208.0 500.0,260.0 1000.0,208.0"; got != want {
		t.Errorf("the second is %s, want %s", got, want)
	}
}

func TestPageIsInert(t *testing.T) {
	var page bytes.Buffer
	if err := WriteHTML(&page, sample()); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<b>", "\x1b"} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
}

// TestInChromium opens the page with the network off: no word on the console, and no wider than the window.
func TestInChromium(t *testing.T) {
	b := reporttest.StartBrowser(t)
	for _, lang := range []string{"en", "zh"} {
		r := sample()
		r.Lang = lang
		var page bytes.Buffer
		if err := WriteHTML(&page, r); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(path, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, look := range []reporttest.Look{{Scheme: "light", Width: 1200}, {Scheme: "dark", Width: 390}} {
			b.Open(path, look)
			for _, complaint := range b.Complaints(path) {
				t.Errorf("%s %v: %s", lang, look, complaint)
			}
			var wide int
			b.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth", &wide)
			if wide > 0 {
				t.Errorf("%s %v: %d pixels too wide", lang, look, wide)
			}
		}
	}
}
