package leaks

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/torchleak/torchleak/internal/finding"
)

func loadAll(t *testing.T) []*Case {
	t.Helper()
	cases, err := Load(".", "")
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestCases holds every folder to the form that the scorer and the measurement rest on.
func TestCases(t *testing.T) {
	leaking, others := 0, 0
	for _, c := range loadAll(t) {
		best := false
		for _, m := range c.Marks {
			best = best || m.Best
		}
		if c.About == "" || c.Period < 1 || c.Steps < 80 || c.Family == "" || len(c.Cases) == 0 {
			t.Errorf("%s: about, family, cases, period or steps is missing or out of range", c.Name)
		}
		if !c.Leaks() {
			others++
			if len(c.Marks) > 0 || len(c.Rules) > 0 || c.Onset != nil {
				t.Errorf("%s: does not leak and yet names what to find", c.Name)
			}
			continue
		}
		leaking++
		if !best || len(c.Rules) == 0 {
			t.Errorf("%s: leaks, and no statement or rule is named", c.Name)
		}
		if !c.Fixed() {
			t.Errorf("%s: leaks and has no fixed.py", c.Name)
		}
	}
	if leaking < 45 || others < 35 {
		t.Errorf("%d leaking trainings and %d look-alikes; at least 45 and 35 are promised", leaking, others)
	}
}

// TestReports keeps the list of public reports to those that cases are modelled after.
func TestReports(t *testing.T) {
	text, err := os.ReadFile("reports.tsv")
	if err != nil {
		t.Fatal(err)
	}
	unused := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != 3 || cells[1] == "" || !strings.HasPrefix(cells[2], "https://") {
			t.Errorf("%q is no number, title and address", line)
		}
		unused[cells[0]] = true
	}
	known := maps.Clone(unused)
	for _, c := range loadAll(t) {
		for _, number := range c.Cases {
			if !known[number] {
				t.Errorf("%s: reports.tsv has no %s", c.Name, number)
			}
			delete(unused, number)
		}
	}
	for number := range unused {
		t.Errorf("no case is modelled after %s", number)
	}
}

// TestMeasured finds in docs/leaks.md every program that leaks/measure measures, and no other.
func TestMeasured(t *testing.T) {
	page, err := os.ReadFile("../docs/leaks.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, c := range loadAll(t) {
		if c.Ranks > 1 {
			continue
		}
		want = append(want, c.Name+" train.py")
		if c.Fixed() {
			want = append(want, c.Name+" fixed.py")
		}
	}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, " | "); len(cells) > 3 && strings.HasSuffix(cells[1], ".py") {
			got = append(got, strings.TrimPrefix(cells[0], "| ")+" "+cells[1])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("python3 leaks/measure/measure.py --python PYTHON --write docs/leaks.md (-want +got):\n%s", diff)
	}
}

func TestUnmark(t *testing.T) {
	const source = "a = 1\nkept.append(loss)  # leak\nrun(model)  # leak?\nb = 2  # leak detector\n"
	text, marks := unmark(source, "train.py")
	if want := "a = 1\nkept.append(loss)\nrun(model)\nb = 2  # leak detector\n"; text != want {
		t.Errorf("text is %q, want %q", text, want)
	}
	want := []Mark{{File: "train.py", Line: 2, Best: true}, {File: "train.py", Line: 3}}
	if diff := cmp.Diff(want, marks); diff != "" {
		t.Error(diff)
	}
}

func TestLayTakesOneProgram(t *testing.T) {
	from := filepath.Join(t.TempDir(), "[x] y")
	if err := os.Mkdir(from, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"train.py": "import meters\nx.append(y)  # leak\n", "fixed.py": "import meters\n", "meters.py": "z = 1  # leak?\n",
		"fixed_meters.py": "z = 2\n",
	} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := &Case{Dir: from}
	for program, want := range map[string]map[string]string{
		"train.py": {"train.py": "import meters\nx.append(y)\n", "meters.py": "z = 1\n"},
		"fixed.py": {"train.py": "import meters\n", "meters.py": "z = 1\n", "fixed_meters.py": "z = 2\n"},
	} {
		to := t.TempDir()
		if err := c.Lay(to, program); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		paths, err := filepath.Glob(filepath.Join(to, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got[filepath.Base(path)] = string(text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", program, diff)
		}
	}
}

func TestLoadRefusesUnknownFields(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "case.json")
	if err := os.WriteFile(path, []byte(`{"family":"x","verdict":"leak","colour":"red"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(filepath.Dir(dir), ""); err == nil {
		t.Error("an unknown field was taken")
	}
}

func TestLeaks(t *testing.T) {
	for verdict, want := range map[finding.Verdict]bool{
		finding.Leak: true, finding.Cycle: true, finding.Bounded: false, finding.Healthy: false,
	} {
		if got := (&Case{Verdict: verdict}).Leaks(); got != want {
			t.Errorf("%s: %v", verdict, got)
		}
	}
}
