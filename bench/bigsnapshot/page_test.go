package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/report/reporttest"
	"github.com/torchleak/torchleak/internal/report/snapshotpage"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/snapshot"
)

// The page's script is asked for milliseconds: until all is drawn; from each turn of the wheel, and from each move of the
// pointer, to the end of the frame that shows it, on either picture.
const (
	drawn = `(async () => {
		globalThis.painted = () => new Promise((done) => requestAnimationFrame(() => {
			const { port1, port2 } = new MessageChannel();
			port1.onmessage = () => done(performance.now());
			port2.postMessage(0); // behind the frame
		}));
		globalThis.act = async (times, event) => {
			const out = [];
			for (const canvas of document.querySelectorAll(".picture canvas[tabindex]")) {
				canvas.scrollIntoView({ block: "center" });
				canvas.focus();
				const box = canvas.getBoundingClientRect();
				for (let i = 0; i < times; i++) {
					const at = { clientX: box.left + box.width * (0.1 + 0.8 * ((i * 0.618) % 1)), clientY: box.top + box.height * (0.1 + 0.8 * ((i * 0.414) % 1)), bubbles: true, cancelable: true };
					const begin = performance.now();
					canvas.dispatchEvent(event(i, at));
					out.push((await painted()) - begin);
				}
			}
			return out;
		};
		while (document.documentElement.dataset.drawn === undefined) await new Promise((done) => setTimeout(done, 1));
		await painted();
		return [await painted()];
	})()`
	zoom  = `act(50, (i, at) => new WheelEvent("wheel", { ...at, deltaY: i % 30 < 20 ? -100 : 100 }))`
	hover = `act(200, (i, at) => new PointerEvent("pointermove", at))`
)

// BenchmarkPage opens the page of a snapshot of 116 MB in Chromium and uses it. TORCHLEAK_SNAPSHOT names another file.
func BenchmarkPage(b *testing.B) {
	path := os.Getenv("TORCHLEAK_SNAPSHOT")
	if path == "" {
		path = filepath.Join(b.TempDir(), "big.pickle")
		if err := run("../../internal/snapshot/testdata/none.pickle.gz", "116MB", path); err != nil {
			b.Fatal(err)
		}
	}
	page := filepath.Join(b.TempDir(), "page.html")
	size := writePage(b, path, page)
	browser := reporttest.StartBrowser(b)
	browser.Call("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
	least := map[string]float64{}
	report := func(name string, value float64) {
		if before, ok := least[name]; !ok || value < before {
			least[name] = value
		}
	}
	for b.Loop() {
		browser.Open(page, reporttest.Look{Scheme: "light", Width: 1200})
		var load []float64
		browser.Eval(drawn, &load)
		report("load-ms", load[0])
		report("load-cpu-ms", 1000*threadTime(browser)) // the first page has a new process
		for name, code := range map[string]string{"zoom": zoom, "hover": hover} {
			before := threadTime(browser)
			var times []float64
			browser.Eval(code, &times)
			slices.Sort(times)
			report(name+"-ms", times[len(times)/2])
			report(name+"-worst-ms", times[len(times)-1])
			report(name+"-cpu-ms", 1000*(threadTime(browser)-before)/float64(len(times)))
		}
		for _, complaint := range browser.Complaints(page) {
			b.Error(complaint)
		}
	}
	b.ReportMetric(float64(size)/1e6, "MB")
	for name, value := range least {
		b.ReportMetric(value, name)
	}
}

// threadTime returns how many seconds of processor time the page's main thread has used.
func threadTime(browser *reporttest.Browser) float64 {
	var all struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	browser.Call("Performance.getMetrics", nil, &all)
	for _, m := range all.Metrics {
		if m.Name == "ThreadTime" {
			return m.Value
		}
	}
	browser.T.Fatal("the browser tells no ThreadTime")
	return 0
}

func writePage(b *testing.B, path, to string) int64 {
	s, err := snapshot.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	pictures, err := residence.Draw(s, "last")
	if err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := snapshotpage.Write(f, snapshotpage.Snapshot{File: path, Devices: pictures, Notes: s.Notes}, "en"); err != nil {
		b.Fatal(err)
	}
	st, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return st.Size()
}
