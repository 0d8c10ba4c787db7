package analysis

import (
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
)

// limit is one that several memories count towards, and perhaps other processes.
type limit struct {
	by     finding.Bound
	room   int64 // bytes up to it
	step   int64 // … in this step
	shared bool  // with the other processes of the run
	counts func(finding.Memory) bool
}

// forecast says of each memory that leaks when the nearest of its limits is reached, if all that leaks goes on as it does. Its own
// limit has been noted; the others are those that it shares.
func (p *Process) forecast(memories []finding.Memory) {
	pace := p.pace.median()
	for _, l := range p.limits() {
		grows := 0.0 // a step
		for _, m := range memories {
			if l.counts(m) {
				grows += float64(*m.BytesPerStep)
			}
		}
		if l.shared && pace != nil {
			p.growth = grows / max(*pace, 1e-9)
			grows += p.beside * *pace
		}
		for i := range memories {
			if m := &memories[i]; l.counts(*m) {
				m.Fills(float64(l.room)/grows-float64(p.lastStep-l.step), l.by)
			}
		}
	}
	if pace != nil {
		for i := range memories {
			memories[i].Takes(*pace)
		}
	}
}

// limits are those of the control group or the machine, with what others use of it, and of each process alone.
func (p *Process) limits() (all []limit) {
	if p.pages == nil {
		return nil
	}
	newest := int64(0)
	for _, pages := range p.pages.Processes {
		newest = max(newest, pages.Step)
		for _, l := range pages.Limits {
			by := finding.Bound(l.By)
			all = append(all, limit{by, l.Limit - l.Used, pages.Step, false, func(m finding.Memory) bool { return leaksOnHost(m) && within(m, pages.Name, by) }})
		}
	}
	if g := p.pages.Group; g != nil {
		all = append(all, limit{finding.Bound(g.By), g.Limit - g.Working, newest, true, leaksOnHost})
	}
	return all
}

// leaksOnHost reports growth that takes the host's memory without end. Pinned memory is the driver's, which no control group counts.
func leaksOnHost(m finding.Memory) bool {
	return m.Kind != "device" && m.Kind != "pinned" && m.Verdict == finding.Leak && m.BytesPerStep != nil && *m.BytesPerStep > 0
}

// within reports that a memory counts towards a limit on one process. What is shared is no data.
func within(m finding.Memory, process string, by finding.Bound) bool {
	if m.Kind == "worker" {
		return m.Name == process
	}
	return process == recording.Trainer && (m.Kind != "shm" || by == finding.AddressSpace)
}
