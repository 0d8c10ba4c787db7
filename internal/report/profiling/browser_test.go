package profiling

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/profile"
	"github.com/torchleak/torchleak/internal/report/reporttest"
)

var (
	shots  = flag.String("shots", "", "folder to write pictures of the pages to")
	opened = flag.String("recording", "", "folder of a recording whose page is drawn too")
)

// written is a page of profiles. Code is the same of every line.
func written(t testing.TB, all []profile.Process, lang, code string) string {
	t.Helper()
	var out bytes.Buffer
	o := Options{Rows: 15, Lang: lang, Dir: "/u", Code: func(profile.Place) string { return code }}
	if err := WriteHTML(&out, all, "python train.py", "test", o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func fileOf(t testing.TB, page string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profile.html")
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

var wide = reporttest.Look{Scheme: "light", Width: 1200}

// readout is what the course says of the place its cursor is at.
const readout = `[...document.querySelector(".course .readout").children].map((e) => e.textContent).join("|")`

// All that needs a browser shares one, because starting it takes longer than most checks.
func TestInChromium(t *testing.T) {
	b := reporttest.StartBrowser(t)
	for name, check := range map[string]func(*testing.T, *reporttest.Browser){
		"pages": checkPages, "course": checkCourse, "flame": checkFlame, "hostile": checkHostile,
	} {
		t.Run(name, func(t *testing.T) {
			b.T = t
			check(t, b)
		})
	}
	b.T = t
}

// checkPages: with the network off, in light and dark, wide and narrow, nothing on the console, nothing asked for, nothing
// wider than the window, and every text stands out from its ground.
func checkPages(t *testing.T, b *reporttest.Browser) {
	pages := map[string][]profile.Process{"sample": sample(t)}
	if *opened != "" {
		pages["recording"] = read(t, *opened)
	}
	for name, all := range pages {
		for _, c := range []struct {
			lang string
			reporttest.Look
		}{
			{"en", wide}, {"en", reporttest.Look{Scheme: "dark", Width: 1200}}, {"zh", reporttest.Look{Scheme: "dark", Width: 390}}, {"zh", reporttest.Look{Scheme: "light", Width: 390}},
		} {
			path := fileOf(t, written(t, all, c.lang, "return self[2](self[1](self[0](x)))"))
			b.OpenDrawn(path, c.Look)
			b.Quiet(path)
			var over int
			b.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth", &over)
			if over > 0 {
				t.Errorf("%s at %d: the page is %d pixels too wide", c.lang, c.Width, over)
			}
			for _, text := range b.Faint() {
				t.Errorf("%s %s: %s", c.lang, c.Scheme, text)
			}
			if *shots != "" {
				file := filepath.Join(*shots, fmt.Sprintf("%s.%s.%s.%d.png", name, c.lang, c.Scheme, c.Width))
				if err := os.WriteFile(file, b.Picture(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// checkCourse reads the sample's course change by change; internal/profile derives its levels.
func checkCourse(t *testing.T, b *reporttest.Browser) {
	path := fileOf(t, written(t, sample(t), "en", ""))
	b.OpenDrawn(path, wide)
	b.Eval(`document.querySelector(".course canvas").focus()`, nil)
	b.Key("Home")
	b.Expect("what was there before", readout, "before the profile|in use 5.0 KiB|4.0 KiB  parameter|1.0 KiB  other")
	// So close by, an arrow key goes to the next change; there are nine.
	b.Key("End")
	found := map[string]bool{}
	for range 20 {
		var text string
		b.Eval(readout, &text)
		b.Key("ArrowLeft")
		found[text] = true
		if strings.Contains(text, "in use 5.0 KiB") {
			break
		}
	}
	for _, want := range []string{
		"step 4 · forward|aten::addmm|net.py:3, Net|in use 8.0 KiB|4.0 KiB  parameter|3.0 KiB  temporary|1.0 KiB  other",
		"step 4 · backward|aten::mm in backward of aten::addmm|net.py:3, Net|in use 14 KiB|4.0 KiB  parameter|4.0 KiB  gradient|3.5 KiB  temporary|2.0 KiB  activation",
	} {
		if !found[want] {
			t.Errorf("nowhere it says %q: %v", want, found)
		}
	}
	b.Quiet(path)
}

// checkFlame: the flame view holds the whole peak, operators and owners end its stacks.
func checkFlame(t *testing.T, b *reporttest.Browser) {
	path := fileOf(t, written(t, sample(t), "en", ""))
	b.OpenDrawn(path, wide)
	b.Expect("all", `document.querySelector(".flame .said").textContent`, "all memory at the peak: 14 KiB, 100 % of the peak")
	b.Expect("leaves", `[...document.querySelectorAll(".flame button")].map((e) => e.textContent).filter((s) => s.startsWith("aten::mm") || s.startsWith("Net")).sort().join("|")`,
		"Net.weight|aten::mm in backward of aten::addmm")
	b.Expect("legend", `[...document.querySelectorAll(".legend > span")].map((e) => e.textContent).join("|")`, "parameter|gradient|activation|temporary|other|lowest level")
	b.Quiet(path)
}

// checkHostile: nothing that a training names becomes markup or runs.
func checkHostile(t *testing.T, b *reporttest.Browser) {
	const attack = `</script><script>document.documentElement.dataset.broken=1</script><img src=x onerror="document.documentElement.dataset.broken=1">`
	all := sample(t)
	p := &all[0]
	p.Notes = append(p.Notes, attack)
	p.Memories[0].Name = attack
	p.Memories[0].Blocks[0].Owner = attack
	for i := range p.Calls {
		c := &p.Calls[i]
		c.Operator, c.Of, c.Module, c.Phase, c.Site.File = attack, attack, attack, attack, attack
		for j := range c.Stack {
			c.Stack[j] = profile.Place{File: attack, Function: attack}
		}
	}
	path := fileOf(t, written(t, append(all, all[0]), "en", attack))
	b.OpenDrawn(path, wide)
	b.Eval(`document.querySelector(".course canvas").focus()`, nil)
	b.Key("End")
	b.Eval(`document.querySelectorAll(".flame button").forEach((e) => e.focus())`, nil)
	b.Expect("what became of it", `JSON.stringify([document.documentElement.dataset.broken ?? null, document.querySelectorAll("script").length, document.querySelectorAll("img").length])`, `[null,2,0]`)
	b.Quiet(path)
}

// The page says what the text says, refers to nothing outside itself, and every sentence in it is filled in.
func TestPage(t *testing.T) {
	all := sample(t)
	all = append(all, all[0])
	all[1].Rank, all[1].Memories = 1, []profile.Memory{{Name: "cuda:0", Peak: 100}}
	for lang, wants := range map[string][]string{
		"en": {"Peak of 14 KiB in step 4", "aten::mm in backward of aten::addmm, net.py:3", "rank 1 cuda:0 peak 100 B", "Removable, perhaps", "512 B 3.7 % aten::ones_like in backward train.py:7 return self(x) a temporary, there for 1 operator",
			"net.py:3 in backward, gradient return self(x) 4.0 KiB"},
		"zh": {"峰值 14 KiB，在第 4 步", "或可去除"},
	} {
		text := written(t, all, lang, "return self(x)")
		for _, part := range []string{`(?s)<style>.*?</style>`, `(?s)<script.*?</script>`, `<meta http-equiv[^>]*>`} {
			text = regexp.MustCompile(part).ReplaceAllString(text, "")
		}
		if found := regexp.MustCompile(`(?i)<[^>]*\s(?:src|href|srcset|action|data)=["']?([^"' >]+)`).FindString(text); found != "" {
			t.Errorf("%s refers to something: %s", lang, found)
		}
		if key := regexp.MustCompile(`(snap|page|profile|category)\.[a-z_]+|\{[a-z]+\}`).FindString(text); key != "" {
			t.Errorf("%s says %q", lang, key)
		}
		told := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, " ")), " ")
		for _, want := range wants {
			if !strings.Contains(told, want) {
				t.Errorf("%s does not say %q:\n%s", lang, want, told)
			}
		}
	}
}

// The words handed to the script are those it asks for, no more and no fewer.
func TestWordsOfTheScript(t *testing.T) {
	reporttest.Words(t, script, words, "snap.wider", "snap.closer", "snap.whole")
}
