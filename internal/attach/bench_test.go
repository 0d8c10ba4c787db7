package attach

import (
	"path/filepath"
	"testing"

	"github.com/torchleak/torchleak/internal/attach/attachtest"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/pytorch"
)

// BenchmarkRounds attaches to one training and lets it go, as often as -benchtime says: 100x. Behind two rounds that load the
// probe it says how long the training stood still a round, what its memory gained, and what its steps take of the processor's
// time behind the last round, of what they took before the first. That it trains as without is checked too.
func BenchmarkRounds(b *testing.B) {
	attachtest.NeedGDB(b)
	for _, python := range pytorch.Find(b) {
		b.Run(python.Name(), func(b *testing.B) {
			training := attachtest.StartClean(b, python.Path)
			pace := training.Pace()
			for range 2 {
				round(b, training.PID)
			}
			before := anonymous(b, training.PID)
			stopped := 0.0
			for b.Loop() {
				stopped += round(b, training.PID)
			}
			b.ReportMetric(1e3*stopped/float64(b.N), "stopped-ms/op")
			b.ReportMetric(float64(anonymous(b, training.PID)-before)/float64(b.N)/1024, "KiB/op")
			b.ReportMetric(training.Pace()/pace, "step-ratio")
			training.End()
		})
	}
}

// round attaches, lets some steps be made, and lets go; it returns for how many seconds the training stood still.
func round(b *testing.B, pid int) float64 {
	b.Helper()
	p := newProbe(b, pid)
	defer p.Close()
	if err := p.Begin(); err != nil {
		b.Fatal(err)
	}
	attachtest.Wait(b, func() bool { found, _ := filepath.Glob(p.Run + "/*.flight"); return len(found) == 1 })
	if err := p.End(); err != nil {
		b.Fatal(err)
	}
	return p.Stopped.Seconds()
}

func anonymous(b *testing.B, pid int) int64 {
	b.Helper()
	m, err := process.Read(pid)
	if err != nil {
		b.Fatal(err)
	}
	return m.Anon
}
