package oom

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// fill enters what a message's text says.
func fill(m *Message, text string, limit *int64) {
	text = strings.Join(strings.Fields(text), " ")
	m.Text = text
	for _, c := range clauses {
		if at := c.of(m); *at == nil {
			*at = sizeIn(c.says, text)
		}
	}
	m.Device = number(deviceNumber, text)
	switch m.Form {
	case Allocator, Async, Driver, NCCL:
		m.Backend = backend(text)
		for _, found := range otherProcess.FindAllStringSubmatch(text, 64) {
			pid, _ := strconv.Atoi(found[1])
			if n := bytesOf(found[2], found[3]); n != nil {
				m.Others = append(m.Others, Process{PID: pid, Bytes: *n})
			}
		}
	case MPS:
		m.Backend = "mps"
	case Library:
		m.Library = strings.ToUpper(libraryName.FindString(text))
	case Kernel:
		m.Capacity, m.Victim = nil, killed(text)
		if strings.HasPrefix(text, "Memory cgroup") {
			m.Capacity = limit
		}
	case Worker:
		if found := signalName.FindStringSubmatch(text); found != nil {
			m.Signal = found[1]
		}
		m.Victim = numbered(text)
	case Killed:
		m.Victim = numbered(text)
	}
	if m.Form == Host && strings.HasPrefix(text, "DefaultCPUAllocator") {
		m.Backend = "cpu"
	}
	if m.Allowed != nil && m.Form != MPS && m.Capacity != nil && *m.Allowed > *m.Capacity {
		m.Allowed = nil // no limit was set: the async backend then prints the largest number there is
	}
	m.complete()
	m.Text = ends(m.Form, text)
}

// ends cuts off what the log says after a message that spans one line by its last word that is known.
func ends(form Form, text string) string {
	if form != Allocator && form != MPS {
		return text[:min(len(text), 600)]
	}
	for _, last := range []string{"is reserved by PyTorch but unallocated", "reserved in total by PyTorch)", " pool."} {
		if at := strings.Index(text, last); at >= 0 {
			return strings.TrimSuffix(text[:at+len(last)], ".") + "."
		}
	}
	return strings.ToValidUTF8(text[:min(len(text), 600)], "")
}

func backend(text string) string {
	if found := backendName.FindStringSubmatch(text); found != nil {
		return strings.ToLower(cmp.Or(found[1:]...))
	}
	if strings.HasPrefix(text, "hip") {
		return "hip"
	}
	if strings.HasPrefix(text, "Out of memory") {
		return "" // every device's allocator says it so
	}
	return "cuda"
}

// killed is the process of a kernel's line, with its resident memory.
func killed(text string) *Process {
	found := victim.FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	pid, _ := strconv.Atoi(found[1])
	p := &Process{PID: pid, Name: found[2]}
	seen := map[string]bool{}
	for _, part := range resident.FindAllStringSubmatch(text, 16) {
		if n := kilobytes(part[2]); n != nil && !seen[part[1]] && p.Bytes <= math.MaxInt64-*n {
			seen[part[1]] = true
			p.Bytes += *n
		}
	}
	return p
}

func numbered(text string) *Process {
	if pid := number(processName, text); pid != nil {
		return &Process{PID: *pid}
	}
	return nil
}

// sizeIn is the size that a clause gives; nil without one.
func sizeIn(says *regexp.Regexp, text string) *int64 {
	found := says.FindStringSubmatch(text)
	for i := 1; i+1 < len(found); i += 2 {
		if found[i] != "" {
			return bytesOf(found[i], found[i+1])
		}
	}
	return nil
}

func number(says *regexp.Regexp, text string) *int {
	found := says.FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	n, err := strconv.Atoi(cmp.Or(found[1:]...))
	if err != nil {
		return nil
	}
	return &n
}

// bytesOf reads a size. All units are powers of 1024: PyTorch before 2.1 wrote MB on MPS and meant MiB.
func bytesOf(figure, unit string) *int64 {
	x, err := strconv.ParseFloat(figure, 64)
	if power := strings.IndexByte("KMGTPE", unit[0]); power >= 0 {
		x *= math.Pow(1024, float64(power+1))
	}
	if err != nil || !(x < 1<<62) {
		return nil
	}
	n := int64(math.Round(x))
	return &n
}

func kilobytes(figure string) *int64 { return bytesOf(figure, "KiB") }
