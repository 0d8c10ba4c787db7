package text

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/report/reporttest"
	"github.com/torchleak/torchleak/internal/rule/rules"
)

func written(t *testing.T, r finding.Report, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGolden(t *testing.T) {
	for _, name := range reporttest.Names(t) {
		for suffix, o := range map[string]Options{
			"":       {Width: 100, ReportPath: ".torchleak/2026-11-29T17-02-11/report.html"},
			".zh":    {Width: 100, Lang: "zh", ReportPath: ".torchleak/2026-11-29T17-02-11/report.html"},
			".color": {Width: 100, Color: true},
			".60":    {Width: 60},
		} {
			r := reporttest.Load(t, name)
			out := written(t, r, o) + Live(r.Memories, o) + "\n"
			reporttest.Golden(t, name+suffix+".txt", []byte(out))
		}
	}
}

// Without colour there is no control byte but the line end, and nothing that hides or reorders text,
// whatever the target wrote; with colour only our own codes are added.
func TestPlain(t *testing.T) {
	for _, name := range reporttest.Names(t) {
		for _, lang := range []string{"en", "zh"} {
			for _, color := range []bool{false, true} {
				o := Options{Width: 80, Lang: lang, Color: color, ReportPath: "a\x1b[2Jb"}
				r := reporttest.Load(t, name)
				out := written(t, r, o) + Live(r.Memories, o)
				if color {
					out = strip(out)
				}
				for i, c := range out {
					if unicode.IsControl(c) && c != '\n' || unicode.Is(unicode.Cf, c) {
						t.Fatalf("%s: %q stands in %q", name, c, out[max(0, i-20):min(len(out), i+20)])
					}
				}
				if strings.Contains(out, "{size}") || strings.Contains(out, "verdict.") || strings.Contains(out, "text.") {
					t.Errorf("%s: a sentence was not filled in:\n%s", name, out)
				}
			}
		}
	}
}

// No line is wider than the terminal. A command stays whole, so that it can be copied.
func TestWidth(t *testing.T) {
	for _, name := range reporttest.Names(t) {
		for _, width := range []int{40, 60, 80, 120, 200} {
			for _, lang := range []string{"en", "zh"} {
				r := reporttest.Load(t, name)
				o := Options{Width: width, Lang: lang, ReportPath: ".torchleak/2026-11-29T17-02-11/report.html"}
				for line := range strings.Lines(written(t, r, o) + Live(r.Memories, o)) {
					if strings.Contains(line, "  git apply ") {
						continue
					}
					if n := plain.Columns(strings.TrimRight(line, "\n")); n > width {
						t.Errorf("%s in %s has a line of %d columns, of %d: %s", name, lang, n, width, line)
					}
				}
			}
		}
	}
}

// The samples speak of rules as the catalogue has them, or what is said of a rule would be tested with another one.
func TestSamplesNameRules(t *testing.T) {
	for _, name := range reporttest.Names(t) {
		for _, f := range reporttest.Load(t, name).Findings {
			if r, ok := rules.Find(f.Rule); !ok || r.Name != f.Name && name != "hostile" {
				t.Errorf("%s: %s is %s, not %s", name, f.Rule, r.Name, f.Name)
			}
		}
	}
}

// A Chinese report has no English sentence, whatever it says of a sample that holds what the other packages can say; code,
// names and patches stay.
func TestChineseThroughout(t *testing.T) {
	for _, name := range reporttest.Names(t) {
		if name == "hostile" { // whose sentences are nobody's
			continue
		}
		r := reporttest.Load(t, name)
		out := written(t, r, Options{Width: 1000, Lang: "zh", ReportPath: "report.html"})
		out += Live(r.Memories, Options{Width: 200, Lang: "zh"})
		if found := reporttest.English(out); found != "" {
			t.Errorf("%s: %q stands in\n%s", name, found, out)
		}
	}
}
