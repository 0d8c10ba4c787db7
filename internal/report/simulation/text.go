package simulation

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/simulate"
	"github.com/torchleak/torchleak/internal/units"
)

// printer writes for people in one language.
type printer struct {
	out strings.Builder
	say *phrase.Catalogue
}

func (p *printer) line(key phrase.Key, pairs ...string) {
	p.out.WriteString(p.say.Say(key, pairs...) + "\n")
}

// WriteText writes for people, in lang: "en" or "zh".
func WriteText(w io.Writer, d Device, lang string) error {
	p := &printer{say: phrase.In(lang)}
	p.replay(d)
	p.table(d.Configs)
	p.advice(d)
	for _, n := range d.Notes {
		p.line("sim.note", "note", plain.Text(p.say.Text(n)))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// replay says how far the model foretold the recorded run.
func (p *printer) replay(d Device) {
	r := d.Replay
	start := phrase.Key("sim.whole")
	if !r.Complete {
		start = "sim.cut"
	}
	p.line("sim.replay", "device", strconv.Itoa(d.Index), "entries", p.say.Plural(r.Events, "hold.entry", "hold.entries"), "start", p.say.Say(start), "share", share(r.Exact, r.Events),
		"addresses", p.score(r.Addresses), "calls", p.score(r.SegmentEvents))
	if f := r.FirstDivergence; f != nil {
		p.line("sim.divergence", "entry", units.Count(int64(f.Event)), "action", f.Action, "size", size(f.Size), "foretold", f.Predicted, "recorded", f.Recorded,
			"cause", p.say.Words(f.Cause))
	}
	p.line("sim.recorded", "conf", p.name(d.Recorded), "reserved", size(r.PeakReserved), "allocated", size(r.PeakAllocated))
	p.out.WriteString("\n")
}

func (p *printer) table(configs []simulate.Config) {
	rows := [][]string{{"PYTORCH_CUDA_ALLOC_CONF", p.say.Say("sim.peak"), p.say.Say("sim.change"), p.say.Say("sim.retries"), p.say.Say("sim.calls"), ""}}
	for _, c := range configs {
		rows = append(rows, []string{p.name(c.Conf), p.spread(c), percent(c.Change), strconv.Itoa(c.Retries), units.Count(int64(c.DeviceAllocs)), p.effect(c)})
	}
	for _, line := range plain.Table(rows, func(int) bool { return false }) {
		p.out.WriteString("  " + line + "\n")
	}
}

func (p *printer) advice(d Device) {
	switch {
	case len(d.Advice) > 0 && d.Advice[0].Effect == simulate.Rescues:
		p.line("sim.rescues", "conf", plain.Text(d.Advice[0].Conf))
	case len(d.Advice) > 0:
		best := d.Advice[0]
		p.line("sim.lowers", "conf", plain.Text(best.Conf), "size", size(best.Saved), "percent", fmt.Sprint(best.Percent))
	case d.GrowsBy > 0:
		p.line("sim.grows", "size", size(d.GrowsBy))
	case d.Replay.FirstDivergence == nil:
		p.line("sim.nothing")
	}
}

func (p *printer) effect(c simulate.Config) string {
	switch c.Effect {
	case simulate.Lowers:
		return p.say.Say("sim.better")
	case simulate.Raises:
		return p.say.Say("sim.worse")
	case simulate.Rescues:
		return p.say.Say("sim.fits")
	case simulate.Fails:
		return p.say.Say("sim.fails", "asked", size(c.Failure.Requested), "missing", size(c.Failure.Missing))
	}
	return ""
}

func (p *printer) spread(c simulate.Config) string {
	low, high := size(c.Interval[0]), size(c.Interval[1])
	if low == high {
		return size(c.PeakReserved)
	}
	return p.say.Say("sim.spread", "size", size(c.PeakReserved), "low", low, "high", high)
}

func (p *printer) name(conf string) string {
	if conf == "" {
		return p.say.Say("sim.default")
	}
	return plain.Text(conf)
}

func size(n uint64) string { return units.Bytes(int64(n)) }

func percent(change *float64) string {
	if change == nil {
		return ""
	}
	if p := fmt.Sprintf("%+.1f %%", 100**change); p != "+0.0 %" && p != "-0.0 %" {
		return p
	}
	return "0 %"
}

// share never rounds up to all of them.
func share(n, of int) string {
	switch {
	case n == of:
		return "100 %"
	case of == 0:
		return "0 %"
	}
	return fmt.Sprintf("%.2f %%", min(99.99, 100*float64(n)/float64(of)))
}

func (p *printer) score(s simulate.Score) string {
	if s.Exact == s.Of {
		return units.Count(int64(s.Of))
	}
	return p.say.Say("sim.of", "exact", units.Count(int64(s.Exact)), "all", units.Count(int64(s.Of)))
}
