package leaks

import (
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
		r := &results[i]
		miss := r.Miss()
		switch {
		case miss == "":
		case !all || r.Err != nil:
			t.Errorf("%s %s, torch %s: %s", r.Case.Name, r.Program, r.Report.Target.Torch, miss)
		default:
			t.Logf("%s %s, torch %s: %s", r.Case.Name, r.Program, r.Report.Target.Torch, miss)
		}
	}
	for _, f := range Figures(results) {
		if all && !f.OK() {
			t.Errorf("%s: %s", f.What, f)
		}
	}
}
