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
	for _, d := range debuggers {
		for _, python := range pytorch.Find(b) {
			b.Run(d.name+"/"+python.Name(), func(b *testing.B) {
				attachtest.Need(b, d.name)
				rounds(b, python.Path, d)
			})
		}
	}
}

func rounds(b *testing.B, python string, d debugger) {
	training := attachtest.StartClean(b, python)
	pace := training.Pace()
	for range 2 {
		round(b, training.PID, d)
	}
	before := anonymous(b, training.PID)
	stopped := 0.0
	for b.Loop() {
		stopped += round(b, training.PID, d)
	}
	b.ReportMetric(1e3*stopped/float64(b.N), "stopped-ms/op")
	b.ReportMetric(float64(anonymous(b, training.PID)-before)/float64(b.N)/1024, "KiB/op")
	b.ReportMetric(training.Pace()/pace, "step-ratio")
	training.End()
}

// round attaches, lets some steps be made, and lets go; it returns for how many seconds the training stood still.
func round(b *testing.B, pid int, d debugger) float64 {
	b.Helper()
	p := newProbe(b, pid, d)
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
