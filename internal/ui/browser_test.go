package ui

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/reporttest"
)

var shots = flag.String("shots", "", "folder to write pictures of the live page to")

// shortened is a report as it was at an earlier step.
func shortened(r finding.Report, step int) finding.Report {
	r.Steps.Seen = int64(step)
	r.Findings = []finding.Finding{}
	memories := append([]finding.Memory{}, r.Memories...)
	for i, m := range memories {
		series := map[string][]int64{}
		for name, values := range m.Series {
			series[name] = values[:step]
		}
		memories[i].Steps, memories[i].Series = m.Steps[:step], series
	}
	r.Memories = memories
	return r
}

// The page follows a training in a real browser: curves and findings come, what the reader has chosen stays, the end is said,
// and nothing is asked for but the page and its events.
func TestInChromium(t *testing.T) {
	b := reporttest.StartBrowser(t)
	whole := reporttest.Load(t, "leak_cuda")
	of := &training{page: Page{shortened(whole, 40), Running}}
	s := served(t, of)
	b.Visit(s.URL(), reporttest.Look{Scheme: "light", Width: 1200})
	until := func(what, code, want string) {
		t.Helper()
		got := ""
		for deadline := time.Now().Add(time.Minute); got != want; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: %q, want %q", what, got, want)
			}
			b.Eval(code, &got)
		}
	}
	const status = `document.getElementById("live").textContent`
	until("status", status, "live")
	until("findings", `String(document.querySelectorAll(".finding").length)`, "0")

	// The reader takes a series away, looks at one step, and opens the page's other memory and back.
	b.Eval(`document.querySelectorAll("#legend button")[1].click()`, nil)
	until("lines", `String(document.querySelectorAll("#chart .line").length)`, "1")
	b.Eval(`document.querySelector("#chart svg").focus()`, nil)
	b.Key("Home")
	const readout = `document.querySelector(".readout b").textContent`
	until("readout", readout, "step 1")

	of.set(Page{whole, Running})
	until("findings", `String(document.querySelectorAll(".finding").length > 0)`, "true")
	until("lines after the renewal", `String(document.querySelectorAll("#chart .line").length)`, "1")
	until("readout after the renewal", readout, "step 1")
	until("flame view", `String(document.querySelectorAll("#flame button").length > 0)`, "true")
	b.Eval(`document.querySelector("#chart svg").focus()`, nil)
	b.Key("End")
	until("last step", readout, "step 120")

	of.set(Page{whole, Ended})
	until("status", status, "ended")
	for _, complaint := range b.ComplaintsBut(s.URL(), s.URL()+"events") {
		t.Error(complaint)
	}
	for _, scheme := range []string{"light", "dark"} {
		b.Visit(s.URL(), reporttest.Look{Scheme: scheme, Width: 1200})
		until("status", status, "ended")
		for _, text := range b.Faint() {
			t.Errorf("%s: %s", scheme, text)
		}
		if *shots != "" {
			if err := os.WriteFile(filepath.Join(*shots, "live."+scheme+".png"), b.Picture(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A page whose server has ended says so.
func TestLostInChromium(t *testing.T) {
	b := reporttest.StartBrowser(t)
	lost := ""
	t.Run("served", func(t *testing.T) {
		s := served(t, &training{page: Page{reporttest.Load(t, "healthy"), Running}})
		b.T = t
		b.Visit(s.URL(), reporttest.Look{Scheme: "light", Width: 390})
	})
	b.T = t
	for deadline := time.Now().Add(time.Minute); lost != "no connection: torchleak ui has ended"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the page says %q", lost)
		}
		b.Eval(`document.getElementById("live").textContent`, &lost)
	}
}
