package oom

import (
	"github.com/torchleak/torchleak/internal/finding"
)

// Simulated is what the run's own allocation history says of other settings of the allocator.
type Simulated struct {
	Tried   int
	Helping []Setting // best first
}

// Setting is a value of PYTORCH_CUDA_ALLOC_CONF that would have helped.
type Setting struct {
	Conf    string
	Rescues bool  // the request would have been met
	Saved   int64 // bytes of the peak
}

// PostMortem joins what the probe left with what the run says of the memory that ran out; memory is nil where no step was
// seen of it, settings where the program kept no allocation history.
func PostMortem(l *Left, memory *finding.Memory, settings *Simulated) *finding.PostMortem {
	m := l.Message()
	j := &judgement{Judgement: judge(m, true), m: m, watched: true}
	p := &finding.PostMortem{
		Memory: l.Memory, Fatal: l.Fatal, Count: l.Count, Step: l.Step, Text: m.Text, During: l.During, At: l.Frames,
		RequestedBytes: m.Requested, LimitBytes: m.Limit(), FreeBytes: m.Free, AllocatedBytes: m.Allocated,
		ReservedBytes: m.Reserved, MissingBytes: m.Missing(), Modules: l.Modules, Lines: l.Lines,
	}
	p.Alive = l.alive(m)
	p.Largest = l.largest()
	j.grew(memory, l.Step)
	if j.Verdict != finding.Leak {
		j.simulated(settings)
		j.remedies(l, p)
	}
	j.Unknown = append(j.Unknown, l.Notes...)
	p.Verdict, p.Why, p.Unknown, p.Next = j.Verdict, j.Why, j.Unknown, j.Next
	return p
}

// grew puts the verdict of the run before that of the moment, where it says what filled the memory.
func (j *judgement) grew(memory *finding.Memory, step int64) {
	switch {
	case memory == nil || memory.Verdict == finding.Undecided:
		j.unknown("Whether memory grew up to here: %d steps are too few to tell.", step)
	case memory.Verdict == finding.Leak || memory.Verdict == finding.Outside || memory.Verdict == finding.Cycle:
		j.Verdict = memory.Verdict
		if memory.BytesPerStep != nil && memory.LastBytes != nil && memory.FirstBytes != nil {
			j.why("memory grew up to here by %s per step, by %s in all", Size(max(0, *memory.BytesPerStep)), Size(max(0, *memory.LastBytes-*memory.FirstBytes)))
		} else {
			j.why("memory grew up to here")
		}
		j.Next = nil
		j.next("End the growth first: the findings name the statement. What fits then is seen in the next run.")
	default:
		j.why("nothing grew up to here: each of the %d steps needed about as much", step)
	}
}

// simulated names the best setting, or says that none would have helped.
func (j *judgement) simulated(settings *Simulated) {
	switch {
	case settings == nil:
	case len(settings.Helping) == 0:
		j.why("none of %d other settings of the allocator would have helped, by simulation on this run's own history", settings.Tried)
	case settings.Helping[0].Rescues:
		j.next("PYTORCH_CUDA_ALLOC_CONF=%s: by simulation on this run's own history, it would not have run out of memory.", settings.Helping[0].Conf)
	default:
		j.next("PYTORCH_CUDA_ALLOC_CONF=%s: by simulation on this run's own history, the peak would have been smaller by %s.", settings.Helping[0].Conf, Size(settings.Helping[0].Saved))
	}
}

// alive is what lived by category, with what graphs and C++ hold beside it.
func (l *Left) alive(m Message) []finding.Alive {
	var out []finding.Alive
	seen := int64(0)
	for _, c := range l.Categories {
		count := c.Count
		out = append(out, finding.Alive{Category: c.Category, Bytes: c.Bytes, Count: &count})
		seen += c.Bytes
	}
	if s := l.Saved; s != nil && s.Hidden > 0 {
		out = append(out, finding.Alive{Category: "graph", Bytes: s.Hidden})
		seen += s.Hidden
	}
	if m.Allocated != nil && len(out) > 0 && *m.Allocated > seen {
		out = append(out, finding.Alive{Category: "unseen", Bytes: *m.Allocated - seen})
	}
	return out
}

func (l *Left) largest() []finding.LiveTensors {
	var out []finding.LiveTensors
	for _, t := range l.Tensors {
		live := finding.LiveTensors{Category: t.Category, Shape: append([]int64{}, t.Shape...), Dtype: t.Dtype, Bytes: t.Bytes, Count: t.Count}
		if len(t.Names) > 0 {
			at := t.Names[0].Frame
			live.Name, live.At = t.Names[0].Name, &at
		}
		out = append(out, live)
	}
	return out
}

// remedies says which changes would make it fit, as far as figures tell.
func (j *judgement) remedies(l *Left, p *finding.PostMortem) {
	activations := int64(0)
	states := map[string]int64{}
	for _, a := range p.Alive {
		switch a.Category {
		case "activation", "graph":
			activations += a.Bytes
		default:
			states[a.Category] = a.Bytes
		}
	}
	if l.Step == 0 && states["parameter"] > 0 && states["optimizer state"] == 0 {
		j.unknown("How much the optimizer's state will take: it is made in the first step, and Adam's is twice the parameters (%s).", Size(2*states["parameter"]))
	}
	if activations > 0 && p.MissingBytes != nil && *p.MissingBytes > 0 && *p.MissingBytes < activations {
		j.next("Estimate: activations take %s and grow with the batch, so a batch smaller by %s would have let this request pass; the rest of the step may need more.",
			Size(activations), percent(*p.MissingBytes, activations))
	}
	for _, m := range l.Modules {
		helps := p.RequestedBytes == nil || m.Bytes >= *p.RequestedBytes/worthIt
		if m.Count > 1 && m.Bytes >= activations/worthIt && m.Bytes > 0 && helps {
			j.next("Checkpointing the %d modules %s (%s) would free up to %s of saved activations: torch.utils.checkpoint.checkpoint(module, x, use_reentrant=False).",
				m.Count, m.Module, m.Type, Size(m.Bytes))
			break
		}
	}
}
