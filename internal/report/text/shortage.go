package text

import (
	"io"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/oom"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// Shortage writes what an out-of-memory message says and what to do.
func Shortage(w io.Writer, log oom.Log, o Options) error {
	p := newPrinter(o)
	m, j := log.Last, oom.Judge(log.Last)
	badge := p.paint(verdictColor(j.Verdict)+bold, strings.ToUpper(p.say.Label(j.Verdict)))
	p.hanging("torchleak  "+badge+"  ", "torchleak  ", plain.Text(p.say.Sentences(ranOut(p.say, m), plain.Upper(origin(p.say, log)))))
	if m.Requested != nil || m.Victim != nil {
		p.line("")
	}
	p.figures(m)
	p.line("")
	p.reasons(j.Why, j.Next, j.Unknown)
	_, err := io.WriteString(w, p.out.String())
	return err
}

func ranOut(say *phrase.Catalogue, m oom.Message) string {
	where := shortOf(say, m)
	if m.Requested == nil {
		return say.Say("shortage.headline", "place", where)
	}
	return say.Say("shortage.headline.asked", "place", where, "size", oom.Size(*m.Requested))
}

// shortOf is what ran out.
func shortOf(say *phrase.Catalogue, m oom.Message) string {
	name := m.Backend
	if name == "hip" {
		name = "cuda" // what PyTorch calls AMD's devices
	}
	switch {
	case m.Form == oom.Shm, m.Form == oom.Worker && m.Signal == "Bus error":
		return say.Say("shortage.shm")
	case m.Form == oom.Host, m.Form == oom.Kernel, m.Form == oom.Worker, m.Form == oom.Killed:
		return say.Say("shortage.host")
	case name != "" && m.Device != nil:
		return name + ":" + strconv.Itoa(*m.Device)
	case name != "":
		return name
	}
	return say.Say("shortage.device")
}

// origin says where the message stood, and of how many it is the last.
func origin(say *phrase.Catalogue, log oom.Log) string {
	text := say.Say("shortage.line", "line", units.Count(log.Last.Line))
	if r := log.Last.Rank; r != nil {
		text += say.Say("text.comma") + say.Say("text.rank", "rank", strconv.Itoa(*r))
	}
	if log.Messages > 1 {
		text += say.Say("text.comma") + say.Say("shortage.messages", "count", units.Count(int64(log.Messages)))
	}
	if len(log.Ranks) > 1 {
		var ranks []string
		for i, r := range log.Ranks {
			if i == 16 {
				ranks = append(ranks, "…")
				break
			}
			ranks = append(ranks, strconv.Itoa(r))
		}
		text += say.Say("text.comma") + say.Say("shortage.ranks", "ranks", say.List(ranks...))
	}
	return text
}

// figures writes what the message says in numbers, a line each.
func (p *printer) figures(m oom.Message) {
	reserved := m.Reserved
	if m.Allocated != nil {
		reserved = nil // its parts are said
	}
	p.figure(m.Requested, p.say.Say("shortage.asked"))
	p.figure(m.Capacity, p.say.Say("shortage.capacity"))
	p.figure(m.Allowed, p.say.Say("shortage.allowed"))
	p.figure(m.Allocated, p.say.Say("shortage.live"))
	p.figure(m.Unallocated, p.say.Say("shortage.pieces"))
	p.figure(m.PrivatePools, p.say.Say("shortage.pools"))
	p.figure(reserved, p.say.Say("shortage.reserved"))
	p.figure(m.Outside(), p.say.Say("shortage.outside"))
	p.figure(m.Free, p.say.Say("shortage.free"))
	for _, other := range m.Others {
		p.figure(&other.Bytes, p.say.Say("shortage.process", "pid", strconv.Itoa(other.PID)))
	}
	if m.Victim != nil && m.Victim.Bytes > 0 {
		p.figure(&m.Victim.Bytes, p.say.Say("shortage.killed"))
	}
}

func (p *printer) figure(n *int64, name string) {
	if n != nil {
		p.labelled(oom.Size(*n), bold, name)
	}
}
