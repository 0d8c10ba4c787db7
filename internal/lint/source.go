package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// maxNotebook bounds a notebook, most of which is often pictures.
const maxNotebook = 64 << 20

// source is one file as it was read.
type source struct {
	file
	name     string                 // as it is shown
	tree     *pysyntax.File         // nil where nothing of it can be checked
	cells    []cell                 // of a notebook; nil for other files
	offered  func() ([]byte, error) // reads what was not parsed, in case a file that was calls into it
	original []byte                 // a notebook's cells before what is no Python was masked
	skipped  []finding.Skipped
	spent    bool // not all fixes could be checked
}

// readAll reads and parses files on all processors.
func readAll(files []file, opts Options, overlay map[string][]byte) []*source {
	sources := make([]*source, len(files))
	each(len(files), func(i int) int64 { return files[i].size }, func(i int) {
		s := &source{file: files[i], name: shown(files[i].path, opts.Dir)}
		if s.path == "-" {
			s.name = opts.StdinName
			if s.name == "" {
				s.name = "-"
			}
		}
		s.read(opts, overlay)
		sources[i] = s
	})
	return sources
}

// each calls do with 0 to n-1 on all processors, the heaviest first, so that none is left alone with a heavy one at the end.
func each(n int, weight func(i int) int64, do func(i int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(weight(j), weight(i)) })
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for _, i := range order {
		next <- i
	}
	close(next)
	wg.Wait()
}

// read parses the file where anything could be found in it: parsing is what costs.
func (s *source) read(opts Options, overlay map[string][]byte) {
	if s.reason != "" {
		s.skip(0, s.reason)
		return
	}
	text, changed := overlay[s.path]
	switch {
	case changed:
	case s.path == "-":
		text = opts.Stdin
	default:
		if text = s.load(); text == nil {
			return
		}
	}
	if s.isNotebook() {
		s.notebook(text)
		return
	}
	if !s.named && !pyflow.Matters(text) && !speaks(text) {
		s.offered = func() ([]byte, error) { return os.ReadFile(s.path) }
		if changed {
			s.offered = func() ([]byte, error) { return text, nil }
		}
		return
	}
	tree, err := pysyntax.Parse(s.name, text)
	if err != nil {
		_, reason, _ := strings.Cut(err.Error(), s.name+": ")
		s.skip(0, reason)
		return
	}
	s.judge(tree)
}

// speaks reports whether there is something to say of text all the same: that it cannot be read, or that its comments
// ask for something in vain.
func speaks(text []byte) bool {
	return bytes.IndexByte(text, 0) >= 0 || bytes.Contains(text, []byte("torchleak:"))
}

// weight is how much there is to check.
func (s *source) weight() int64 {
	if s.tree == nil {
		return 0
	}
	return int64(s.tree.Len())
}

func (s *source) isNotebook() bool { return strings.HasSuffix(s.name, ".ipynb") }

func (s *source) load() []byte {
	limit := int64(pysyntax.MaxSize)
	if s.isNotebook() {
		limit = maxNotebook
	}
	if info, err := os.Stat(s.path); err == nil && info.Size() > limit {
		s.skip(0, fmt.Sprintf("it is larger than %d MiB", limit>>20))
		return nil
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		s.skip(0, unreadable(err))
		return nil
	}
	return text
}

// judge keeps the tree where it is worth checking, and says what of it is not.
func (s *source) judge(tree *pysyntax.File) {
	if line := python2(tree); line > 0 {
		s.skip(line, "it is Python 2: line "+fmt.Sprint(line)+" has a statement that Python 3 does not know")
		return
	}
	s.tree = tree
	if line := syntaxError(tree); line > 0 {
		s.part(line, "syntax error; what could be read of the rest was checked")
	}
	if !utf8.Valid(tree.Source) && !declaresEncoding(tree.Source) {
		s.part(0, "it is not UTF-8 and declares no encoding, so Python would not read it; it was checked byte by byte")
	}
}

// python2 returns the line of the first statement that only Python 2 has, 0 if there is none.
func python2(f *pysyntax.File) int {
	if !bytes.Contains(f.Source, []byte("print ")) && !bytes.Contains(f.Source, []byte("print\t")) && !bytes.Contains(f.Source, []byte("exec ")) {
		return 0
	}
	for r := range f.Walk(pysyntax.None) {
		if f.Is(r, pysyntax.PrintStatement, pysyntax.ExecStatement) {
			return f.Line(f.Node(r).Start)
		}
	}
	return 0
}

// syntaxError returns the line of the first text that did not parse, 0 if all did.
func syntaxError(f *pysyntax.File) int {
	if !f.HasError {
		return 0
	}
	return f.Line(f.ErrorAt)
}

var encodingRx = regexp.MustCompile(`^(?:[^\n]*\n)?[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+`)

func declaresEncoding(text []byte) bool { return encodingRx.Match(text[:min(len(text), 400)]) }

// skip says that nothing of the file is checked.
func (s *source) skip(line int, reason string) {
	s.skipped = append(s.skipped, finding.Skipped{File: s.name, Line: line, Reason: reason, Whole: true, Named: s.named})
}

// part says that some of the file is not checked.
func (s *source) part(line int, reason string) {
	s.skipped = append(s.skipped, finding.Skipped{File: s.name, Line: line, Reason: reason, Named: s.named})
}
