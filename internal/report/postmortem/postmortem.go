// Package postmortem shows what an out-of-memory message says and what to do: as text for people and as JSON.
package postmortem

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/oom"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// WriteJSON writes schema 1. Lists are never null.
func WriteJSON(w io.Writer, log oom.Log) error {
	j := oom.Judge(log.Last)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Schema   int             `json:"schema"`
		Messages int             `json:"messages"`
		Ranks    []int           `json:"ranks"`
		Verdict  finding.Verdict `json:"verdict"`
		Message  oom.Message     `json:"message"`
		Outside  *int64          `json:"outside_bytes,omitempty"`
		Missing  *int64          `json:"missing_bytes,omitempty"`
		Why      []string        `json:"why"`
		Unknown  []string        `json:"unknown"`
		Next     []string        `json:"next"`
	}{1, log.Messages, list(log.Ranks), j.Verdict, log.Last, log.Last.Outside(), log.Last.Missing(), list(j.Why), list(j.Unknown), list(j.Next)})
}

func list[T any](items []T) []T { return append([]T{}, items...) }

// WriteText writes for people, in lang.
func WriteText(w io.Writer, log oom.Log, lang string) error {
	say := phrase.In(lang)
	m, j := log.Last, oom.Judge(log.Last)
	var out strings.Builder
	out.WriteString(strings.ToUpper(say.Label(j.Verdict)) + "  " + plain.Text(headline(say, m)) + "\n")
	out.WriteString("  " + say.Sentences(origin(say, log)) + "\n")
	figures(&out, say, m)
	for _, part := range []struct {
		key       phrase.Key
		sentences []string
	}{{"shortage.why", j.Why}, {"shortage.unknown", j.Unknown}, {"shortage.next", j.Next}} {
		if len(part.sentences) == 0 {
			continue
		}
		out.WriteString("\n" + say.Say(part.key) + "\n")
		for _, s := range part.sentences {
			out.WriteString("  " + plain.Text(say.Sentences(plain.Upper(say.Text(s)))) + "\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func headline(say *phrase.Catalogue, m oom.Message) string {
	where := place(say, m)
	if m.Requested == nil {
		return say.Say("shortage.headline", "place", where)
	}
	return say.Say("shortage.headline.asked", "place", where, "size", oom.Size(*m.Requested))
}

// place is what ran out.
func place(say *phrase.Catalogue, m oom.Message) string {
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

func figures(out *strings.Builder, say *phrase.Catalogue, m oom.Message) {
	rows := []struct {
		key phrase.Key
		n   *int64
	}{
		{"shortage.asked", m.Requested}, {"shortage.capacity", m.Capacity}, {"shortage.allowed", m.Allowed},
		{"shortage.live", m.Allocated}, {"shortage.pieces", m.Unallocated}, {"shortage.pools", m.PrivatePools},
		{"shortage.reserved", onlyIf(m.Allocated == nil, m.Reserved)}, {"shortage.outside", m.Outside()}, {"shortage.free", m.Free},
	}
	if v := m.Victim; v != nil && v.Bytes > 0 {
		rows = append(rows, struct {
			key phrase.Key
			n   *int64
		}{"shortage.killed", &v.Bytes})
	}
	first := "\n"
	for _, r := range rows {
		if r.n != nil {
			amount := oom.Size(*r.n)
			out.WriteString(first + "  " + strings.Repeat(" ", max(0, 12-len(amount))) + amount + "  " + say.Say(r.key) + "\n")
			first = ""
		}
	}
	for _, p := range m.Others {
		amount := oom.Size(p.Bytes)
		out.WriteString("  " + strings.Repeat(" ", max(0, 12-len(amount))) + amount + "  " + say.Say("shortage.process", "pid", strconv.Itoa(p.PID)) + "\n")
	}
}

func onlyIf(wanted bool, n *int64) *int64 {
	if !wanted {
		return nil
	}
	return n
}
