package snapshotpage

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/torchleak/torchleak/internal/pickle"
	"github.com/torchleak/torchleak/internal/report/reporttest"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/snapshot"
)

func written(t testing.TB, s Snapshot, lang string) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, s, lang); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// body is the page without script, style and data, which have tests of their own.
func body(page string) string {
	for _, part := range []string{`(?s)<style>.*?</style>`, `(?s)<script.*?</script>`, `<meta http-equiv[^>]*>`} {
		page = regexp.MustCompile(part).ReplaceAllString(page, "")
	}
	return page
}

// told is the text of a page, without markup.
func told(page string) string {
	return html.UnescapeString(strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(body(page), " ")), " "))
}

// The tables say what torchleak snapshot show says.
func TestContents(t *testing.T) {
	for name, want := range map[string][]string{
		"hook": {"At most 589 MiB allocated, 728 MiB reserved", "Peak allocated 589 MiB entry 30,138", "Steps 40 told by Optimizer.step#AdamW.step",
			"Peak in front of entry 30,138 of 31,121", "215 MiB 84 train.py:12 forward activation", "+72 MiB +2.0 MiB/step train.py:12 forward rose in 36 of 36 steps, fell in 0",
			"train.py:26 train (in its backward) gradient"},
		"oom":  {"Out of memory 125 MiB", "In use before the trace"},
		"none": {"No line holds more at the end"},
	} {
		text := told(written(t, load(t, name, "end"), "en"))
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s does not say %q:\n%s", name, w, text)
			}
		}
	}
	if text := told(written(t, load(t, "hook", "step:3"), "zh")); !strings.Contains(text, "第 3 步 第 2,") || !strings.Contains(text, "train.py:26 train（在其反向中） 梯度") {
		t.Errorf("in Chinese it says %s", text)
	}
}

// The page refers to nothing outside itself, and every sentence in it is filled in.
func TestSelfContained(t *testing.T) {
	for _, name := range []string{"oom", "hook"} {
		for _, lang := range []string{"en", "zh"} {
			page := written(t, load(t, name, "end"), lang)
			for _, found := range regexp.MustCompile(`(?i)<[^>]*\s(?:src|href|srcset|action|data)=["']?([^"' >]+)`).FindAllStringSubmatch(body(page), -1) {
				t.Errorf("%s refers to %s", name, found[1])
			}
			if strings.Count(page, "<script") != 2 || strings.Count(page, "</script") != 2 {
				t.Errorf("%s has %d scripts", name, strings.Count(page, "<script"))
			}
			if key := regexp.MustCompile(`(snap|page|text|category)\.[a-z_]+|\{[a-z]+\}`).FindString(body(page)); key != "" {
				t.Errorf("%s in %s says %q", name, lang, key)
			}
		}
	}
	if regexp.MustCompile(`@import|url\(\s*["']?[^#"')]`).MatchString(style) {
		t.Error("the style loads something")
	}
}

// The words handed to the script are those it asks for, no more and no fewer.
func TestWordsOfTheScript(t *testing.T) {
	reporttest.Words(t, script, words, "snap.wider", "snap.closer", "snap.whole")
}

// unpacked returns the data of a page, and the numbers packed for its first device.
func unpacked(t testing.TB, page string) (data, *bytes.Reader) {
	t.Helper()
	block := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindStringSubmatch(page)
	if block == nil {
		t.Fatal("no data")
	}
	if strings.Contains(block[1], "<") || strings.Contains(block[1], "null") {
		t.Error("the data has a null or a <")
	}
	var d data
	if err := json.Unmarshal([]byte(block[1]), &d); err != nil {
		t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(d.Devices[0].Pack)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return d, bytes.NewReader(numbers)
}

// TestPack reads back what was packed: it adds up to what is reserved and in use, and nothing is left over.
func TestPack(t *testing.T) {
	for _, name := range []string{"hook", "oom", "varlen_expandable"} {
		s := load(t, name, "peak")
		d, numbers := unpacked(t, written(t, s, "en"))
		next := func() int64 {
			n, err := binary.ReadUvarint(numbers)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return int64(n)
		}
		for n := 3 * next(); n > 0; n-- { // entries, bands, bytes
			next()
		}
		for i, m := range s.Devices[0].Moments {
			var reserved, used int64
			for segments := next(); segments > 0; segments-- {
				next() // address
				reserved += next()
				next() // lane
				next() // kind
				for pieces := next(); pieces > 0; pieces-- {
					next() // gap
					used += next()
					next() // asked for
					if stack := next(); stack >= int64(len(d.Stacks)) {
						t.Fatalf("%s: stack %d of %d", name, stack, len(d.Stacks))
					}
					next() // band
					next() // born
				}
			}
			if reserved != m.Reserved || used != m.Active {
				t.Errorf("%s at %s: %d of %d, want %d of %d", name, d.Devices[0].Moments[i].Name, used, reserved, m.Active, m.Reserved)
			}
		}
		if numbers.Len() > 0 {
			t.Errorf("%s: %d bytes are left", name, numbers.Len())
		}
	}
}

// hostile is a snapshot whose every text is s.
func hostile(t testing.TB, s string) Snapshot {
	t.Helper()
	var out bytes.Buffer
	e := pickle.NewEncoder(&out, 4)
	key := func(name string, n uint64) { e.Text(name); e.Int(n) }
	frames := func() {
		e.Text("frames")
		e.List()
		e.Dict()
		e.Text("filename")
		e.Text(s + ".py")
		e.Text("name")
		e.Text(s)
		key("line", 1)
		e.EndDict()
		e.EndList()
	}
	e.Dict()
	e.Text("segments")
	e.List()
	e.Dict()
	key("address", 1<<20)
	key("total_size", 4<<20)
	key("stream", 7)
	e.Text("segment_pool_id")
	e.Pair([2]uint64{0, 3})
	e.Text("blocks")
	e.List()
	for i, state := range []string{"active_allocated", s, "active_pending_free"} {
		e.Dict()
		key("address", uint64(i+1)<<20)
		key("size", 1<<20)
		e.Text("state")
		e.Text(state)
		frames()
		e.EndDict()
	}
	e.EndList()
	e.EndDict()
	e.EndList()
	e.Text("device_traces")
	e.List()
	e.List()
	for i, action := range []string{"alloc", s, "oom", "free_requested"} {
		e.Dict()
		e.Text("action")
		e.Text(action)
		key("addr", uint64(1+i/3)<<20)
		key("device_free", 5)
		key("size", 1<<20)
		key("time_us", 1000+uint64(i))
		frames()
		e.EndDict()
	}
	e.EndList()
	e.EndList()
	e.Text("external_annotations")
	e.List()
	for i := range 3 {
		e.Dict()
		e.Text("stage")
		e.Text("END")
		e.Text("name")
		e.Text("Optimizer.step#" + s)
		key("device", 0)
		key("time_us", 1000+uint64(i))
		e.EndDict()
	}
	e.EndList()
	e.EndDict()
	if err := e.End(); err != nil {
		t.Fatal(err)
	}
	read, err := snapshot.Read(&out)
	if err != nil {
		t.Skip(err) // a text that is a key or a state
	}
	return draw(t, s, read, "end")
}

// Whatever a snapshot says, the page keeps its two scripts, its data stays JSON, and nothing invisible gets in.
func FuzzHostile(f *testing.F) {
	f.Add(attack)
	f.Add("\x1b[2J\u202e<!-- ]]> \" ' ` {{.}} \xff")
	f.Fuzz(func(t *testing.T, s string) {
		page := written(t, hostile(t, s), "en")
		if strings.Count(strings.ToLower(page), "<script") != 2 || strings.Count(strings.ToLower(page), "</script") != 2 {
			t.Fatalf("%q broke out", s)
		}
		unpacked(t, page)
		for _, c := range body(page) {
			if unicode.Is(unicode.Cf, c) || unicode.IsControl(c) && c != '\n' && c != '\t' {
				t.Fatalf("%q puts %U on the page", s, c)
			}
		}
	})
}

// attack tries to run in each place that a text may get to.
const attack = `</script><script>document.documentElement.dataset.broken=1</script><img src=x onerror="document.documentElement.dataset.broken=1">"'` + "`<b>"

// A private pool and a stream of its own are named.
func TestPool(t *testing.T) {
	if text := told(written(t, hostile(t, "train"), "en")); !strings.Contains(text, "Reserved by private pools and streams stream 7, private pool (0, 3) 4.0 MiB") {
		t.Errorf("it says %s", text)
	}
}

// Blocks that lie over each other, or beyond their segment, are cut to what there is.
func TestCut(t *testing.T) {
	block := func(addr, size uint64) residence.Block { return residence.Block{Addr: addr, Size: size} }
	seg := residence.Segment{Addr: 100, Size: 50}
	pieces, rest := cut(seg, []residence.Block{block(10, 500), block(100, 20), block(110, 20), block(115, 5), block(140, 1<<63), block(150, 7)})
	var got [][2]uint64
	for _, x := range pieces {
		got = append(got, [2]uint64{x.from, x.to})
	}
	if len(got) != 3 || got[0] != [2]uint64{100, 120} || got[1] != [2]uint64{120, 130} || got[2] != [2]uint64{140, 150} || len(rest) != 1 {
		t.Errorf("pieces %v, %d left", got, len(rest))
	}
}

func TestWriteError(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if err := Write(w, load(t, "none", "end"), "en"); err == nil {
		t.Error("no error from a closed writer")
	}
}
