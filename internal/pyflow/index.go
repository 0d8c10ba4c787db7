package pyflow

import (
	"bytes"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Index knows the files that are looked at together, so that a call from one into another can be followed.
type Index struct {
	mu      sync.RWMutex
	paths   map[string]*entry
	folders map[string]map[string]*entry // the same by folder
	bases   map[string][]*entry          // by the last part of the name of the module
	given   map[string]bool              // parameters that a loss function is handed to, by function and position
	emptied map[string]bool              // names of attributes that some file empties or sets anew
	callers map[string]*callers          // by the bare name of what is called
	found   sync.Map                     // entries by asked, nil where there is none: of all that are known now
}

// asked is a module as a file names it.
type asked struct {
	from   *unit
	module string
}

// callers counts in which way a name is called.
type callers struct{ grad, noGrad int }

// NewIndex returns an index of no files.
func NewIndex() *Index {
	return &Index{paths: map[string]*entry{}, folders: map[string]map[string]*entry{}, bases: map[string][]*entry{}, emptied: map[string]bool{}, given: map[string]bool{}, callers: map[string]*callers{}}
}

// entry is one file of the index. One that was offered only is parsed when something calls into it.
type entry struct {
	once   sync.Once
	path   string
	module string
	load   func() ([]byte, error)
	unit   *unit
	named  func() map[string]bool // the classes of one that was offered, as far as that is seen without parsing it
}

func (e *entry) get() *unit {
	e.once.Do(func() {
		if e.unit != nil || e.load == nil {
			return
		}
		if source, err := e.load(); err == nil {
			if f, err := pysyntax.Parse(e.path, source); err == nil {
				e.unit = newUnit(f)
			}
		}
	})
	return e.unit
}

// Add makes f known to the others. It may be called from several goroutines.
func (x *Index) Add(f *pysyntax.File) {
	u := newUnit(f)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.put(&entry{path: u.path, module: u.module, unit: u})
	for name := range u.emptied {
		x.emptied[name] = true
	}
	for name := range u.given {
		x.given[name] = true
	}
	for name, c := range u.called {
		all := x.callers[name]
		if all == nil {
			all = &callers{}
			x.callers[name] = all
		}
		all.grad += c.grad
		all.noGrad += c.noGrad
	}
}

// isLoss reports whether some file hands a loss function to the parameter.
func (x *Index) isLoss(function, name string, position int, method bool) bool {
	if method {
		position--
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.given[function+"#"+name] || position >= 0 && position < 60 && x.given[function+"#"+string(rune('0'+position))]
}

// Offer makes a file known that does not matter by itself: it is read and parsed if another one calls into it.
func (x *Index) Offer(name string, load func() ([]byte, error)) {
	p := slashed(name)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.put(&entry{path: p, module: moduleOf(p), load: load, named: sync.OnceValue(func() map[string]bool { return classNames(load) })})
}

func (x *Index) put(e *entry) {
	x.found.Clear()
	x.paths[e.path] = e
	folder := path.Dir(e.path)
	if x.folders[folder] == nil {
		x.folders[folder] = map[string]*entry{}
	}
	x.folders[folder][e.path] = e
	base := path.Base(e.module)
	x.bases[base] = append(x.bases[base], e)
}

// unitOf returns what is known of f, which need not have been added.
func (x *Index) unitOf(f *pysyntax.File) *unit {
	x.mu.RLock()
	e := x.paths[slashed(f.Path)]
	x.mu.RUnlock()
	if e == nil || e.unit == nil || e.unit.file != f {
		x.Add(f)
		return x.unitOf(f)
	}
	return e.unit
}

// find returns the file that module means in from, nil where it is none of those known.
func (x *Index) find(from *unit, module string) *unit {
	if e := x.entry(from, module); e != nil {
		return e.get()
	}
	return nil
}

func (x *Index) entry(from *unit, module string) *entry {
	key := asked{from, module}
	if e, ok := x.found.Load(key); ok {
		return e.(*entry)
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	e := x.look(from, module)
	x.found.Store(key, e)
	return e
}

// look finds what entry remembers.
func (x *Index) look(from *unit, module string) *entry {
	if rest := strings.TrimLeft(module, "."); rest != module {
		dir := path.Dir(from.path)
		for i := len(module) - len(rest); i > 1; i-- {
			dir = path.Dir(dir)
		}
		return x.at(path.Join(dir, strings.ReplaceAll(rest, ".", "/")))
	}
	tail := strings.ReplaceAll(module, ".", "/")
	var best *entry
	common := -1
	for _, e := range x.bases[path.Base(tail)] {
		if e.path != from.path && (e.module == tail || strings.HasSuffix(e.module, "/"+tail)) {
			if n := shared(e.path, from.path); n > common || n == common && e.path < best.path {
				best, common = e, n
			}
		}
	}
	return best
}

func (x *Index) at(module string) *entry {
	if e := x.paths[module+".py"]; e != nil {
		return e
	}
	return x.paths[module+"/__init__.py"]
}

// manyFiles is how many files a folder has at most of which those are read too that do not matter by themselves.
const manyFiles = 40

// near returns the files of u's folder that were added, and of a small folder those that were offered; where class is
// not empty, those that may define a class of that name.
func (x *Index) near(u *unit, class string) []*pysyntax.File {
	var there []*entry
	x.mu.RLock()
	for _, e := range x.folders[path.Dir(u.path)] {
		there = append(there, e)
	}
	x.mu.RUnlock()
	sort.Slice(there, func(i, j int) bool { return there[i].path < there[j].path })
	var found []*pysyntax.File
	for _, e := range there {
		if e.load != nil && (len(there) > manyFiles || class != "" && !e.named()[class]) {
			continue
		}
		if known := e.get(); known != nil {
			found = append(found, known.file)
		}
	}
	return found
}

// classNames are those that source defines at its margin.
func classNames(load func() ([]byte, error)) map[string]bool {
	source, err := load()
	if err != nil {
		return nil
	}
	names := map[string]bool{}
	for line := range bytes.Lines(source) {
		if rest, ok := bytes.CutPrefix(line, classWord[1:]); ok {
			rest = bytes.TrimLeft(rest, " \t")
			end := bytes.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune("(:[ \t\\\r\n", r) })
			names[string(rest[:max(end, 0)])] = true
		}
	}
	return names
}

func moduleOf(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, ".py"), "/__init__")
}

// shared counts the bytes with which a and b begin alike.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func slashed(p string) string { return filepath.ToSlash(filepath.Clean(p)) }
