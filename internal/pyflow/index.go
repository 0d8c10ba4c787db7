package pyflow

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Index knows the files that are looked at together, so that a call from one into another can be followed.
type Index struct {
	mu      sync.RWMutex
	paths   map[string]*unit
	bases   map[string][]*unit  // by the last part of the module's name
	emptied map[string]bool     // names of attributes that some file empties or sets anew
	callers map[string]*callers // by the bare name of what is called
}

// callers counts in which way a name is called.
type callers struct{ grad, noGrad int }

// NewIndex returns an index of no files.
func NewIndex() *Index {
	return &Index{paths: map[string]*unit{}, bases: map[string][]*unit{}, emptied: map[string]bool{}, callers: map[string]*callers{}}
}

var signs = [][]byte{[]byte("torch"), []byte(".backward("), []byte("lightning"), []byte("accelerate"), []byte("transformers"), []byte("fastai")}

// Matters reports whether anything could be found in source, or in a file that it calls. It is cheap: files that do
// not matter need not be parsed.
func Matters(source []byte) bool {
	for _, s := range signs {
		if bytes.Contains(source, s) {
			return true
		}
	}
	return false
}

// Add makes f known to the others. It may be called from several goroutines.
func (x *Index) Add(f *pysyntax.File) {
	u := newUnit(f)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.paths[u.path] = u
	base := path.Base(u.module)
	x.bases[base] = append(x.bases[base], u)
	for name := range u.emptied {
		x.emptied[name] = true
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

// unitOf returns what is known of f, which need not have been added.
func (x *Index) unitOf(f *pysyntax.File) *unit {
	x.mu.RLock()
	u := x.paths[slashed(f.Path)]
	x.mu.RUnlock()
	if u == nil || u.file != f {
		x.Add(f)
		return x.unitOf(f)
	}
	return u
}

// find returns the file that module means in from, nil where it is none of those known.
func (x *Index) find(from *unit, module string) *unit {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if rest := strings.TrimLeft(module, "."); rest != module {
		dir := path.Dir(from.path)
		for i := len(module) - len(rest); i > 1; i-- {
			dir = path.Dir(dir)
		}
		return x.at(path.Join(dir, strings.ReplaceAll(rest, ".", "/")))
	}
	tail := strings.ReplaceAll(module, ".", "/")
	var best *unit
	common := -1
	for _, u := range x.bases[path.Base(tail)] {
		if u != from && (u.module == tail || strings.HasSuffix(u.module, "/"+tail)) {
			if n := shared(u.path, from.path); n > common {
				best, common = u, n
			}
		}
	}
	return best
}

func (x *Index) at(module string) *unit {
	if u := x.paths[module+".py"]; u != nil {
		return u
	}
	return x.paths[module+"/__init__.py"]
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
