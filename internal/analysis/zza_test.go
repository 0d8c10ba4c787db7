package analysis

import (
	"os"
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/recording"
)

func TestZZ(t *testing.T) {
	procs, _ := recording.Dir{Path: os.Getenv("ZZ")}.Processes()
	for _, proc := range procs {
		p := New(proc.Hello, Options{})
		var pending []*evidence.Evidence
		for _, path := range proc.Evidence() {
			e, err := evidence.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			pending = append(pending, e)
		}
		last := map[string]string{}
		proc.Replay(func(rec flight.Record) {
			for len(pending) > 0 && rec.Sample.Step > completed(pending[0]) {
				p.Evidence(pending[0])
				t.Logf("%d confirm %+v", rec.Sample.Step, pending[0].Request)
				p.Answered(true)
				pending = pending[1:]
			}
			p.Observe(rec.Sample)
			d := p.detectors[rec.Sample.Memory]
			if os.Getenv("ZS") != "" {
				t.Logf("%d %s %s", rec.Sample.Step, rec.Sample.Memory, d.Debug())
			}
			m := d.Memory()
			v := string(m.Verdict)
			if v != last[rec.Sample.Memory] {
				last[rec.Sample.Memory] = v
				t.Logf("%d %s: %s %s", rec.Sample.Step, rec.Sample.Memory, v, m.Why)
			}
			if rec.Sample.Memory == p.order[len(p.order)-1] {
				if s, ok := d.Suspicion(); ok {
					t.Logf("%d wants %+v", rec.Sample.Step, s)
				}
			}
		})
	}
}
