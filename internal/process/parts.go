package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// Parts is where the resident pages of a process are, in bytes, by what they were mapped for. All but Shared add up to what
// is resident; Shared is the part of the others without a file that another process has as well, as after a fork.
type Parts struct {
	Heap   int64 `json:"heap"`   // the main arena of the C heap: what is live there, and what malloc keeps free
	Arenas int64 `json:"arenas"` // arenas that malloc has made for threads
	Count  int64 `json:"count"`  // … how many
	Room   int64 `json:"room"`   // bytes that main and threads' arenas can hold before they get longer, resident or not
	Stacks int64 `json:"stacks"`
	Other  int64 `json:"other"` // without a file, of none of these: large blocks of malloc, Python's arenas, what libraries map
	Shm    int64 `json:"shm"`
	Files  int64 `json:"files"` // the page cache: the kernel takes them back
	Shared int64 `json:"shared"`
}

// mapping is one line of a process's map with what is said below it.
type mapping struct {
	start, end uint64
	mode       string
	path       string
	rss        int64
	anonymous  int64
	private    int64 // clean and dirty
}

// ReadParts says where the pages of a process are. The kernel walks all its page tables for it, milliseconds in a large one.
func ReadParts(pid int) (Parts, error) {
	text, err := os.ReadFile(File(pid, "smaps"))
	if err != nil {
		return Parts{}, err
	}
	if len(text) == 0 { // what waits for its parent to take notice
		return Parts{}, ErrEnded
	}
	return partsOf(mappings(text)), nil
}

// mappings reads the text of smaps.
func mappings(text []byte) []mapping {
	var all []mapping
	for line := range bytes.Lines(text) {
		words := strings.Fields(string(line))
		if len(words) == 0 {
			continue
		}
		if from, to, ok := strings.Cut(words[0], "-"); ok && len(words) >= 5 {
			m := mapping{mode: words[1], path: strings.Join(words[5:], " ")}
			m.start, _ = strconv.ParseUint(from, 16, 64)
			m.end, _ = strconv.ParseUint(to, 16, 64)
			all = append(all, m)
			continue
		}
		if len(all) == 0 || len(words) < 2 {
			continue
		}
		n, _ := strconv.ParseInt(words[1], 10, 64)
		m := &all[len(all)-1]
		switch words[0] {
		case "Rss:":
			m.rss = n << 10
		case "Anonymous:":
			m.anonymous = n << 10
		case "Private_Clean:", "Private_Dirty:":
			m.private += n << 10
		}
	}
	return all
}

// arenaSize is what glibc reserves for an arena of a thread, and at what it is aligned.
const arenaSize = 64 << 20

func partsOf(all []mapping) Parts {
	var p Parts
	for i, m := range all {
		if m.path == "" || strings.HasPrefix(m.path, "[") && m.path != "[stack]" {
			p.Shared += max(0, m.rss-m.private)
		}
		switch {
		case m.path == "[heap]":
			p.Heap += m.rss
			p.Room += int64(m.end - m.start)
		case m.path == "[stack]" || i > 0 && guards(all[i-1], m):
			p.Stacks += m.rss
		case shared(m.path):
			p.Shm += m.rss
		case m.path != "" && !strings.HasPrefix(m.path, "["):
			p.Files += m.rss - m.anonymous
			p.Other += m.anonymous // pages of a file that were written to, as libraries' data
		case i+1 < len(all) && arena(m, all[i+1]) || m.start%arenaSize == 0 && m.end-m.start == arenaSize:
			p.Arenas += m.rss
			p.Count++
			p.Room += int64(m.end - m.start)
		default:
			p.Other += m.rss
		}
	}
	return p
}

// guards reports whether m is the stack of a thread behind its guard page.
func guards(guard, m mapping) bool {
	return guard.end == m.start && m.path == "" && guard.path == "" && strings.HasPrefix(guard.mode, "---") &&
		guard.end-guard.start == 4096 && strings.HasPrefix(m.mode, "rw")
}

// arena reports whether m is the part in use of a thread's arena, and rest what is reserved behind it.
func arena(m, rest mapping) bool {
	return m.start%arenaSize == 0 && m.path == "" && m.end == rest.start && rest.end == m.start+arenaSize &&
		strings.HasPrefix(m.mode, "rw") && strings.HasPrefix(rest.mode, "---")
}

// shared reports a file that is shared memory.
func shared(path string) bool {
	for _, of := range []string{"/dev/shm/", "/memfd:", "/SYSV", "/dev/zero"} {
		if strings.HasPrefix(path, of) {
			return true
		}
	}
	return false
}
