package detect

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/memory"
)

// The language of testdata/*.series is described in README.md. This file reads it; series_test.go runs it.

// scenario is one .series file.
type scenario struct {
	kind    string
	options Options
	steps   int64
	values  []line
	flags   map[int64]uint8
	missing map[int64]bool
	hoards  bool  // the source of a worker's data set keeps what it hands out
	fills   int64 // epochs begun where that source keeps each sample once; 0: it does not
	answers []answer
	expect  []expectation
}

// line is one series: its place in a sample and one value a step, Absent where it is not read.
type line struct {
	index  int
	values []int64
}

// answer is what an investigation finds.
type answer struct {
	found Confirmation
	at    int64 // the step at which it is handed over, unasked; 0: whenever evidence was asked for
}

// due is the answer for that step: one that is handed over then, or where one is due, the one to every request.
func (s *scenario) due(step int64, asked bool) (answer, bool) {
	for _, a := range s.answers {
		if a.at == step || a.at == 0 && asked {
			return a, true
		}
	}
	return answer{}, false
}

// answersRequests reports that some answer comes whenever evidence was asked for.
func (s *scenario) answersRequests() bool {
	return slices.ContainsFunc(s.answers, func(a answer) bool { return a.at == 0 })
}

// expectation is one expect line.
type expectation struct {
	at      int64 // after this step; 0: at the end
	verdict string
	terms   []term
	source  string
}

// term is one condition on a figure: name=value±tolerance, name<=value or name>=value.
type term struct {
	name, op      string
	value, margin float64
}

var places = map[string]map[string]int{
	"host": {
		"used": memory.HostUsed, "held": memory.HostHeld, "python_blocks": memory.HostPythonBlocks, "rss": memory.HostRSS,
		"anon": memory.HostAnon, "shm": memory.HostShm, "shm_files": memory.HostShmFiles, "pinned": memory.HostPinned,
		"own": memory.WorkerOwn, "private": memory.WorkerPrivate,
	},
	"device": {
		"allocated": memory.DeviceAllocated, "reserved": memory.DeviceReserved, "inactive_split": memory.DeviceInactiveSplit,
		"driver_used": memory.DeviceDriverUsed, "driver_total": memory.DeviceDriverTotal, "retries": memory.DeviceRetries,
		"ooms": memory.DeviceOOMs, "peak": memory.DevicePeak,
	},
}

var flagNames = map[string]uint8{
	"evaluation": memory.FlagEvaluation, "evidence": memory.FlagEvidence, "collected": memory.FlagCollected, "epoch": memory.FlagEpoch, "hooks": memory.FlagHooks,
}

func parseScenario(text string) (*scenario, error) {
	s := &scenario{flags: map[int64]uint8{}, missing: map[int64]bool{}}
	for n, row := range strings.Split(text, "\n") {
		row, _, _ = strings.Cut(row, "#")
		words := strings.Fields(row)
		if len(words) == 0 {
			continue
		}
		if err := s.statement(words); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	if s.kind == "" || s.steps == 0 || len(s.expect) == 0 {
		return nil, fmt.Errorf("a scenario needs a memory, a series and an expectation")
	}
	return s, nil
}

func (s *scenario) statement(words []string) (err error) {
	switch words[0] {
	case "memory":
		return s.memory(words[1:])
	case "flag":
		return eachStep(words[2:], s.steps, func(step int64) { s.flags[step] |= flagNames[words[1]] })
	case "hoards":
		s.hoards = true
		return nil
	case "fills":
		s.fills, err = strconv.ParseInt(words[1], 10, 64)
		return err
	case "missing":
		return eachStep(words[1:], s.steps, func(step int64) { s.missing[step] = true })
	case "confirm":
		return s.answer(words[1:])
	case "expect":
		return s.expectation(words[1:])
	}
	table := places["host"]
	if s.kind == "device" {
		table = places["device"]
	}
	index, ok := table[words[0]]
	if !ok {
		return fmt.Errorf("unknown statement or series %q", words[0])
	}
	values, err := expand(words[1:])
	s.values = append(s.values, line{index, values})
	s.steps = max(s.steps, int64(len(values)))
	return err
}

func (s *scenario) memory(words []string) error {
	s.kind = words[0]
	s.options.Kind = s.kind
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		n, err := parseSize(value)
		if err != nil {
			return err
		}
		switch name {
		case "limit":
			s.options.Limit = n
		case "warmup":
			s.options.Warmup = n
		case "slack":
			s.options.Slack = n
		default:
			return fmt.Errorf("unknown option %q", name)
		}
	}
	return nil
}

func (s *scenario) answer(words []string) error {
	a := answer{}
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		n, err := int64(0), error(nil)
		if value != "" {
			n, err = parseSize(value)
		}
		switch name {
		case "nothing":
		case "emptied":
			a.found.Emptied = true
		case "survivors":
			a.found.Survivors, a.found.Holder = true, true
		case "cycle":
			a.found.Cycle = true
		case "bytes":
			a.found.BytesPerStep = n
		case "bound":
			a.found.Bound = n
		case "filling":
			a.found.Filling, a.found.FillingBytes = n, float64(a.found.BytesPerStep)
			a.found.BytesPerStep = 0
		case "empties":
			a.found.Emptier = "train.py:" + value
		case "age":
			a.found.Age = n
		case "entries":
			a.found.Entries, err = strconv.ParseFloat(value, 64)
		case "span":
			a.found.Span = n
		case "hooks":
			a.found.Survivors, a.found.Holder, a.found.Hooks = true, true, true
		case "at":
			a.at = n
		default:
			err = fmt.Errorf("unknown finding %q", name)
		}
		if err != nil {
			return err
		}
	}
	s.answers = append(s.answers, a)
	return nil
}

func (s *scenario) expectation(words []string) error {
	e := expectation{source: strings.Join(words, " ")}
	for _, w := range words {
		i := strings.IndexAny(w, "<>=")
		if i < 0 {
			e.verdict = w
			continue
		}
		t := term{name: w[:i], op: strings.TrimRight(w[i:i+2], "0123456789-+.")}
		value, margin, _ := strings.Cut(w[i+len(t.op):], "±")
		n, err := parseSize(value)
		if err != nil {
			return err
		}
		t.value = float64(n)
		if percent, ok := strings.CutSuffix(margin, "%"); ok {
			p, err := strconv.ParseFloat(percent, 64)
			if err != nil {
				return err
			}
			t.margin = t.value * p / 100
		} else if margin != "" {
			m, err := parseSize(margin)
			if err != nil {
				return err
			}
			t.margin = float64(m)
		}
		if t.name == "at" {
			e.at = n
			continue
		}
		e.terms = append(e.terms, t)
	}
	s.expect = append(s.expect, e)
	return nil
}

// eachStep calls f for "40", "30..33" and "every 20".
func eachStep(words []string, steps int64, f func(int64)) error {
	for i := 0; i < len(words); i++ {
		first, last, by := words[i], words[i], int64(1)
		if words[i] == "every" {
			i++
			first, last = words[i], strconv.FormatInt(steps, 10)
			by, _ = strconv.ParseInt(first, 10, 64)
		} else if a, b, ok := strings.Cut(words[i], ".."); ok {
			first, last = a, b
		}
		a, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			return err
		}
		b, err := strconv.ParseInt(last, 10, 64)
		if err != nil {
			return err
		}
		for step := a; step <= b; step += by {
			f(step)
		}
	}
	return nil
}

// expand turns a pattern into values.
func expand(words []string) ([]int64, error) {
	var noise, every int64 = 0, 1
	rng := rand.New(rand.NewPCG(1, 1))
	for len(words) > 0 {
		var err error
		if size, ok := strings.CutPrefix(words[0], "~"); ok {
			noise, err = parseSize(size)
		} else if size, ok := strings.CutPrefix(words[0], "seed="); ok {
			var seed int64
			seed, err = parseSize(size)
			rng = rand.New(rand.NewPCG(uint64(seed), 1))
		} else if size, ok := strings.CutPrefix(words[0], "every="); ok {
			every, err = parseSize(size)
		} else {
			break
		}
		if err != nil {
			return nil, err
		}
		words = words[1:]
	}
	var out []int64
	level := int64(0)
	rest, err := items(words, &level, func(v int64) {
		if v != memory.Absent && noise > 0 {
			v += rng.Int64N(2*noise+1) - noise
		}
		for range every - 1 {
			out = append(out, memory.Absent)
		}
		out = append(out, v)
	})
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("unexpected %q", rest[0])
	}
	return out, err
}

// items emits the values of a row of items up to a closing bracket, and returns the words behind it.
func items(words []string, level *int64, emit func(int64)) (rest []string, err error) {
	for len(words) > 0 && words[0] != ")" {
		item, body := words[0], []string(nil)
		words = words[1:]
		if item == "(" {
			body = words
			if words, err = items(body, new(int64), func(int64) {}); err != nil {
				return nil, err
			}
			if len(words) == 0 {
				return nil, fmt.Errorf("a bracket is not closed")
			}
			words = words[1:]
		}
		times := int64(1)
		if len(words) > 0 {
			if count, ok := strings.CutPrefix(words[0], "x"); ok {
				if times, err = strconv.ParseInt(count, 10, 64); err != nil {
					return nil, err
				}
				words = words[1:]
			}
		}
		for range times {
			if body != nil {
				if _, err = items(body, level, emit); err != nil {
					return nil, err
				}
			} else if err = emitItem(item, level, emit); err != nil {
				return nil, err
			}
		}
	}
	return words, nil
}

func emitItem(item string, level *int64, emit func(int64)) error {
	if item == "_" {
		emit(memory.Absent)
		return nil
	}
	v, err := parseSize(item)
	if err != nil {
		return err
	}
	if item[0] == '+' || item[0] == '-' {
		v += *level
	}
	*level = v
	emit(v)
	return nil
}

// parseSize reads 512, 4Ki, -1.5Mi, 2Gi.
func parseSize(s string) (int64, error) {
	unit := int64(1)
	for suffix, u := range map[string]int64{"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30} {
		if number, ok := strings.CutSuffix(s, suffix); ok {
			s, unit = number, u
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	return int64(f * float64(unit)), err
}
