package phrase

import (
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/smoke"
)

func TestCheck(t *testing.T) {
	const mib = 1 << 20
	p := func(v int64) *int64 { return &v }
	leak := finding.Memory{Name: "cuda:0", Verdict: finding.Leak, BytesPerStep: p(2 * mib), SinceStep: p(3)}
	flat := finding.Memory{Name: "host", Verdict: finding.Healthy}
	w := smoke.WindowsOf(200)
	for _, c := range []struct {
		check smoke.Check
		ranks int
		want  string
	}{
		{smoke.Check{Kind: smoke.Growth, Memory: leak, Outcome: smoke.Failed, Windows: w, Grew: p(200 * mib), Later: p(2 * mib)}, 1,
			"cuda:0 grew by 200 MiB from step 50 to step 150 (2.0 MiB per step) and by 2.0 MiB per step after step 100: leak"},
		{smoke.Check{Kind: smoke.Growth, Rank: 1, Memory: flat, Outcome: smoke.Passed, Windows: w, Grew: p(1 * mib), Later: p(-3)}, 2,
			"rank 1 host grew by 1.0 MiB from step 50 to step 150 (10 KiB per step) and no more after step 100: healthy"},
		{smoke.Check{Kind: smoke.Growth, Memory: flat, Outcome: smoke.Passed, Windows: w, Grew: p(-2048), Later: p(5)}, 1,
			"host fell by 2.0 KiB from step 50 to step 150: healthy"},
		{smoke.Check{Kind: smoke.Growth, Memory: flat, Outcome: smoke.Passed, Windows: w, Grew: p(0), Later: p(0)}, 1,
			"host held as much at step 150 as at step 50: healthy"},
		{smoke.Check{Kind: smoke.Growth, Memory: flat, Outcome: smoke.Unjudged, Windows: w}, 1, "host was not seen up to step 150: healthy"},
		{smoke.Check{Kind: smoke.Growth, Memory: leak, Outcome: smoke.Failed, Windows: w}, 1, "cuda:0 grows by 2.0 MiB per step since step 3"},
		{smoke.Check{Kind: smoke.Growth, Memory: flat, Outcome: smoke.Skipped, Windows: w}, 1, "host cannot be read on this machine"},
		{smoke.Check{Kind: smoke.BaselinePeak, Memory: flat, Outcome: smoke.Failed, Was: 100 * mib, Is: 120 * mib, Limit: 105 * mib}, 1,
			"host peaked at 120 MiB, 100 MiB in the baseline: up to 105 MiB is tolerated"},
		{smoke.Check{Kind: smoke.BaselineGrowth, Memory: flat, Outcome: smoke.Passed, Was: -20, Is: 11, Limit: 4096}, 1,
			"host grew by 11 B per step, -20 B in the baseline"},
		{smoke.Check{Kind: smoke.BaselinePeak, Memory: leak, Outcome: smoke.Unjudged}, 1, "cuda:0 is in the baseline, and this run has none"},
	} {
		if got := In("en").Check(c.check, c.ranks); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
