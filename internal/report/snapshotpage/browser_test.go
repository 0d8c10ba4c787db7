package snapshotpage

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
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
	return reporttest.Page(t, func(w io.Writer) error { return Write(w, s, lang) })
}

// All that needs a browser shares one, because starting it takes longer than most checks.
func TestInChromium(t *testing.T) {
	b := reporttest.StartBrowser(t)
	for name, check := range map[string]func(*testing.T, *reporttest.Browser){
		"pages": checkPages, "course": checkCourse, "segments": checkSegments, "moments": checkMoments, "hostile": checkHostile, "policy": checkPolicy, "old": checkOld,
		"devices": checkDevices, "untraced": checkUntraced,
		"contrast": checkContrast,
	} {
		t.Run(name, func(t *testing.T) {
			b.T = t
			check(t, b)
		})
	}
	b.T = t
}

var wide = reporttest.Look{Scheme: "light", Width: 1200}

// checkPages: every sample opens with the network off, in light and dark, wide and narrow, without a word on the console,
// without asking for anything, and without being wider than the window.
func checkPages(t *testing.T, b *reporttest.Browser) {
	for _, c := range []struct {
		name, lang string
		reporttest.Look
	}{
		{"hook", "en", wide}, {"val", "en", reporttest.Look{Scheme: "dark", Width: 1200}}, {"oom", "zh", reporttest.Look{Scheme: "dark", Width: 390}},
		{"varlen_expandable", "en", reporttest.Look{Scheme: "light", Width: 390}}, {"cpp", "zh", wide},
	} {
		path := pageFile(t, load(t, c.name, "peak"), c.lang)
		b.OpenDrawn(path, c.Look)
		b.Quiet(path)
		var over int
		b.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth", &over)
		if over > 0 {
			t.Errorf("%s at %d: the page is %d pixels too wide", c.name, c.Width, over)
		}
		if *shots != "" {
			file := filepath.Join(*shots, fmt.Sprintf("%s.%s.%s.%d.png", c.name, c.lang, c.Scheme, c.Width))
			if err := os.WriteFile(file, b.Picture(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// readout is what a picture says of the place its cursor is at.
func readout(picture string) string {
	return `[...document.querySelector("` + picture + ` .readout").children].map((e) => e.textContent).join("|")`
}

// colors is how many colours a picture has, where it is not drawn one.
func colors(picture string) string {
	return `(() => {
		const canvas = document.querySelector("` + picture + ` canvas");
		const pixels = new Uint32Array(canvas.getContext("2d").getImageData(80, 0, canvas.width - 90, canvas.height).data.buffer);
		const times = new Map();
		for (const p of pixels) times.set(p, (times.get(p) ?? 0) + 1);
		return [...times.values()].filter((n) => n > 200).length;
	})()`
}

// checkCourse: keys, buttons and pointer move about the curve, and it says what is known otherwise.
func checkCourse(t *testing.T, b *reporttest.Browser) {
	path := pageFile(t, load(t, "hook", "end"), "en")
	b.OpenDrawn(path, wide)
	var many int
	if b.Eval(colors(".course"), &many); many < 7 { // the ground and six lines
		t.Errorf("the curve has %d colours", many)
	}
	b.Eval(`document.querySelector(".course canvas").focus()`, nil)
	level := `document.querySelector(".course .readout").children[1].textContent`
	b.Key("End")
	// The last 29 entries free 13 MiB; then three blocks are left, of the forward pass 33 MiB, of the backward pass 32 MiB.
	b.Expect("end", level, "highest 78 MiB · lowest 65 MiB")
	b.Key("Home")
	b.Expect("beginning", level, "highest 16 MiB · lowest 0 B")
	// Close to entry 30,137, which leads to the peak, every entry is some pixels wide.
	b.Eval(`(() => {
		const canvas = document.querySelector(".course canvas"), box = canvas.getBoundingClientRect();
		const at = { clientX: Math.floor(box.left + 76 + (30137 / 31121) * (box.width - 86)), clientY: box.top + 300, bubbles: true, cancelable: true };
		for (let i = 0; i < 40; i++) canvas.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY: -100 }));
		canvas.dispatchEvent(new PointerEvent("pointermove", at));
	})()`, nil)
	peak := ""
	for range 60 {
		b.Key("ArrowRight")
		if b.Eval(readout(".course"), &peak); strings.HasPrefix(peak, "entry 30,137 ·") {
			break
		}
	}
	if !strings.HasPrefix(peak, "entry 30,137 · step 40 ·") || !strings.Contains(peak, "|in use 589 MiB|229 MiB  train.py:26 train (in its backward)|215 MiB  train.py:12 forward|") {
		t.Errorf("at the peak: %s", peak)
	}
	b.Eval(`(() => {
		const canvas = document.querySelector(".course canvas"), box = canvas.getBoundingClientRect();
		canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2, clientY: box.top + 300, bubbles: true }));
	})()`, nil)
	var under int
	if b.Eval(`document.querySelectorAll(".course .under").length`, &under); under != 1 {
		t.Errorf("%d lines are under the pointer", under)
	}
	b.Key("Escape")
	b.Expect("cursor taken away", `String(document.querySelector(".course .readout").hidden)`, "true")
	b.Eval(`document.querySelectorAll(".zoom button")[1].click()`, nil)
	b.Key("Tab")
	b.Expect("next to the curve", `document.activeElement.title || document.activeElement.textContent`, "Peak")
	b.Quiet(path)
}

// checkSegments: keys go from block to block.
func checkSegments(t *testing.T, b *reporttest.Browser) {
	path := pageFile(t, load(t, "hook", "end"), "en")
	b.OpenDrawn(path, wide)
	b.Eval(`document.querySelector(".ribbon canvas").focus()`, nil)
	found := map[string]bool{}
	for range 60 {
		b.Key("ArrowRight")
		var text string
		b.Eval(`document.querySelector(".piece").innerText`, &text)
		found[text] = true
	}
	has := func(want string) {
		t.Helper()
		for text := range found {
			if strings.Contains(text, want) {
				return
			}
		}
		t.Errorf("no block says %q: %v", want, found)
	}
	has("train.py:26 train (in its backward)\n\n32 MiB · allocated at entry 159 · in a segment of 64 MiB, stream 0\n\ntorch/autograd/__init__.py:231 _make_grads\n")
	has("train.py:12 forward")
	has("Free\n\n")
	b.Key("End")
	b.Key("Home")
	b.Expect("first block", `document.querySelector(".ribbon .readout").textContent`, "126 MiBFree")
	b.Quiet(path)
}

// checkMoments: another moment changes the map, the flame view and the tables.
func checkMoments(t *testing.T, b *reporttest.Browser) {
	path := pageFile(t, load(t, "hook", "end"), "en")
	b.OpenDrawn(path, wide)
	visible := `[...document.querySelectorAll(".moment")].filter((e) => !e.hidden).map((e) => e.querySelector("h3").innerText).join("|")`
	said := `document.querySelector(".flame .said").textContent`
	b.Expect("moment asked for", visible, "End|By line End")
	b.Expect("flame", said, "all memory in use: 65 MiB, 100 % of what is in use")
	b.Eval(`document.querySelector(".moments button").click()`, nil)
	b.Expect("moment chosen", visible, "Peak in front of entry 30,138 of 31,121|By line Peak")
	b.Expect("flame", said, "all memory in use: 589 MiB, 100 % of what is in use")
	var many int
	if b.Eval(colors(".ribbon"), &many); many < 7 { // the ground, what is free, and at least five lines
		t.Errorf("the map has %d colours", many)
	}
	b.Quiet(path)
}

// checkHostile: nothing in a hostile snapshot becomes markup or runs.
func checkHostile(t *testing.T, b *reporttest.Browser) {
	path := pageFile(t, hostile(t, attack), "en")
	b.OpenDrawn(path, wide)
	for _, picture := range []string{".course", ".ribbon"} {
		b.Eval(`document.querySelector("`+picture+` canvas").focus()`, nil)
		b.Key("End")
		b.Key("ArrowLeft")
	}
	b.Eval(`document.querySelectorAll(".flame button").forEach((e) => e.focus())`, nil)
	var found map[string]int
	b.Eval(`({
		ran: document.documentElement.dataset.broken === undefined ? 0 : 1,
		scripts: document.scripts.length,
		images: document.images.length,
		bold: document.querySelectorAll("main b b, code b, .quiet b").length,
		handlers: [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length,
		links: document.querySelectorAll("[href], [src]").length,
		shown: document.querySelector(".piece").textContent.includes("</script>") ? 1 : 0,
	})`, &found)
	for what, want := range map[string]int{"ran": 0, "scripts": 2, "images": 0, "bold": 0, "handlers": 0, "links": 0, "shown": 1} {
		if found[what] != want {
			t.Errorf("%s: %d, want %d", what, found[what], want)
		}
	}
	b.Quiet(path)
}

// checkPolicy: the policy in the page forbids other scripts, so that a mistake in escaping would still not run.
func checkPolicy(t *testing.T, b *reporttest.Browser) {
	path := pageFile(t, load(t, "oom", "end"), "en")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(text), "<main>", `<main><script>document.documentElement.dataset.broken = 1</script><img src="http://127.0.0.1/x.png">`, 1)
	if err := os.WriteFile(path, []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	b.OpenDrawn(path, wide)
	var ran bool
	if b.Eval(`document.documentElement.dataset.broken !== undefined`, &ran); ran {
		t.Error("a foreign script ran")
	}
	if refused := len(b.Complaints(path)); refused < 2 {
		t.Errorf("the browser refused %d things, want the script and the picture", refused)
	}
}

// checkOld: a browser that cannot unpack the pictures says so, and shows the rest.
func checkOld(t *testing.T, b *reporttest.Browser) {
	var script struct {
		Identifier string `json:"identifier"`
	}
	b.Call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": "delete window.DecompressionStream"}, &script)
	path := pageFile(t, load(t, "oom", "end"), "en")
	b.Open(path, wide)
	b.Call("Page.removeScriptToEvaluateOnNewDocument", map[string]any{"identifier": script.Identifier}, nil)
	b.Expect("it says so", `String(!document.getElementById("failed").hidden && document.getElementById("failed").textContent.includes("too old"))`, "true")
	b.Quiet(path)
}

// checkDevices: several devices stand one below the other, each with its own pictures.
func checkDevices(t *testing.T, b *reporttest.Browser) {
	s := load(t, "hook", "peak")
	s.Devices = append(s.Devices, load(t, "val", "peak").Devices...)
	path := pageFile(t, s, "en")
	b.OpenDrawn(path, wide)
	b.Expect("flame views", `[...document.querySelectorAll(".flame .said")].map((e) => e.textContent).join("|")`,
		"all memory in use: 589 MiB, 100 % of what is in use|all memory in use: 885 MiB, 100 % of what is in use")
	b.Eval(`document.querySelectorAll(".moments")[1].lastChild.click()`, nil)
	b.Expect("moments", `[...document.querySelectorAll(".moment h3")].filter((e) => e.checkVisibility()).map((e) => e.textContent).slice(0, 3).join("|")`,
		"Peak in front of entry 30,138 of 31,121|By line Peak|By category")
	b.Quiet(path)
}

// checkUntraced: without a trace the segments are drawn, in the colours of the lines that hold most, which are named.
func checkUntraced(t *testing.T, b *reporttest.Browser) {
	s, err := snapshot.Open(filepath.Join(samples, "val.pickle.gz"))
	if err != nil {
		t.Fatal(err)
	}
	s.Devices[0].To = s.Devices[0].From
	path := pageFile(t, draw(t, "val", s, "end"), "en")
	b.OpenDrawn(path, wide)
	b.Expect("headline", `document.querySelector("h1").textContent`, "65 MiB allocated, 1016 MiB reserved")
	b.Expect("curves", `String(document.querySelectorAll(".course, .moments button").length)`, "0")
	b.Expect("legend", `document.querySelector(".legend").textContent`, "train.py:12 forward(no Python frames)")
	var many int
	if b.Eval(colors(".ribbon"), &many); many < 4 { // the ground, what is free, and two lines
		t.Errorf("the map has %d colours", many)
	}
	b.Quiet(path)
}

// checkContrast: every text stands out from its ground.
func checkContrast(t *testing.T, b *reporttest.Browser) {
	for _, scheme := range []string{"light", "dark"} {
		b.OpenDrawn(pageFile(t, load(t, "oom", "peak"), "en"), reporttest.Look{Scheme: scheme, Width: 1200})
		for _, text := range b.Faint() {
			t.Errorf("%s: %s", scheme, text)
		}
	}
}
