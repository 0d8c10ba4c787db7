package leaks

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
)

// quick are the cases that every `go test` runs: one of each kind of holder and of each kind of look-alike.
// TORCHLEAK_LEAKS=all runs all and holds them to the figures.
var quick = []string{
	"loss-history", "loss-meter", "output-predictions", "carried-batchnorm", "hooks-features", "cache-method",
	"ok-deque-losses", "ok-retain-twice", "ok-epoch-outputs", "ok-lateadam", "ok-replay-ring", "ok-buckets",
}

// latest are the cases that run with the newest Python too: a list, a hook, and workers, which are started in another way there.
var latest = []string{"loss-history", "hooks-features", "worker-dedup"}

func TestLatest(t *testing.T) {
	python := pytorch.Latest(t)
	binary, err := Build(t.TempDir(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	cases := slices.DeleteFunc(loadAll(t), func(c *Case) bool { return !slices.Contains(latest, c.Name) })
	runner := Runner{Torchleak: binary, Pythons: []string{python.Path}, Jobs: 2}
	results := runner.Run(t.Context(), cases)
	if len(results) < 2*len(latest) {
		t.Errorf("%d programs of %q have run", len(results), latest)
	}
	for i := range results {
		if r := &results[i]; r.Miss() != "" {
			t.Error(r.told())
		}
	}
}

// told is what is said of a result that got something wrong.
func (r *Result) told() string {
	return fmt.Sprintf("%s %s, torch %s: %s", r.Case.Name, r.Program, r.Report.Target.Torch, r.Miss())
}

func TestScore(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for minutes")
	}
	pythons := pytorch.Find(t)
	binary, err := Build(t.TempDir(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	cases, all := loadAll(t), os.Getenv("TORCHLEAK_LEAKS") == "all"
	if !all {
		cases = slices.DeleteFunc(cases, func(c *Case) bool { return !slices.Contains(quick, c.Name) })
		if len(cases) != len(quick) {
			t.Fatalf("%d of %d quick cases exist", len(cases), len(quick))
		}
	}
	runner := Runner{Torchleak: binary, Jobs: 2}
	for _, p := range pythons {
		runner.Pythons = append(runner.Pythons, p.Path)
	}
	results := runner.Run(t.Context(), cases)
	for i := range results {
		switch r := &results[i]; {
		case r.Miss() == "":
		case !all || r.Err != nil:
			t.Error(r.told())
		default:
			t.Log(r.told())
		}
	}
	for _, f := range Figures(results) {
		if all && !f.OK() {
			t.Errorf("%s: %s", f.What, f)
		}
	}
}
