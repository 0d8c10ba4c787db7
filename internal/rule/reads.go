package rule

import (
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Reads is how the source in sight reads what a store fills.
type Reads struct {
	Any     bool   // something reads it
	Whole   bool   // something may read all of it
	Newest  int    // otherwise, so many of the newest are read,
	Span    string // or as many as this expression says
	Numbers bool   // plain numbers would do wherever it is read
}

// ReadsOf looks at every place that may read the holder of s: of a variable, in its file; of an attribute, whatever the
// object, in the files of its folder.
func ReadsOf(p *Pass, s *pyflow.Store) Reads {
	key := holderKey{s.Site.File, s.Holder.Path, pysyntax.None}
	if s.Holder.Scope == pyflow.Local {
		key.function = s.Site.File.Function(s.Site.At)
	}
	if known, ok := p.reads[key]; ok {
		return known
	}
	if p.looked > maxLooked {
		return Reads{Any: true, Whole: true} // it may be
	}
	if p.reads == nil {
		p.reads = map[holderKey]Reads{}
	}
	p.reads[key] = readsOf(p, s)
	return p.reads[key]
}

// maxLooked bounds the work for files with very many holders.
const maxLooked = 20_000_000

// holderKey names a holder in a file.
type holderKey struct {
	file     *pysyntax.File
	path     string
	function pysyntax.Ref // of local variables
}

func readsOf(p *Pass, s *pyflow.Store) Reads {
	w := reader{pass: p, store: s, Reads: Reads{Numbers: true}}
	path := s.Holder.Path
	for strings.HasSuffix(path, "]") { // of an entry, all entries are read alike
		open := strings.LastIndexByte(path, '[')
		if open <= 0 {
			break
		}
		path, w.levels = path[:open], w.levels+1
	}
	w.name = path[strings.LastIndexByte(path, '.')+1:]
	w.attribute = w.name != path
	files := []*pysyntax.File{s.Site.File}
	if w.attribute || s.Holder.Scope == pyflow.Global {
		for _, f := range p.Flow.Near() {
			if f != s.Site.File && strings.Contains(string(f.Source), w.name) {
				files = append(files, f)
			}
		}
	}
	for _, f := range files {
		within := pysyntax.None
		if s.Holder.Scope == pyflow.Local && !w.attribute {
			within = f.Function(s.Site.At)
		}
		w.File = f
		p.looked += int(f.Node(within).After - within)
		for r := range f.Walk(within) {
			if w.names(r) {
				w.read(r)
			}
		}
	}
	return w.Reads
}

// reader collects the reads of one holder.
type reader struct {
	*pysyntax.File
	Reads
	pass      *Pass
	store     *pyflow.Store
	name      string
	attribute bool
	levels    int // subscripts between the named container and the holder
}

// names reports whether r is a use of the name.
func (w *reader) names(r pysyntax.Ref) bool {
	switch w.Kind(r) {
	case pysyntax.Attribute:
		return (w.attribute || w.File != w.store.Site.File) && w.Says(w.Child(r, pysyntax.FieldAttribute), w.name)
	case pysyntax.Identifier:
		if w.attribute || !w.Says(r, w.name) || w.Node(r).Field == pysyntax.FieldAttribute {
			return false
		}
		parent := w.Parent(r)
		return w.Kind(parent) != pysyntax.KeywordArgument || w.Child(parent, pysyntax.FieldName) != r
	}
	return false
}

// read judges one use.
func (w *reader) read(r pysyntax.Ref) {
	for range w.levels {
		if up := w.Parent(r); w.Kind(up) == pysyntax.Subscript && w.Child(up, pysyntax.FieldValue) == r {
			r = up
		} else if w.written(r) || w.Is(w.Parent(r), pysyntax.GlobalStatement, pysyntax.NonlocalStatement) {
			return
		} else {
			w.whole(false)
			return
		}
	}
	parent := w.Parent(r)
	switch {
	case w.written(r), w.Is(parent, pysyntax.GlobalStatement, pysyntax.NonlocalStatement, pysyntax.Parameters):
	case w.Kind(parent) == pysyntax.ComparisonOperator && strings.HasSuffix(w.Text(parent), " in "+w.Text(r)):
	case w.Kind(parent) == pysyntax.ArgumentList && w.Says(w.Child(w.Parent(parent), pysyntax.FieldFunction), "len"):
		w.Any = true
	case w.Kind(parent) == pysyntax.Subscript && w.Child(parent, pysyntax.FieldValue) == r:
		w.part(parent)
	default:
		w.whole(numeric(w.File, r))
	}
}

// whole notes that all of it may be read, as numbers or not.
func (w *reader) whole(numbers bool) {
	w.Any, w.Whole = true, true
	w.Numbers = w.Numbers && numbers
}

// written reports whether r is only written here: assigned, or given something.
func (w *reader) written(r pysyntax.Ref) bool {
	parent := w.Parent(r)
	switch w.Kind(parent) {
	case pysyntax.Assignment, pysyntax.AugmentedAssignment:
		return w.Child(parent, pysyntax.FieldLeft) == r
	case pysyntax.PatternList, pysyntax.TuplePattern:
		return true
	case pysyntax.Subscript:
		up := w.Parent(parent)
		return w.Child(parent, pysyntax.FieldValue) == r && w.Kind(up) == pysyntax.Assignment && w.Child(up, pysyntax.FieldLeft) == parent
	case pysyntax.Attribute:
		switch w.Text(w.Child(parent, pysyntax.FieldAttribute)) {
		case "append", "extend", "add", "insert", "clear", "update", "appendleft", "put", "setdefault":
			statement := w.Parent(w.Parent(parent))
			return w.Kind(w.Parent(parent)) == pysyntax.Call && w.Kind(statement) == pysyntax.ExpressionStatement
		}
	case pysyntax.DeleteStatement:
		return true
	}
	return false
}

// part judges the read of an entry or a slice.
func (w *reader) part(r pysyntax.Ref) {
	w.Any = true
	index := w.Child(r, pysyntax.FieldSubscript)
	text := strings.ReplaceAll(w.Text(index), " ", "")
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		rest, slice := strings.CutSuffix(rest, ":")
		if n, err := strconv.Atoi(rest); err == nil {
			w.Newest = max(w.Newest, n)
			w.Numbers = w.Numbers && numeric(w.File, r)
			return
		}
		if slice && w.sameObject(r, rest) && (w.Span == "" || w.Span == rest) {
			w.Span = rest
			w.Numbers = w.Numbers && numeric(w.File, r)
			return
		}
	}
	w.whole(numeric(w.File, r))
}

// sameObject reports whether an attribute of self, as it is read at r, is the same where the store is.
func (w *reader) sameObject(r pysyntax.Ref, text string) bool {
	name, ok := strings.CutPrefix(text, "self.")
	class := w.Class(w.Function(r))
	return ok && name != "" && !strings.ContainsAny(name, "()[].") && w.File == w.store.Site.File && class != pysyntax.None &&
		class == w.Class(w.Function(w.store.Site.At)) && strings.HasPrefix(w.store.Holder.Path, "self.")
}

// What takes plain numbers, or lists of them, as well as tensors: what comes out is a number again, or nothing.
var (
	folds = map[string]bool{"sum": true, "max": true, "min": true, "abs": true, "mean": true, "median": true, "average": true, "fsum": true, "std": true}
	takes = map[string]bool{"float": true, "int": true, "round": true, "str": true, "format": true, "print": true, "len": true, "isnan": true,
		"isfinite": true, "plot": true, "semilogy": true, "add_scalar": true, "array": true, "asarray": true}
)

// numeric reports whether a plain number, or a list of them, would do at r.
func numeric(f *pysyntax.File, r pysyntax.Ref) bool {
	parent := f.Parent(r)
	switch f.Kind(parent) {
	case pysyntax.ComparisonOperator, pysyntax.Interpolation, pysyntax.FormatExpression:
		return true
	case pysyntax.ParenthesizedExpression, pysyntax.UnaryOperator, pysyntax.Tuple:
		return numeric(f, parent)
	case pysyntax.BinaryOperator:
		return f.Is(f.Child(parent, pysyntax.FieldLeft), pysyntax.String, pysyntax.ConcatenatedString) || numeric(f, parent)
	case pysyntax.ArgumentList:
		call := f.Parent(parent)
		callee := f.Text(f.Child(call, pysyntax.FieldFunction))
		name := callee[strings.LastIndexByte(callee, '.')+1:]
		if strings.HasPrefix(callee, "torch.") {
			return false
		}
		return takes[name] || folds[name] && numeric(f, call)
	case pysyntax.ForInClause, pysyntax.ForStatement:
		around := parent
		if f.Kind(parent) == pysyntax.ForInClause {
			around = f.Parent(parent)
		}
		return f.Child(parent, pysyntax.FieldRight) == r && countsNumbers(f, around, f.Child(parent, pysyntax.FieldLeft))
	}
	return false
}

// countsNumbers reports whether a loop or comprehension treats what it counts as numbers.
func countsNumbers(f *pysyntax.File, loop, targets pysyntax.Ref) bool {
	names := map[string]bool{}
	for r := range f.Walk(targets) {
		if f.Kind(r) == pysyntax.Identifier {
			names[f.Text(r)] = true
		}
	}
	for r := range f.Walk(loop) {
		if f.Kind(r) == pysyntax.Identifier && names[f.Text(r)] && !f.Within(r, targets) && !numeric(f, r) {
			return false
		}
	}
	return true
}
