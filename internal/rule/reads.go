package rule

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/locate"
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
	Chosen  bool   // an entry is picked by its value, or by a key or place that may be an old one's
	Best    Best   // by what, where that is known
}

// kept is what a statement fills, as the source names it.
type kept struct {
	file     *pysyntax.File
	at       pysyntax.Ref // the statement
	path     string
	local    bool         // a variable of function, which nothing outside of it reads by that name
	function pysyntax.Ref // None: of the module
	script   bool         // a variable of a file that is run, and not imported, or part of one
}

func keptBy(s *pyflow.Store) kept {
	k := kept{file: s.Site.File, at: s.Site.At, path: s.Holder.Path}
	if k.local = s.Holder.Scope == pyflow.Local; k.local {
		k.function = k.file.Function(k.at)
	}
	k.script = s.Holder.Scope == pyflow.Global && k.runs()
	return k
}

// runs reports whether the file is one that is run: it stores at its top level, or asks whether it is run.
func (k kept) runs() bool {
	return k.file.Function(k.at) == pysyntax.None || k.file.Mentions("__name__ ==")
}

// ReadsOfAttribute looks at every place in a file that may read the attribute path, "self.saves", which a statement fills.
func ReadsOfAttribute(f *pysyntax.File, statement pysyntax.Ref, path string) Reads {
	reads, _ := readsOf(kept{file: f, at: statement, path: path}, func() []*pysyntax.File { return nil })
	return reads
}

// kept is what the case's statement fills; false where it is no container that the source gives a name to, or the name
// is another than that by which the holder was found.
func (c *Case) kept() (kept, bool) {
	p := c.Place
	path := p.Target
	switch p.Action {
	case locate.Append, locate.Extend, locate.Insert, locate.Add, locate.SetDefault:
	case locate.SetItem:
		path = path[:max(strings.LastIndexByte(path, '['), 0)]
	default:
		return kept{}, false
	}
	if !p.Readable() || path == "" || strings.ContainsAny(path, "()\n") {
		return kept{}, false
	}
	k := kept{file: p.File, at: p.Statement, path: path}
	name, attribute, _ := k.name()
	if c.Holder != nil && c.Holder.Scope.Name != "" && c.Holder.Scope.Name != name {
		return kept{}, false
	}
	if !attribute {
		k.function = pysyntax.NewScopes(p.File).Resolve(name, p.Statement)
		k.local = k.function != pysyntax.None
		k.script = !k.local && (k.runs() || c.Holder != nil && c.Holder.Scope.Module == "__main__")
	} else {
		k.script = c.ofScript()
	}
	return k, true
}

// ofScript reports whether the holder is part of a variable of the file that is run, and the case's statement stands in
// that file: what no file in sight reads, nobody can.
func (c *Case) ofScript() bool {
	if c.Holder == nil {
		return false
	}
	path, script := strings.CutPrefix(c.Holder.Path, "__main__.")
	name, _, part := strings.Cut(path, ".")
	return script && part && slices.ContainsFunc(slices.Collect(c.Place.File.Children(pysyntax.None)), func(statement pysyntax.Ref) bool {
		return assigns(c.Place.File, statement, name)
	})
}

// assigns reports whether a statement is an assignment to a variable.
func assigns(f *pysyntax.File, statement pysyntax.Ref, name string) bool {
	node := f.FirstChild(statement)
	return f.Kind(statement) == pysyntax.ExpressionStatement && f.Kind(node) == pysyntax.Assignment && f.Says(f.Child(node, pysyntax.FieldLeft), name)
}

// readAsNumbers reports whether it is proven that all who read what the case's statement keeps would take numbers as well.
func (c *Case) readAsNumbers() bool {
	k, ok := c.kept()
	if !ok {
		return false
	}
	reads, _ := readsOf(k, func() []*pysyntax.File { return c.Sources })
	return k.numbers(reads)
}

// name is the last name of the path, and levels how many subscripts lie between it and the container: of an entry, all
// entries are read alike.
func (k kept) name() (name string, attribute bool, levels int) {
	path := k.path
	for strings.HasSuffix(path, "]") {
		open := strings.LastIndexByte(path, '[')
		if open <= 0 {
			break
		}
		path, levels = path[:open], levels+1
	}
	name = path[strings.LastIndexByte(path, '.')+1:]
	return name, name != path, levels
}

// unseen reports whether it has a name that nobody out of sight uses.
func (k kept) unseen() bool {
	name, attribute, _ := k.name()
	return k.local && !attribute || strings.HasPrefix(name, "_")
}

// handed reports whether it is an argument of the function: others know it by other names.
func (k kept) handed() bool {
	name, attribute, _ := k.name()
	return !attribute && slices.Contains(k.file.Parameters(k.file.Function(k.at)), name)
}

// numbers reports whether it is proven that plain numbers do for all who read k: somebody in sight does, or nobody can.
func (k kept) numbers(reads Reads) bool {
	return reads.Numbers && (reads.Any || k.unseen() || k.script) && !k.handed()
}

// ReadsOf looks at every place that may read the holder of s: of a variable, in its file; of an attribute, whatever the
// object, in the files of its folder.
func ReadsOf(p *Pass, s *pyflow.Store) Reads {
	k := keptBy(s)
	key := holderKey{k.file, k.path, k.function}
	if known, ok := p.reads[key]; ok {
		return known
	}
	if p.looked > maxLooked {
		return Reads{Any: true, Whole: true, Chosen: true} // it may be
	}
	if p.reads == nil {
		p.reads = map[holderKey]Reads{}
	}
	reads, looked := readsOf(k, p.Flow.Near)
	p.reads[key], p.looked = reads, p.looked+looked
	return reads
}

// maxLooked bounds the work for files with very many holders.
const maxLooked = 20_000_000

// holderKey names a holder in a file.
type holderKey struct {
	file     *pysyntax.File
	path     string
	function pysyntax.Ref // of local variables
}

// readsOf looks at every place that may read k in its file, and where that is no local variable in those near it. It
// says how many nodes it went through.
func readsOf(k kept, near func() []*pysyntax.File) (reads Reads, looked int) {
	w := reader{kept: k, Reads: Reads{Numbers: true}}
	w.name, w.attribute, w.levels = k.name()
	files := []*pysyntax.File{k.file}
	if w.attribute || !k.local {
		for _, f := range near() {
			if f != k.file && f.Mentions(w.name) {
				files = append(files, f)
			}
		}
	}
	for _, f := range files {
		within := pysyntax.None
		if k.local && !w.attribute {
			within = k.function
		}
		w.File = f
		looked += int(f.Node(within).After - within)
		for r := range f.Walk(within) {
			if w.names(r) {
				w.read(r)
			}
		}
	}
	return w.Reads, looked
}

// reader collects the reads of one holder.
type reader struct {
	*pysyntax.File
	Reads
	kept      kept
	name      string
	attribute bool
	levels    int // subscripts between the named container and the holder
}

// names reports whether r is a use of the name.
func (w *reader) names(r pysyntax.Ref) bool {
	switch w.Kind(r) {
	case pysyntax.Attribute:
		return (w.attribute || w.File != w.kept.file) && w.Says(w.Child(r, pysyntax.FieldAttribute), w.name)
	case pysyntax.Identifier:
		return !w.attribute && w.Says(r, w.name) && variable(w.File, r)
	}
	return false
}

// variable reports whether an identifier is a variable's: no attribute, and no name of an argument.
func variable(f *pysyntax.File, r pysyntax.Ref) bool {
	parent := f.Parent(r)
	return f.Node(r).Field != pysyntax.FieldAttribute && (f.Kind(parent) != pysyntax.KeywordArgument || f.Child(parent, pysyntax.FieldName) != r)
}

// read judges one use.
func (w *reader) read(r pysyntax.Ref) {
	for range w.levels {
		if up := w.Parent(r); w.Kind(up) == pysyntax.Subscript && w.Child(up, pysyntax.FieldValue) == r {
			if w.otherKey(up) {
				return
			}
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
	case w.asked(r), w.Kind(parent) == pysyntax.ArgumentList && w.Says(w.Child(w.Parent(parent), pysyntax.FieldFunction), "len"):
		w.Any = true
	case w.Kind(parent) == pysyntax.Subscript && w.Child(parent, pysyntax.FieldValue) == r:
		w.choose(r)
		w.part(parent)
	case w.rows(r) > 0:
		w.Any, w.Numbers, w.Newest = true, false, max(w.Newest, w.rows(r))
	default:
		w.choose(r)
		w.Chosen = w.Chosen || picked(w.File, r) && !latest(w.File, w.Parent(w.Parent(parent)))
		w.whole(numeric(w.File, r))
	}
}

// otherKey reports whether a subscript is by another key, written out, than the one whose entry is filled.
func (w *reader) otherKey(subscript pysyntax.Ref) bool {
	if w.levels != 1 {
		return false
	}
	filled := plainString.FindString(w.kept.path[strings.IndexByte(w.kept.path, '[')+1 : len(w.kept.path)-1])
	read := plainString.FindString(w.Text(w.Child(subscript, pysyntax.FieldSubscript)))
	return filled != "" && read != "" && strings.Trim(filled, `"'`) != strings.Trim(read, `"'`)
}

// plainString is a string of one line as it is written in the source.
var plainString = regexp.MustCompile(`^("[\w .-]*"|'[\w .-]*')$`)

// asked reports whether r is only asked whether there is anything in it.
func (w *reader) asked(r pysyntax.Ref) bool {
	parent := w.Parent(r)
	switch w.Kind(parent) {
	case pysyntax.NotOperator:
		return true
	case pysyntax.IfStatement, pysyntax.ElifClause, pysyntax.WhileStatement:
		return w.Child(parent, pysyntax.FieldCondition) == r
	case pysyntax.ConditionalExpression: // a if r else b
		return w.NextSibling(w.FirstChild(parent)) == r
	}
	return false
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
		if slice && (w.sameObject(r, rest) || w.constant(r, rest)) && (w.Span == "" || w.Span == rest) {
			w.Span = rest
			w.Numbers = w.Numbers && numeric(w.File, r)
			return
		}
	}
	w.Chosen = w.Chosen || w.Kind(index) != pysyntax.Slice && !latest(w.File, r)
	w.whole(numeric(w.File, r))
}

// rows is how many of the newest rows are read of what the entries of r are joined to, as in concatenate(r)[-64:]: from as
// many entries at most, since each has one at least. 0 where that is not what happens to r.
func (w *reader) rows(r pysyntax.Ref) int {
	arguments := w.Parent(r)
	call := w.Parent(arguments)
	rows := w.Parent(call)
	alone := w.Kind(arguments) == pysyntax.ArgumentList && w.FirstChild(arguments) == r && w.NextSibling(r) == pysyntax.None
	if !alone || !keepsOrder[called(w.File, call)] || w.Kind(rows) != pysyntax.Subscript || w.Child(rows, pysyntax.FieldValue) != call {
		return 0
	}
	text := strings.ReplaceAll(w.Text(w.Child(rows, pysyntax.FieldSubscript)), " ", "")
	if !strings.HasPrefix(text, "-") || !strings.HasSuffix(text, ":") {
		return 0
	}
	n, err := strconv.Atoi(text[1 : len(text)-1])
	if err != nil {
		return 0
	}
	return n
}

// keepsOrder are the functions whose result has the entries of their one argument in its rows, in their order.
var keepsOrder = map[string]bool{"concatenate": true, "concat": true, "cat": true, "stack": true, "vstack": true, "list": true, "tuple": true}

// sameObject reports whether an attribute of self, as it is read at r, is the same where the store is.
func (w *reader) sameObject(r pysyntax.Ref, text string) bool {
	name, ok := strings.CutPrefix(text, "self.")
	class := w.Class(w.Function(r))
	return ok && name != "" && !strings.ContainsAny(name, "()[].") && w.File == w.kept.file && class != pysyntax.None &&
		class == w.Class(w.Function(w.kept.at)) && strings.HasPrefix(w.kept.path, "self.")
}

// constant reports whether a variable, as it is read at r, is the same where the store is: nobody sets it but the caller of
// the function, or the module once.
func (w *reader) constant(r pysyntax.Ref, name string) bool {
	if w.File != w.kept.file {
		return false
	}
	function := w.Function(w.kept.at)
	parameter := slices.Contains(w.Parameters(function), name)
	if function != w.Function(r) && (parameter || slices.Contains(w.Parameters(w.Function(r)), name)) {
		return false
	}
	set := 0
	for a := range w.Walk(pysyntax.None) {
		if w.Kind(a) != pysyntax.Identifier || !w.Says(a, name) || !variable(w.File, a) || !w.bound(a) {
			continue
		}
		if w.Function(a) != pysyntax.None {
			return false
		}
		set++
	}
	return parameter || set == 1
}

// bound reports whether a name is given a value at r, otherwise than as a parameter.
func (w *reader) bound(r pysyntax.Ref) bool {
	for up := w.Parent(r); ; r, up = up, w.Parent(up) {
		switch w.Kind(up) {
		case pysyntax.PatternList, pysyntax.TuplePattern, pysyntax.AsPatternTarget, pysyntax.Tuple, pysyntax.ExpressionList:
			continue
		case pysyntax.Assignment, pysyntax.AugmentedAssignment, pysyntax.ForStatement, pysyntax.ForInClause, pysyntax.NamedExpression:
			return r == w.FirstChild(up)
		case pysyntax.AsPattern, pysyntax.GlobalStatement, pysyntax.NonlocalStatement:
			return true
		}
		return false
	}
}

// What takes plain numbers, or lists of them, as well as tensors: what comes out is a number again, or nothing.
var (
	picks = map[string]bool{"max": true, "min": true, "sorted": true, "nlargest": true, "nsmallest": true, "heapify": true, "heappush": true, "heappop": true,
		"argmax": true, "argmin": true, "argsort": true, "topk": true, "bisect": true, "insort": true}
	folds  = map[string]bool{"sum": true, "max": true, "min": true, "abs": true, "mean": true, "median": true, "average": true, "fsum": true, "std": true}
	passes = map[string]bool{"list": true, "tuple": true, "enumerate": true, "reversed": true, "array": true, "tensor": true, "stack": true, "zip": true}
	takes  = map[string]bool{"float": true, "int": true, "round": true, "str": true, "format": true, "print": true, "len": true, "isnan": true,
		"isfinite": true, "plot": true, "semilogy": true, "add_scalar": true, "array": true, "asarray": true}
)

// latest reports whether a subscript reads the entry with the largest key of a dictionary, saves[max(saves)]: of keys
// that count, the newest.
func latest(f *pysyntax.File, r pysyntax.Ref) bool {
	return f.Kind(r) == pysyntax.Subscript && f.Says(f.Child(r, pysyntax.FieldSubscript), "max("+f.Text(f.Child(r, pysyntax.FieldValue))+")")
}

// picked reports whether entries of r are chosen by their value or key: the best of all, say, which may be an old one.
func picked(f *pysyntax.File, r pysyntax.Ref) bool {
	parent := f.Parent(r)
	switch f.Kind(parent) {
	case pysyntax.Attribute:
		switch f.Text(f.Child(parent, pysyntax.FieldAttribute)) {
		case "sort", "get", "index":
			return true
		case "items", "values", "keys":
			return picked(f, f.Parent(parent))
		}
	case pysyntax.ArgumentList:
		name := called(f, f.Parent(parent))
		return picks[name] || passes[name] && picked(f, f.Parent(parent))
	case pysyntax.Call: // of a generator, which needs no parentheses of its own
		return f.Child(parent, pysyntax.FieldFunction) != r && picks[called(f, parent)]
	case pysyntax.ForInClause:
		return f.Child(parent, pysyntax.FieldRight) == r && picked(f, f.Parent(parent))
	case pysyntax.ParenthesizedExpression, pysyntax.List:
		return picked(f, parent)
	}
	return false
}

// called is the last name of what a call calls.
func called(f *pysyntax.File, call pysyntax.Ref) string {
	callee := f.Text(f.Child(call, pysyntax.FieldFunction))
	return callee[strings.LastIndexByte(callee, '.')+1:]
}

// numeric reports whether a plain number, or a list of them, would do at r.
func numeric(f *pysyntax.File, r pysyntax.Ref) bool { return taken(f, r, true) }

// taken reports whether a plain number would do at r, or for who reads the name that is given it, where follow says to
// look for them.
func taken(f *pysyntax.File, r pysyntax.Ref, follow bool) bool {
	parent := f.Parent(r)
	switch f.Kind(parent) {
	case pysyntax.Interpolation, pysyntax.FormatExpression:
		return true
	case pysyntax.ComparisonOperator:
		up := f.Parent(parent)
		return f.Kind(up) != pysyntax.ParenthesizedExpression || f.Kind(f.Parent(up)) != pysyntax.Attribute // (a < b).any()
	case pysyntax.ParenthesizedExpression, pysyntax.UnaryOperator, pysyntax.Tuple:
		return taken(f, parent, follow)
	case pysyntax.BinaryOperator:
		return f.Is(f.Child(parent, pysyntax.FieldLeft), pysyntax.String, pysyntax.ConcatenatedString) || taken(f, parent, follow)
	case pysyntax.ArgumentList:
		call := f.Parent(parent)
		if strings.HasPrefix(f.Text(call), "torch.") {
			return false
		}
		name := called(f, call)
		return takes[name] || folds[name] && taken(f, call, follow)
	case pysyntax.Assignment, pysyntax.AugmentedAssignment:
		left := f.Child(parent, pysyntax.FieldLeft)
		return follow && f.Child(parent, pysyntax.FieldRight) == r && f.Kind(left) == pysyntax.Identifier && countsNumbers(f, f.Function(parent), left)
	case pysyntax.ForInClause, pysyntax.ForStatement:
		around := parent
		if f.Kind(parent) == pysyntax.ForInClause {
			around = f.Parent(parent)
		}
		return f.Child(parent, pysyntax.FieldRight) == r && countsNumbers(f, around, f.Child(parent, pysyntax.FieldLeft))
	}
	return false
}

// countsNumbers reports whether the names that targets are given are treated as numbers within a loop, a comprehension
// or a function, None for all of the file.
func countsNumbers(f *pysyntax.File, within, targets pysyntax.Ref) bool {
	names := map[string]bool{}
	for r := range f.Walk(targets) {
		if f.Kind(r) == pysyntax.Identifier {
			names[f.Text(r)] = true
		}
	}
	for r := range f.Walk(within) {
		if f.Kind(r) != pysyntax.Identifier || !names[f.Text(r)] || !variable(f, r) || f.Within(r, targets) {
			continue
		}
		given := f.Is(f.Parent(r), pysyntax.Assignment, pysyntax.AugmentedAssignment) && f.Node(r).Field == pysyntax.FieldLeft
		if !given && !taken(f, r, false) {
			return false
		}
	}
	return true
}
