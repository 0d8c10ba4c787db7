package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/reporttest"
)

func written(t *testing.T, r finding.Report, lang string) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, r, lang); err != nil {
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

func TestGolden(t *testing.T) {
	for _, name := range reporttest.Names(t) {
		reporttest.Golden(t, name+".html", []byte(body(written(t, reporttest.Load(t, name), "en"))))
	}
	reporttest.Golden(t, "leak_cuda.zh.html", []byte(body(written(t, reporttest.Load(t, "leak_cuda"), "zh"))))
}

// The page refers to nothing outside itself, and every sentence in it is filled in.
func TestSelfContained(t *testing.T) {
	for _, name := range reporttest.Names(t) {
		for _, lang := range []string{"en", "zh"} {
			page := written(t, reporttest.Load(t, name), lang)
			for _, found := range regexp.MustCompile(`(?i)<[^>]*\s(?:src|href|srcset|action|data)=["']?([^"' >]+)`).FindAllStringSubmatch(body(page), -1) {
				if !strings.HasPrefix(found[1], "#") {
					t.Errorf("%s refers to %s", name, found[1])
				}
			}
			if regexp.MustCompile(`@import|url\(\s*["']?[^#"')]`).MatchString(style) {
				t.Error("the style loads something")
			}
			if strings.Count(page, "<script") != 2 || strings.Count(page, "</script") != 2 {
				t.Errorf("%s has %d scripts", name, strings.Count(page, "<script"))
			}
			if key := regexp.MustCompile(`>\s*(page|text|verdict|live|label)\.[a-z_]+`).FindString(body(page)); key != "" {
				t.Errorf("%s says %q", name, key)
			}
		}
	}
}

// The data block is valid JSON without a null, even of a report with nothing in it, and has no <.
func TestData(t *testing.T) {
	block := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)
	reports := []finding.Report{{}, {Memories: []finding.Memory{{Name: "host"}}, Sites: []finding.Site{{}}, Ranks: []finding.Report{{}, {}}}}
	for _, name := range reporttest.Names(t) {
		reports = append(reports, reporttest.Load(t, name))
	}
	for i, r := range reports {
		found := block.FindStringSubmatch(written(t, r, "en"))
		if found == nil {
			t.Fatalf("report %d: no data", i)
		}
		var value any
		if err := json.Unmarshal([]byte(found[1]), &value); err != nil {
			t.Errorf("report %d: %v", i, err)
		}
		if strings.Contains(found[1], "<") || hasNull(value) {
			t.Errorf("report %d: the data has a null or a <", i)
		}
	}
}

func hasNull(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case []any:
		for _, x := range v {
			if hasNull(x) {
				return true
			}
		}
	case map[string]any:
		for _, x := range v {
			if hasNull(x) {
				return true
			}
		}
	}
	return false
}

// A long run on many ranks makes a page that is still quick to open.
func TestLongRun(t *testing.T) {
	r := reporttest.Load(t, "ranks")
	long := func(m finding.Memory) finding.Memory {
		m.Steps, m.Series = nil, map[string][]int64{}
		for step := range int64(16_384) {
			m.Steps = append(m.Steps, step+1)
			m.Series["allocated"] = append(m.Series["allocated"], step*1_048_576)
			m.Series["reserved"] = append(m.Series["reserved"], step*1_048_576+step%7*2_097_152)
		}
		return m
	}
	for i := range r.Ranks {
		for j := range r.Ranks[i].Memories {
			r.Ranks[i].Memories[j] = long(r.Ranks[i].Memories[j])
		}
	}
	// 8 ranks × 2 memories × 2 series and 8 to compare, 2,000 points of at most 20 characters: 1.6 MB.
	if size := len(written(t, r, "en")); size > 2_000_000 {
		t.Errorf("the page has %d bytes", size)
	}
}

// The parts of the step add up to the growth of the memory, what was not seen included.
func TestPhasesAddUp(t *testing.T) {
	v := view{phrase.In("en")}
	for _, c := range []struct {
		total int64
		want  []string
	}{
		{3 << 20, []string{"backward +2.0 MiB/step", "optimizer -512 KiB/step", "in no part that was watched +1.5 MiB/step"}},
		{3 << 19, []string{"backward +2.0 MiB/step", "optimizer -512 KiB/step"}},
		{1 << 20, []string{"backward +2.0 MiB/step", "optimizer -512 KiB/step", "in no part that was watched -512 KiB/step"}},
	} {
		var got []string
		for _, row := range v.phases(finding.Memory{BytesPerStep: &c.total, Phases: []finding.PhaseGrowth{{Phase: "backward", BytesPerStep: 2 << 20}, {Phase: "optimizer", BytesPerStep: -1 << 19}}}) {
			got = append(got, row.Name+" "+row.Value)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("of %d: %q, want %q", c.total, got, c.want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	patch := "--- a/pkg/a.py\n+++ b/pkg/a.py\n@@ -10,3 +10,3 @@\n x = 1\n-keep(x)\n+keep(x.item())\n y = 2\n"
	for _, c := range []struct {
		name string
		f    finding.Finding
		want string
	}{
		{"recorded source wins", finding.Finding{Location: &finding.Location{File: "pkg/a.py", Line: 11, EndLine: 11, Code: "keep(x)",
			Excerpt: &finding.Excerpt{Line: 11, Lines: []string{"keep(x)"}}}, Fix: &finding.Fix{Diff: patch}}, "*11 keep(x)"},
		{"the patch shows the source", finding.Finding{Location: &finding.Location{File: "pkg/a.py", Line: 11, EndLine: 11, Code: "keep(x)"},
			Fix: &finding.Fix{Diff: patch}}, "10 x = 1|*11 keep(x)|12 y = 2"},
		{"a patch elsewhere does not", finding.Finding{Location: &finding.Location{File: "b.py", Line: 3, EndLine: 3, Code: "z"}, Fix: &finding.Fix{Diff: patch}}, "*3 z"},
		{"a patch of other lines does not", finding.Finding{Location: &finding.Location{File: "pkg/a.py", Line: 40, EndLine: 40, Code: "z"}, Fix: &finding.Fix{Diff: patch}}, "*40 z"},
		{"several lines", finding.Finding{Location: &finding.Location{File: "a", Line: 1, EndLine: 2, Excerpt: &finding.Excerpt{Line: 1, Lines: []string{"f(", ")", "g"}}}}, "*1 f(|*2 )|3 g"},
		{"source unknown", finding.Finding{Location: &finding.Location{File: "a", Line: 1, EndLine: 1}}, ""},
	} {
		var got []string
		for _, l := range excerpt(c.f) {
			mark := ""
			if l.Mark {
				mark = "*"
			}
			got = append(got, fmt.Sprintf("%s%d %s", mark, l.No, l.Text))
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// The words handed to the script are those it asks for, no more and no fewer.
func TestWordsOfTheScript(t *testing.T) {
	reporttest.Words(t, script, words, "mark.evaluation", "mark.epoch", "mark.evidence")
	reporttest.Words(t, liveScript, slices.Concat(words, liveWords), "mark.evaluation", "mark.epoch", "mark.evidence", "page.live", "page.liveended", "page.livegone", "page.livelost")
}

// Whatever the target wrote, the page keeps its two scripts, its data stays JSON, and nothing invisible
// gets in.
func FuzzHostile(f *testing.F) {
	f.Add("</script><script>alert(1)</script>")
	f.Add("\x1b[2J\u202e<!-- ]]> \" ' ` {{.}} \xff")
	f.Fuzz(func(t *testing.T, s string) {
		n := int64(1)
		r := finding.Report{Target: finding.Target{Argv: []string{s, s}, Python: s, Torch: s}, Tool: finding.Tool{Version: s}, Verdict: finding.Verdict(s),
			Steps:    finding.Steps{Seen: 3, Clock: s, Marks: []finding.Mark{{Kind: s, Step: 2}}},
			Memories: []finding.Memory{{Name: s, Kind: s, Verdict: finding.Leak, Why: s, BytesPerStep: &n, Phase: s, Phases: []finding.PhaseGrowth{{Phase: s, BytesPerStep: 1}}, Steps: []int64{1, 2}, Series: map[string][]int64{s: {1, 2}}}},
			Findings: []finding.Finding{{Rule: s, Name: s, Verdict: finding.Verdict(s), Memory: s, Confidence: finding.Confidence(s), Phase: s, Why: s,
				Location:    &finding.Location{File: s, Line: 1, EndLine: 1, Code: s, Excerpt: &finding.Excerpt{Line: 1, Lines: []string{s}}},
				AllocatedAt: []finding.Frame{{File: s, Line: 1, Function: s}}, Calls: []finding.Frame{{File: s}, {File: s}},
				Holder: &finding.Holder{Path: s, Type: s, Through: s}, Fix: &finding.Fix{Summary: s, Diff: "+" + s}}},
			Sites: []finding.Site{{Memory: s, BytesPerStep: 1, Frames: []finding.Frame{{File: s, Function: s}}}},
			Notes: []string{s},
		}
		r.Ranks = []finding.Report{r, r}
		page := written(t, r, "en")
		if strings.Count(strings.ToLower(page), "<script") != 2 || strings.Count(strings.ToLower(page), "</script") != 2 {
			t.Fatalf("%q broke out", s)
		}
		data := page[strings.Index(page, `id="data">`)+len(`id="data">`):]
		var value any
		if err := json.Unmarshal([]byte(data[:strings.Index(data, "</script>")]), &value); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		patches := regexp.MustCompile(`(?s) data-patch="[^"]*"`) // copied as it is, never shown
		for _, c := range patches.ReplaceAllString(body(page), "") {
			if unicode.Is(unicode.Cf, c) || unicode.IsControl(c) && c != '\n' && c != '\t' {
				t.Fatalf("%q puts %U on the page", s, c)
			}
		}
	})
}

func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "",
		"plain":             "plain",
		"`a.b` holds `c`.":  "<a.b> holds <c>.",
		"an odd ` stays":    "an odd ` stays",
		"a``b":              "ab",
		"`\x1b[2J` cleaned": `<\x1b[2J> cleaned`,
	} {
		var got strings.Builder
		for _, p := range newProse(text) {
			if p.Code {
				fmt.Fprintf(&got, "<%s>", p.Text)
			} else {
				got.WriteString(p.Text)
			}
		}
		if got.String() != want {
			t.Errorf("%q reads %q, want %q", text, got.String(), want)
		}
	}
}

func TestWriteError(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if err := Write(w, reporttest.Load(t, "healthy"), "en"); err == nil {
		t.Error("no error from a closed writer")
	}
}
