package deploy_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/dev/engine"
	"github.com/torchleak/torchleak/internal/metrics"
)

// place is where a panel lies on Grafana's grid, 24 wide.
type place struct{ X, Y, W, H int }

type dashboard struct {
	UID    string
	Panels []struct {
		ID      int
		Type    string
		Title   string
		GridPos place
		Targets []struct{ Expr string }
	}
	Templating struct {
		List []struct {
			Name, Type, Definition string
		}
	}
}

func readDashboard(t *testing.T) (d dashboard) {
	t.Helper()
	text, err := os.ReadFile("grafana/torchleak.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// queries are the expressions of the panels and those behind the variables.
func (d dashboard) queries() (all []string) {
	values := regexp.MustCompile(`^label_values\((.*), \w+\)$`)
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			all = append(all, target.Expr)
		}
	}
	for _, v := range d.Templating.List {
		if m := values.FindStringSubmatch(v.Definition); m != nil {
			all = append(all, m[1])
		}
	}
	return all
}

// TestDashboardParses has Prometheus' own parser read every expression, with Grafana's variables filled in.
func TestDashboardParses(t *testing.T) {
	promtool := engine.Need(t, "promtool", "prometheus")
	var rules strings.Builder
	rules.WriteString("groups:\n- name: dashboard\n  rules:\n")
	for i, q := range readDashboard(t).queries() {
		q = strings.NewReplacer("$__rate_interval", "1m", "$recording", ".*", "$rank", ".*", "$memory", ".*").Replace(q)
		if strings.Contains(q, "$") {
			t.Errorf("a variable that is not known: %s", q)
		}
		fmt.Fprintf(&rules, "  - {record: query_%d, expr: %q}\n", i, q)
	}
	path := filepath.Join(t.TempDir(), "dashboard.yml")
	if err := os.WriteFile(path, []byte(rules.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(promtool, "check", "rules", path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestDashboardNamesMetrics finds in each query only series that the agent serves or the rules record, and labels that these have.
func TestDashboardNamesMetrics(t *testing.T) {
	labels := map[string][]string{"recording_verdict:torchleak_ranks:count": {"recording", "verdict"}} // of the rules that the dashboard uses
	for _, d := range metrics.Catalogue() {
		labels[d.Name] = d.Labels
	}
	selector := regexp.MustCompile(`([a-z_:]*torchleak_[a-z_:]+)(\{[^}]*\})?`)
	matcher := regexp.MustCompile(`(\w+)(?:=|!=|=~|!~)"`)
	queries := readDashboard(t).queries()
	if len(queries) < 20 {
		t.Errorf("only %d queries", len(queries))
	}
	for _, q := range queries {
		found := selector.FindAllStringSubmatch(q, -1)
		if len(found) == 0 {
			t.Errorf("asks for nothing of ours: %s", q)
		}
		for _, f := range found {
			has, served := labels[f[1]]
			if !served {
				t.Errorf("%s is served by nobody: %s", f[1], q)
			}
			for _, m := range matcher.FindAllStringSubmatch(f[2], -1) {
				if !strings.Contains(" "+strings.Join(has, " ")+" ", " "+m[1]+" ") {
					t.Errorf("%s has no label %s: %s", f[1], m[1], q)
				}
			}
		}
	}
}

// TestDashboardLayout keeps panels apart, and each with a number of its own.
func TestDashboardLayout(t *testing.T) {
	d := readDashboard(t)
	ids := map[int]bool{}
	for i, p := range d.Panels {
		if ids[p.ID] || p.Title == "" || p.GridPos.X+p.GridPos.W > 24 || p.GridPos.H == 0 {
			t.Errorf("panel %d %q: %+v", p.ID, p.Title, p.GridPos)
		}
		ids[p.ID] = true
		for _, q := range d.Panels[:i] {
			if p.GridPos.overlaps(q.GridPos) {
				t.Errorf("%q lies over %q", p.Title, q.Title)
			}
		}
	}
}

func (a place) overlaps(b place) bool {
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}
