package oom

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Log is what one input says.
type Log struct {
	Messages int     // how many there were
	Ranks    []int   // of those that say which rank they are from, in order
	Last     Message // the last that has figures; where the newest maxKept have none, the last
}

// ErrNone says that the input holds no out-of-memory message.
var ErrNone = errors.New("no out-of-memory message found")

const (
	chunk   = 1 << 20 // longest part of a line that is looked at in one piece
	maxText = 4096    // longest message
	maxRank = 4096    // different ranks that are remembered
	maxKept = 1024    // newest messages that are looked through for figures
)

// Read reads messages from a text or a whole log, line by line and in bounded memory. The error is ErrNone or the reader's.
func Read(r io.Reader) (Log, error) {
	p := parser{ranks: map[int]bool{}}
	in := bufio.NewReaderSize(r, chunk)
	for line := int64(1); ; {
		part, err := in.ReadSlice('\n')
		p.line(part, line)
		if err == nil {
			line++
		} else if !errors.Is(err, bufio.ErrBufferFull) {
			p.close()
			if !errors.Is(err, io.EOF) {
				return Log{}, err
			}
			return p.log()
		}
	}
}

// parser keeps the message that is open: one may run over several lines.
type parser struct {
	open   *Message
	text   strings.Builder
	follow int    // lines that may still belong to the open message
	prefix string // the launcher's, of the open message
	limit  *int64 // of the control group that the kernel is about to speak of
	count  int
	ranks  map[int]bool
	kept   []unread // a ring of the newest
}

// unread is a message whose text was not looked into yet.
type unread struct {
	message Message
	text    string
	limit   *int64
}

func (u unread) read() Message {
	fill(&u.message, strings.ToValidUTF8(u.text, "?"), u.limit)
	return u.message
}

func (p *parser) line(part []byte, number int64) {
	heralded := marked(part)
	if p.follow == 0 && !heralded {
		return
	}
	text := clean(part)
	if found := groupLimit.FindStringSubmatch(text); found != nil {
		p.limit = kilobytes(found[1])
	}
	prefix := rankPrefix.FindString(text)
	text = strings.TrimSpace(text[len(prefix):])
	var begins []start
	if heralded {
		begins = starts(text)
	}
	before := len(text)
	if len(begins) > 0 {
		before = begins[0].at
	}
	p.goOn(text[:before], prefix)
	for i, b := range begins {
		end := len(text)
		if i+1 < len(begins) {
			end = begins[i+1].at
		}
		p.close()
		p.begin(b.head, prefix, number)
		p.add(text[b.at:end])
	}
}

// common is in most beginnings, and in few other lines.
var common = [][]byte{[]byte("memory"), []byte("ut of "), []byte("lloc"), []byte("ALLOC"), []byte("MEMORY"), []byte("Memory"), []byte("oom"), []byte("OOM"),
	[]byte("worker"), []byte("bus error"), []byte("unable to "), []byte("SIGKILL"), []byte("exitcode"), []byte("Invalid buffer"), []byte("CUDA ")}

func marked(part []byte) bool {
	return slices.ContainsFunc(common, func(mark []byte) bool { return bytes.Contains(part, mark) })
}

// clean takes out colours and the escaped line ends of logs that are JSON.
func clean(part []byte) string {
	text := escapes.ReplaceAllString(strings.ToValidUTF8(string(part), "?"), "")
	return strings.ReplaceAll(text, `\n`, " ")
}

// start is a place at which a message begins.
type start struct {
	*head
	at int
}

// starts are the places in a line at which messages begin. What begins in another form behind the first says the same
// once more.
func starts(text string) (all []start) {
	for i := range heads {
		if !slices.ContainsFunc(heads[i].marks, func(mark string) bool { return strings.Contains(text, mark) }) {
			continue
		}
		for _, place := range heads[i].begins.FindAllStringIndex(text, -1) {
			all = append(all, start{&heads[i], place[0]})
		}
	}
	slices.SortStableFunc(all, func(a, b start) int { return cmp.Compare(a.at, b.at) })
	if len(all) == 0 {
		return nil
	}
	form := all[0].form
	return slices.DeleteFunc(all, func(s start) bool { return s.form != form })
}

func (p *parser) begin(h *head, prefix string, number int64) {
	p.count++
	p.open, p.follow, p.prefix = &Message{Form: h.form, Line: number}, h.follow, prefix
	if found := rankPrefix.FindStringSubmatch(prefix); found != nil {
		if rank, err := strconv.Atoi(cmp.Or(found[1:]...)); err == nil {
			p.open.Rank = &rank
			if len(p.ranks) < maxRank {
				p.ranks[rank] = true
			}
		}
	}
}

// goOn takes a line that stands behind an open message, of the same rank, as a part of it.
func (p *parser) goOn(text, prefix string) {
	if p.follow == 0 || text == "" {
		return
	}
	p.follow--
	if prefix == p.prefix || prefix == "" {
		p.add(" " + text)
	}
}

func (p *parser) add(text string) {
	p.text.WriteString(text[:min(len(text), max(0, maxText-p.text.Len()))])
}

func (p *parser) close() {
	if p.open == nil {
		return
	}
	u := unread{*p.open, p.text.String(), p.limit}
	if len(p.kept) < maxKept {
		p.kept = append(p.kept, u)
	} else {
		p.kept[(p.count-1)%maxKept] = u
	}
	if p.open.Form == Kernel {
		p.limit = nil
	}
	p.open, p.follow = nil, 0
	p.text.Reset()
}

func (p *parser) log() (Log, error) {
	if p.count == 0 {
		return Log{}, ErrNone
	}
	last := p.kept[(p.count-1)%maxKept].read()
	for i := 1; i < len(p.kept) && !last.figures(); i++ {
		if m := p.kept[(p.count-1-i)%maxKept].read(); m.figures() {
			last = m
		}
	}
	return Log{Messages: p.count, Ranks: slices.Sorted(maps.Keys(p.ranks)), Last: last}, nil
}
