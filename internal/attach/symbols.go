package attach

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/process"
)

// mapping is a part of a file that a process has in memory to run code from.
type mapping struct {
	start, end, offset uint64
	file               string // as the process names it
}

// mappings lists the code that a process has in memory, one a file: the first.
func mappings(pid int) ([]mapping, error) {
	text, err := os.ReadFile(process.File(pid, "maps"))
	if err != nil {
		return nil, err
	}
	var all []mapping
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		m, perms, ok := parseMapping(lines.Text())
		if ok && strings.Contains(perms, "x") && strings.HasPrefix(m.file, "/") &&
			!slices.ContainsFunc(all, func(known mapping) bool { return known.file == m.file }) {
			all = append(all, m)
		}
	}
	return all, nil
}

// parseMapping takes a line apart: "7f10-7f20 r-xp 00001000 fe:01 1234   /usr/lib/libc.so.6".
func parseMapping(line string) (m mapping, perms string, ok bool) {
	var device string
	var inode uint64
	if _, err := fmt.Sscanf(line, "%x-%x %s %x %s %d", &m.start, &m.end, &perms, &m.offset, &device, &inode); err != nil || inode == 0 {
		return m, perms, false
	}
	if at := strings.Index(line, "/"); at >= 0 {
		m.file = strings.TrimSuffix(line[at:], " (deleted)")
	}
	return m, perms, m.file != ""
}

// open opens the file behind a mapping: what the process runs, also where that was replaced since or lies in a container.
func (m mapping) open(pid int) (*elf.File, error) {
	f, err := elf.Open(process.File(pid, "map_files/"+strconv.FormatUint(m.start, 16)+"-"+strconv.FormatUint(m.end, 16)))
	if err != nil {
		f, err = elf.Open(process.File(pid, "root"+m.file))
	}
	return f, err
}

// bias is what is to be added to the addresses in the file.
func (m mapping) bias(f *elf.File) (uint64, bool) {
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && m.offset <= p.Off+p.Filesz && p.Off < m.offset+(m.end-m.start) {
			return m.start - m.offset + p.Off - p.Vaddr, true
		}
	}
	return 0, false
}

// functions are the addresses in a process that its interpreter is asked by.
type functions struct {
	add, run uint64   // Py_AddPendingCall, PyRun_SimpleString
	mallocs  []uint64 // of the C library, and of what stands in for it
	version  uint64   // Python's, 0x030e0af0 for 3.14.10; 0 before 3.11
	machine  elf.Machine
}

func (f functions) complete() bool { return f.add != 0 && f.run != 0 && len(f.mallocs) > 0 }

// Files that may define what is looked for. Others, of which some have a hundred thousand symbols, are not read.
var (
	pythonFile = regexp.MustCompile(`^(lib)?python`)
	mallocFile = regexp.MustCompile(`^(libc[.-]|ld-musl|libjemalloc|libtcmalloc|libmimalloc)`)
)

// torchFile is a part of PyTorch, wherever it was installed.
var torchFile = regexp.MustCompile(`/(libtorch[^/]*|torch/.+)$`)

// hasTorch reports whether a process has files of PyTorch in memory.
func hasTorch(pid int) bool {
	maps, _ := mappings(pid)
	return slices.ContainsFunc(maps, func(m mapping) bool { return torchFile.MatchString(m.file) })
}

// plainPython reports whether a process runs a Python that is known to find PyTorch in files. A program that has Python built in may
// have PyTorch too.
func plainPython(pid int) bool {
	exe, err := os.Readlink(process.File(pid, "exe"))
	if err != nil || !pythonFile.MatchString(path.Base(exe)) {
		return false
	}
	found, _, _ := locate(pid)
	return found.complete()
}

// locate finds the functions by the tables in the files that a process runs. named reports whether one of them is called
// after Python.
func locate(pid int) (found functions, named bool, err error) {
	exe, err := os.Readlink(process.File(pid, "exe"))
	if err != nil {
		return found, false, err
	}
	exe = strings.TrimSuffix(exe, " (deleted)")
	maps, err := mappings(pid)
	if err != nil {
		return found, false, err
	}
	for _, m := range maps {
		name := path.Base(m.file)
		named = named || pythonFile.MatchString(name)
		if m.file != exe && !pythonFile.MatchString(name) && !mallocFile.MatchString(name) {
			continue
		}
		if unreadable := found.read(pid, m); unreadable != nil && err == nil {
			err = unreadable
		}
	}
	if found.complete() {
		err = nil
	}
	return found, named, err
}

// read takes what a file defines.
func (f *functions) read(pid int, m mapping) error {
	file, err := m.open(pid)
	if err != nil {
		return err
	}
	defer file.Close()
	bias, ok := m.bias(file)
	if !ok {
		return &fs.PathError{Op: "read", Path: m.file, Err: elf.ErrNoSymbols}
	}
	f.machine = file.Machine
	// A stripped file has no table but that of what it offers to others, and one that offers nothing only the other.
	offered, _ := file.DynamicSymbols()
	all, _ := file.Symbols()
	for _, s := range append(offered, all...) {
		if s.Section == elf.SHN_UNDEF {
			continue
		}
		switch s.Name {
		case "Py_Version":
			f.version = constant(file, s)
		case "Py_AddPendingCall":
			f.add = s.Value + bias
		case "PyRun_SimpleString":
			f.run = s.Value + bias
		case "malloc":
			if at := s.Value + bias; !slices.Contains(f.mallocs, at) {
				f.mallocs = append(f.mallocs, at)
			}
		}
	}
	return nil
}

// constant is the value of a symbol of eight bytes in a file; 0 where it cannot be read.
func constant(file *elf.File, s elf.Symbol) uint64 {
	var word [8]byte
	if int(s.Section) >= len(file.Sections) {
		return 0
	}
	section := file.Sections[s.Section]
	if section.Type != elf.SHT_PROGBITS {
		return 0
	}
	if _, err := section.ReadAt(word[:], int64(s.Value-section.Addr)); err != nil {
		return 0
	}
	return file.ByteOrder.Uint64(word[:])
}
