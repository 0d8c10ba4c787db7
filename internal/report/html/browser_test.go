package html

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/page"
	"github.com/torchleak/torchleak/internal/report/reporttest"
	"github.com/torchleak/torchleak/internal/units"
)

var shots = flag.String("shots", "", "folder to write pictures of the sample pages to")

// pageFile writes the page of a report and returns its path.
func pageFile(t *testing.T, r finding.Report, lang string) string {
	t.Helper()
	return reporttest.Page(t, func(w io.Writer) error { return Write(w, r, lang) })
}

// All that needs a browser shares one, because starting it takes longer than most checks.
func TestInChromium(t *testing.T) {
	b := reporttest.StartBrowser(t)
	for name, check := range map[string]func(*testing.T, *reporttest.Browser){
		"pages": checkPages, "use": checkUse, "hostile": checkHostile, "policy": checkPolicy, "figures": checkFigures, "paper": checkPaper, "contrast": checkContrast,
	} {
		t.Run(name, func(t *testing.T) {
			b.T = t
			check(t, b)
		})
	}
	b.T = t
}

// checkPages: every sample page opens with the network off, in light and dark, wide and narrow, without a word on
// the console, without asking for anything, and without being wider than the window.
func checkPages(t *testing.T, b *reporttest.Browser) {
	for _, name := range reporttest.Names(t) {
		for _, lang := range []string{"en", "zh"} {
			path := pageFile(t, reporttest.Load(t, name), lang)
			looks := []reporttest.Look{{Scheme: "light", Width: 1200}, {Scheme: "dark", Width: 390}}
			if lang == "zh" {
				looks = []reporttest.Look{{Scheme: "light", Width: 390}}
			} else if *shots != "" {
				looks = append(looks, reporttest.Look{Scheme: "dark", Width: 1200}, reporttest.Look{Scheme: "light", Width: 390})
			}
			for _, l := range looks {
				b.Open(path, l)
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

// checkUse: what a reader does with the page, by keyboard and by pointer.
func checkUse(t *testing.T, b *reporttest.Browser) {
	r := reporttest.Load(t, "leak_cuda")
	path := pageFile(t, r, "en")
	b.Open(path, reporttest.Look{Scheme: "light", Width: 1200})
	is := func(what, code, want string) {
		t.Helper()
		var got string
		b.Eval(code, &got)
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	const readout = `[...document.querySelector(".readout").children].map((e) => e.textContent).join("|")`

	b.Eval(`document.querySelector("#chart svg").focus()`, nil)
	b.Key("End")
	// 319,951,360 bytes allocated and 341,835,776 reserved at step 120: 305.1 and 326 MiB.
	is("last step", readout, "step 120|allocated 305 MiB|reserved 326 MiB|evaluation")
	b.Key("Home")
	b.Key("ArrowRight")
	// 72,486,912 and 90,177,536 bytes at step 2.
	is("second step", readout, "step 2|allocated 69 MiB|reserved 86 MiB")
	b.Key("Escape")
	is("cursor taken away", `String(document.querySelector(".readout").hidden)`, "true")

	lines := `String(document.querySelectorAll("#chart .line").length)`
	is("lines", lines, "2")
	b.Eval(`document.querySelectorAll("#legend button")[1].click()`, nil)
	is("lines without reserved", lines, "1")
	b.Eval(`document.querySelectorAll("#picker button")[1].click()`, nil)
	is("memory chosen", `document.querySelector("#chart svg").getAttribute("aria-label")`, "Curve of host. Arrow keys move along the steps.")

	said := `document.querySelector("#flame .said").textContent`
	is("whole growth", said, "all growth: 2.0 MiB per step, 100 % of the growth")
	b.Eval(`[...document.querySelectorAll("#flame button")].find((e) => e.textContent.includes("model.py:24")).focus()`, nil)
	b.Key("Enter")
	// 393,216 of 2,097,152 bytes are 18.75 %.
	is("one site", said, "Block.forward  model.py:24: 384 KiB per step, 19 % of the growth")
	b.Key("Escape")
	is("its caller", said, "Net.forward  model.py:41: 1.9 MiB per step, 94 % of the growth")

	b.Call("Browser.grantPermissions", map[string]any{"permissions": []string{"clipboardReadWrite", "clipboardSanitizedWrite"}}, nil)
	b.Call("Page.bringToFront", nil, nil)
	b.Eval(`document.querySelector(".copy").click()`, nil)
	is("copied", `new Promise((done) => setTimeout(() => done(document.querySelector(".copy").textContent), 300))`, "Copied")
	is("patch", `navigator.clipboard.readText()`, r.Findings[0].Fix.Diff)
	for _, complaint := range b.Complaints(path) {
		t.Error(complaint)
	}
}

// checkHostile: nothing in a hostile report becomes markup or runs.
func checkHostile(t *testing.T, b *reporttest.Browser) {
	b.Open(pageFile(t, reporttest.Load(t, "hostile"), "en"), reporttest.Look{Scheme: "light", Width: 1200})
	var found map[string]int
	b.Eval(`({
		ran: document.documentElement.dataset.broken === undefined ? 0 : 1,
		scripts: document.scripts.length,
		images: document.images.length,
		bold: document.querySelectorAll("footer b, .who i").length,
		handlers: [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length,
		links: [...document.querySelectorAll("[href], [src]")].filter((e) => !(e.getAttribute("href") ?? e.src).startsWith("#")).length,
		lines: document.querySelectorAll("#chart .line").length,
	})`, &found)
	for what, want := range map[string]int{"ran": 0, "scripts": 2, "images": 0, "bold": 0, "handlers": 0, "links": 0, "lines": 3} {
		if found[what] != want {
			t.Errorf("%s: %d, want %d", what, found[what], want)
		}
	}
}

// checkPolicy: the policy in the page forbids other scripts, so that a mistake in escaping would still not run.
func checkPolicy(t *testing.T, b *reporttest.Browser) {
	path := pageFile(t, reporttest.Load(t, "healthy"), "en")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(text), "<main>", `<main><script>document.documentElement.dataset.broken = 1</script><img src="http://127.0.0.1/x.png">`, 1)
	if err := os.WriteFile(path, []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	b.Open(path, reporttest.Look{Scheme: "light", Width: 1200})
	var ran bool
	b.Eval(`document.documentElement.dataset.broken !== undefined`, &ran)
	if ran {
		t.Error("a foreign script ran")
	}
	if refused := len(b.Complaints(path)); refused < 2 {
		t.Errorf("the browser refused %d things, want the script and the picture", refused)
	}
}

// checkFigures: the page's script prints sizes and counts exactly as the rest of torchleak does.
func checkFigures(t *testing.T, b *reporttest.Browser) {
	b.Open(pageFile(t, reporttest.Load(t, "healthy"), "en"), reporttest.Look{Scheme: "light", Width: 1200})
	for _, n := range []int64{0, 1, 512, 1023, 1024, 10_188, 10_189, 1<<20 - 1, 2 << 20, 431_996_928, -3 << 30, 1 << 52} {
		var got []string
		b.Eval(fmt.Sprintf("(() => {%s; return [bytes(%d), count(%d)]; })()", page.Format, n, n), &got)
		if want := []string{units.Bytes(n), units.Count(n)}; !slices.Equal(got, want) {
			t.Errorf("%d is %q in the page, %q elsewhere", n, got, want)
		}
	}
}

// checkPaper: on paper the page is light and whole.
func checkPaper(t *testing.T, b *reporttest.Browser) {
	path := pageFile(t, reporttest.Load(t, "many"), "en")
	b.Open(path, reporttest.Look{Scheme: "dark", Width: 800})
	b.Call("Emulation.setEmulatedMedia", map[string]any{"media": "print", "features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	var background string
	b.Eval("getComputedStyle(document.body).backgroundColor", &background)
	if background != "rgb(255, 255, 255)" {
		t.Errorf("the paper is %s", background)
	}
	if *shots != "" {
		if err := os.WriteFile(filepath.Join(*shots, "many.print.png"), b.Picture(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var pdf struct {
		Data string `json:"data"`
	}
	b.Call("Page.printToPDF", nil, &pdf)
	if len(pdf.Data) < 10_000 {
		t.Errorf("the printed page has %d characters", len(pdf.Data))
	}
	for _, complaint := range b.Complaints(path) {
		t.Error(complaint)
	}
}

// checkContrast: every text stands out from its ground by 4.5 to 1, as WCAG 2.2 AA asks for small text.
func checkContrast(t *testing.T, b *reporttest.Browser) {
	for _, scheme := range []string{"light", "dark"} {
		b.Open(pageFile(t, reporttest.Load(t, "many"), "en"), reporttest.Look{Scheme: scheme, Width: 1200})
		for _, text := range b.Faint() {
			t.Errorf("%s: %s", scheme, text)
		}
	}
}
