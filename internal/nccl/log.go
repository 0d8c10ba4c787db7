package nccl

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
)

// ErrNone is the error for a text without a line of NCCL's.
var ErrNone = errors.New("no line of NCCL's is in it")

// Longer lines are none of NCCL's; a log with more groups than that is none of a training's.
const longest, mostGroups, mostRanks = 1 << 16, 1 << 14, 1 << 14

var (
	marker  = []byte("NCCL INFO ")
	packed  = []byte{0x1f, 0x8b} // how a file of gzip's begins
	colour  = regexp.MustCompile(`(?:\x1b|\\u001[bB])\[[0-9;]*[mK]`)
	process = regexp.MustCompile(`([\w.-]+):(\d+):\d+ \[(\d+)\] $`)
	state   = regexp.MustCompile(`- (Init START|Init COMPLETE|Destroy COMPLETE|Abort COMPLETE)(?:\s*|\\n".*)$`) // or within JSON, as Docker writes logs
	setup   = regexp.MustCompile(`^(?:(\w+) )?comm (0x[0-9a-f]+) rank (\d+) nranks (\d+)`)
	split   = regexp.MustCompile(` parent (0x[0-9a-f]+) .*?\bcolor (-?\d+)`)
	timings = regexp.MustCompile(`^Init timings.*? total ([0-9.]+)`)
	alloc   = regexp.MustCompile(`(?i)\b(?:cuda|cumem) alloc size (\d+) `)
)

// Logs are the logs of a job, read one after another. What is written of a process in several of them is of one rank, so those that a
// rotation has cut are read from the oldest on.
type Logs struct {
	processes map[string]*processState
	order     []*processState
	file      string
	seen      bool
}

// Read reads a log as it streams by, packed by gzip or not. File is the name that its ranks carry.
func (l *Logs) Read(r io.Reader, file string) error {
	l.file, l.seen = file, false
	lines := bufio.NewReaderSize(r, longest)
	if head, _ := lines.Peek(len(packed)); bytes.Equal(head, packed) {
		z, err := gzip.NewReader(lines)
		if err != nil {
			return err
		}
		lines = bufio.NewReaderSize(z, longest)
	}
	for n := 1; ; n++ {
		line, err := lines.ReadSlice('\n')
		if at := bytes.Index(line, marker); at >= 0 {
			l.line(n, plain(line[:at]), bytes.TrimSpace(plain(line[at+len(marker):])))
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if !l.seen {
		return ErrNone
	}
	return nil
}

// plain is text without the colours that a launcher gave it.
func plain(text []byte) []byte {
	if bytes.IndexByte(text, '\x1b') < 0 && !bytes.Contains(text, []byte(`\u001`)) { // as JSON writes it
		return text
	}
	return colour.ReplaceAll(text, nil)
}

// processState is a process while its lines go by.
type processState struct {
	Rank
	file   string         // the log that is read
	groups map[string]int // place in Groups by what they are
	alive  []int          // communicators of each of Groups
	comms  map[string]int // the group of a communicator alive, by its address
	begun  map[string]int // the same between Init START and COMPLETE
	latest int            // the group set up last, -1 before
	taken  int64          // device memory since the last Init START
	inside bool           // between START and COMPLETE
}

func (l *Logs) line(n int, before, text []byte) {
	l.seen = true
	who := process.FindSubmatch(before)
	if who == nil {
		return
	}
	switch {
	case state.Match(text):
		if p := l.process(who); p != nil {
			p.event(n, text)
		}
	case bytes.HasPrefix(text, []byte("Init timings")):
		if p := l.process(who); p != nil {
			p.timed(text)
		}
	case bytes.Contains(text, []byte("Size ")):
		if p := l.process(who); p != nil {
			p.allocated(text)
		}
	}
}

func (l *Logs) process(who [][]byte) *processState {
	key := string(who[1]) + ":" + string(who[2])
	p := l.processes[key]
	if p != nil {
		p.file = l.file
	} else if len(l.order) < mostRanks {
		pid, _ := strconv.Atoi(string(who[2]))
		device, _ := strconv.Atoi(string(who[3]))
		p = &processState{
			Rank:   Rank{Rank: -1, File: l.file, Host: string(who[1]), PID: pid, Device: &device, Groups: []Group{}},
			file:   l.file,
			groups: map[string]int{}, comms: map[string]int{}, begun: map[string]int{}, latest: -1,
		}
		if l.processes == nil {
			l.processes = map[string]*processState{}
		}
		l.processes[key] = p
		l.order = append(l.order, p)
	}
	return p
}

// event takes a line of a communicator's life.
func (p *processState) event(n int, text []byte) {
	says := setup.FindSubmatch(text)
	if says == nil {
		return
	}
	address, what := string(says[2]), string(state.FindSubmatch(text)[1])
	switch what {
	case "Init START":
		if group := p.group(n, says, text); group >= 0 {
			p.begun[address], p.inside, p.taken = group, true, 0
		}
	case "Init COMPLETE":
		group, known := p.begun[address]
		if !known { // older releases print no START
			group = p.group(n, says, text)
		}
		delete(p.begun, address)
		p.complete(n, address, group)
	default:
		p.destroyed(address)
	}
}

func (p *processState) complete(n int, address string, group int) {
	if group < 0 {
		return
	}
	p.Inits++
	g := &p.Groups[group]
	g.Inits++
	g.LastLine, g.LastFile = n, p.unless(p.file)
	p.destroyed(address) // its memory was given to another
	p.comms[address], p.latest = group, group
	p.alive[group]++
	g.Alive = max(g.Alive, p.alive[group])
	p.Communicators = max(p.Communicators, len(p.comms))
	if p.taken > 0 {
		add(&g.Bytes, p.taken)
		add(&p.AllocatedBytes, p.taken)
	}
	p.inside, p.taken = false, 0
}

// unless is the file, empty where it is the one that the rank is named with.
func (p *processState) unless(file string) string {
	if file == p.File {
		return ""
	}
	return file
}

func (p *processState) destroyed(address string) {
	if group, alive := p.comms[address]; alive {
		delete(p.comms, address)
		p.alive[group]--
		p.Groups[group].Destroyed++
		p.Destroyed++
	}
}

// group is the place of the group a line speaks of; -1 if there are too many.
func (p *processState) group(n int, says [][]byte, text []byte) int {
	rank, _ := strconv.Atoi(string(says[3]))
	size, _ := strconv.Atoi(string(says[4]))
	g := Group{Function: string(says[1]), Size: size, FirstLine: n, FirstFile: p.unless(p.file), LastLine: n, LastFile: p.unless(p.file)}
	key := fmt.Sprint(g.Function, " ", size)
	if made := split.FindSubmatch(text); made != nil {
		color, _ := strconv.ParseInt(string(made[2]), 10, 64)
		g.Color = &color
		key += fmt.Sprint(" color ", color)
		if parent, known := p.comms[string(made[1])]; known {
			g.Parent = &parent
			key += fmt.Sprint(" of ", parent)
		}
	}
	if p.Rank.Rank < 0 {
		p.Rank.Rank = rank
	}
	at, known := p.groups[key]
	switch {
	case known:
		return at
	case len(p.Groups) == mostGroups:
		return -1
	}
	p.groups[key] = len(p.Groups)
	p.Groups = append(p.Groups, g)
	p.alive = append(p.alive, 0)
	return len(p.Groups) - 1
}

func (p *processState) timed(text []byte) {
	says := timings.FindSubmatch(text)
	if says == nil || p.latest < 0 {
		return
	}
	if seconds, err := strconv.ParseFloat(string(says[1]), 64); err == nil {
		add(&p.Groups[p.latest].Seconds, seconds)
		add(&p.InitSeconds, seconds)
	}
}

func (p *processState) allocated(text []byte) {
	if says := alloc.FindSubmatch(text); says != nil && p.inside {
		if bytes, err := strconv.ParseInt(string(says[1]), 10, 64); err == nil && bytes < 1<<50 {
			p.taken += bytes
		}
	}
}

func add[T int64 | float64](to **T, more T) {
	if *to == nil {
		*to = new(T)
	}
	**to += more
}

// Ranks are the ranks of all logs that were read, in their order.
func (l *Logs) Ranks() []Rank {
	ranks := []Rank{}
	for _, p := range l.order {
		if len(p.Groups) == 0 {
			continue
		}
		p.Unfinished = len(p.begun)
		ranks = append(ranks, p.Rank)
	}
	slices.SortStableFunc(ranks, func(a, b Rank) int { return a.Rank - b.Rank })
	return ranks
}
