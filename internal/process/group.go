package process

import (
	"bytes"
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/memory"
)

// Group is what bounds the memory of a process: the control group above it with the lowest limit, or the machine. Beyond the
// limit the kernel's out-of-memory killer ends a process.
type Group struct {
	By    string `json:"by"`             // machine, cgroup v1, cgroup v2
	Path  string `json:"path,omitempty"` // of a control group
	Limit int64  `json:"limit"`          // bytes
	// Working is what is in use of it and cannot be had back at once: of a control group all but inactive pages of files, of the
	// machine all but what the kernel calls available.
	Working int64 `json:"working"`
	Cache   int64 `json:"cache"` // inactive pages of files: the kernel takes them back before it ends anything
}

// host is a machine's files; tests have others than those of this one.
type host struct{ root string }

// GroupOf says what bounds the memory of a process.
func GroupOf(pid int) (Group, error) { return host{"/"}.group(pid) }

func (h host) group(pid int) (Group, error) {
	least, err := h.machine()
	if err != nil {
		return least, err
	}
	text, err := h.read("proc", strconv.Itoa(pid), "cgroup")
	if err != nil {
		return least, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		var k kind
		switch {
		case fields[1] == "":
			k = unified
		case strings.Contains(","+fields[1]+",", ",memory,"):
			k = legacy
		default:
			continue
		}
		for at := path.Clean("/" + fields[2]); ; at = path.Dir(at) {
			if g, ok := h.limited(k, at); ok && g.Limit < least.Limit {
				least = g
			}
			if at == "/" {
				break
			}
		}
	}
	return least, nil
}

// kind is one of the two forms of control groups, by the names of its files.
type kind struct{ by, mount, limit, current, inactive string }

var (
	unified = kind{"cgroup v2", "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"}
	legacy  = kind{"cgroup v1", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
)

// limited reads a group; ok is false where it has no limit of its own, or does not exist where we are.
func (h host) limited(k kind, at string) (g Group, ok bool) {
	limit, ok := h.number(k.mount, at, k.limit)
	if !ok || limit <= 0 || limit >= math.MaxInt64/2 { // version 1 says none by the largest page-aligned number
		return g, false
	}
	current, ok := h.number(k.mount, at, k.current)
	if !ok {
		return g, false
	}
	g = Group{By: k.by, Path: at, Limit: limit, Working: current}
	if text, err := h.read(k.mount, at, "memory.stat"); err == nil {
		for line := range bytes.Lines(text) {
			if v, found := bytes.CutPrefix(line, []byte(k.inactive+" ")); found {
				g.Cache, _ = strconv.ParseInt(string(bytes.TrimSpace(v)), 10, 64)
			}
		}
		g.Working = max(0, current-g.Cache)
	}
	return g, true
}

// machine is what the whole machine has.
func (h host) machine() (Group, error) {
	text, err := h.read("proc", "meminfo")
	if err != nil {
		return Group{}, err
	}
	total, available := field(text, "MemTotal"), field(text, "MemAvailable")
	if available == memory.Absent { // before Linux 3.14
		available = max(0, field(text, "MemFree")) + max(0, field(text, "Cached"))
	}
	return Group{By: "machine", Limit: total, Working: max(0, total-available), Cache: max(0, field(text, "Inactive(file)"))}, nil
}

func (h host) number(parts ...string) (int64, bool) {
	text, err := h.read(parts...)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64) // "max" is none
	return n, err == nil
}

func (h host) read(parts ...string) ([]byte, error) {
	return os.ReadFile(path.Join(append([]string{h.root}, parts...)...))
}
