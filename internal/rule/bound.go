package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// How many entries stay, where nothing in sight says how many are read: few enough that a short run shows the growth to
// end. Of tensors that are joined, rows.
const (
	FewEntries = 8
	FewModels  = 3
	fewRows    = 256
)

// Bound is a fix that ends the growth of the holder of s whatever is put into it: it keeps no more entries than are read,
// or drops the statement where nobody reads any. Nil where it is not known how, where all of them are what the
// code around is for, or where the best or a named one of them is looked for. It is never safe: what reads the holder out of sight may want more.
func Bound(p *Pass, s *pyflow.Store) *Edit {
	f, path := s.Site.File, s.Holder.Path
	if f == nil {
		return nil
	}
	reads := ReadsOf(p, s)
	if s.Holder.Scope == pyflow.Local && !strings.Contains(path, ".") && reads.Whole && !trainsHere(f, s) {
		return nil // a pass over data that returns what it gathers
	}
	return bound(s, keptBy(s), reads, few(s))
}

// bound is Bound for a holder that is read in a way that is known; few is how many entries stay where that does not tell.
func bound(s *pyflow.Store, k kept, reads Reads, few int) *Edit {
	f, path := s.Site.File, s.Holder.Path
	if strings.ContainsAny(path, "()\n") || !ownStatement(f, s) {
		return nil
	}
	if !reads.Any && k.unseen() && harmless(f, s.Site.Value) {
		if edits, err := patch.Drop(f, s.Site.At); err == nil {
			return &Edit{Summary: fmt.Sprintf("Nothing in sight reads `%s`: leave the statement out.", path), File: f, Edits: edits}
		}
	}
	if reads.Chosen && !s.Guard && !calledGuarded(f, s) {
		return best(f, s, reads, few) // what is read may be an old entry; a cache makes that anew
	}
	text, keeps := shorten(f, s, reads, few)
	if text == "" {
		return nil
	}
	edits, err := patch.Behind(f, s.Site.At, text)
	if err != nil {
		return nil
	}
	if text == Shortened(path, keeps) {
		edits = append(edits, parallel(f, s, keeps)...)
	}
	return &Edit{Summary: fmt.Sprintf("Keep the newest %s of `%s` only, or empty it where what it holds is used up.", keeps, path), File: f, Edits: edits}
}

// best is a fix that keeps the entries by which all who read the holder choose; nil where that is not known.
func best(f *pysyntax.File, s *pyflow.Store, reads Reads, few int) *Edit {
	path, dictionary := s.Holder.Path, s.How == pyflow.Keyed && s.Holder.Type == "dict"
	if !reads.Best.usable() || !dictionary && !(s.How == pyflow.Appended && isList(f, s) && !inOrder(f, s)) {
		return nil
	}
	text, keeps := reads.Best.keepBest(path, dictionary, few)
	edits, err := patch.Behind(f, s.Site.At, text)
	if err != nil {
		return nil
	}
	return &Edit{Summary: fmt.Sprintf("Keep the best %s of `%s` only, by what they are chosen by.", keeps, path), File: f, Edits: edits}
}

// calledGuarded reports whether the function that stores under one of its parameters is called only where that key is
// not there yet: what was taken out is made anew.
func calledGuarded(f *pysyntax.File, s *pyflow.Store) bool {
	function := f.Function(s.Site.At)
	key := f.Child(f.Child(f.FirstChild(s.Site.At), pysyntax.FieldLeft), pysyntax.FieldSubscript)
	if s.How != pyflow.Keyed || function == pysyntax.None || key == pysyntax.None || !slices.Contains(f.Parameters(function), f.Text(key)) {
		return false
	}
	found := false
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.Call || called(f, r) != f.Name(function) {
			continue
		}
		if found = slices.ContainsFunc(Conditions(f, r, pysyntax.None), func(c pysyntax.Ref) bool {
			return strings.HasSuffix(f.Text(c), " not in "+s.Holder.Path)
		}); !found {
			return false
		}
	}
	return found
}

// few is how many entries stay where nothing in sight says how many are read.
func few(s *pyflow.Store) int {
	if (s.What.Traits|s.What.Parts)&pyflow.StateDict != 0 {
		return FewModels
	}
	return FewEntries
}

// inOrder reports whether other lists are appended to beside s: entries of the same place may belong together.
func inOrder(f *pysyntax.File, s *pyflow.Store) bool { return len(parallel(f, s, "")) > 0 }

// trainsHere reports whether a store stands in the training loop itself.
func trainsHere(f *pysyntax.File, s *pyflow.Store) bool {
	return trains(s) && s.Loop.Node != pysyntax.None && f.Within(s.Site.At, s.Loop.Node) && f.Function(s.Site.At) == f.Function(s.Loop.Node)
}

// ownStatement reports whether the store is all that its statement does.
func ownStatement(f *pysyntax.File, s *pyflow.Store) bool {
	node := f.FirstChild(s.Site.At)
	if f.Kind(s.Site.At) != pysyntax.ExpressionStatement {
		return false
	}
	switch f.Kind(node) {
	case pysyntax.Call:
		return f.Says(f.Descend(node, pysyntax.FieldFunction, pysyntax.FieldObject), s.Holder.Path)
	case pysyntax.AugmentedAssignment:
		return f.Says(f.Child(node, pysyntax.FieldLeft), s.Holder.Path)
	case pysyntax.Assignment:
		left := f.Child(node, pysyntax.FieldLeft)
		if s.How == pyflow.Keyed {
			left = f.Child(left, pysyntax.FieldValue)
		}
		return left != pysyntax.None && f.Says(left, s.Holder.Path)
	}
	return false
}

// harmless reports whether nothing happens when an expression is not evaluated: it calls nothing but what takes a value
// out of a tensor.
func harmless(f *pysyntax.File, r pysyntax.Ref) bool {
	if r == pysyntax.None {
		return false
	}
	for c := range f.Walk(r) {
		switch f.Kind(c) {
		case pysyntax.Yield, pysyntax.Await, pysyntax.NamedExpression:
			return false
		case pysyntax.Call:
			callee := f.Text(f.Child(c, pysyntax.FieldFunction))
			switch callee[strings.LastIndexByte(callee, '.')+1:] {
			case "item", "detach", "cpu", "clone", "numpy", "tolist", "float", "int", "str", "len", "copy":
			default:
				return false
			}
		}
	}
	return true
}

// shorten is the statement that keeps the holder short, and how many entries it keeps in words.
func shorten(f *pysyntax.File, s *pyflow.Store, reads Reads, few int) (text, keeps string) {
	path, n := s.Holder.Path, ""
	switch {
	case !reads.Whole && reads.Span != "" && reads.Newest <= 1:
		n = reads.Span
	case !reads.Whole && reads.Newest > 0 && reads.Span == "":
		n = fmt.Sprint(reads.Newest)
	default:
		n = reads.atLeast(few)
	}
	switch {
	case s.How == pyflow.Concats:
		dim, ok := joinedAlong(f, s.Site.Value)
		if !ok {
			return "", ""
		}
		n = reads.atLeast(fewRows)
		span := "-" + n + ":"
		if newestFirst(f, s) {
			span = ":" + n
		}
		return fmt.Sprintf("%s = %[1]s[%s]", path, along(dim, span)), n
	case s.How == pyflow.Keyed && s.Holder.Type == "dict":
		n = fmt.Sprint(few)
		return WithoutOldest(path, n), n
	case s.How != pyflow.Appended:
		return "", ""
	}
	method := f.Text(f.Descend(f.FirstChild(s.Site.At), pysyntax.FieldFunction, pysyntax.FieldAttribute))
	switch {
	case s.Holder.Type == "set":
		return fmt.Sprintf("while len(%s) > %s:\n\t%[1]s.pop()", path, n), n
	case s.Holder.Type == "deque" && method != "appendleft" && method != "extendleft":
		return fmt.Sprintf("while len(%s) > %s:\n\t%[1]s.popleft()", path, n), n
	case !isList(f, s) || method != "append" && method != "extend" && f.Kind(f.FirstChild(s.Site.At)) != pysyntax.AugmentedAssignment:
		return "", ""
	}
	return Shortened(path, n), n
}

// atLeast is an expression of how many entries stay where few would do: never fewer than are read.
func (r Reads) atLeast(few int) string {
	n := max(few, r.Newest)
	if r.Span != "" {
		return fmt.Sprintf("max(%s, %d)", r.Span, n)
	}
	return fmt.Sprint(n)
}

// WithoutOldest is the statement that takes the oldest entry out of a dictionary once it has more than n.
func WithoutOldest(path, n string) string {
	return fmt.Sprintf("if len(%s) > %s:\n\tdel %[1]s[next(iter(%[1]s))]", path, n)
}

// Shortened is the statement that keeps the last n of a list.
func Shortened(path, n string) string { return fmt.Sprintf("del %s[:-%s]", path, n) }

// parallel keeps the lists that are appended to beside s as long as its own: they may be read together.
func parallel(f *pysyntax.File, s *pyflow.Store, n string) []patch.Edit {
	var edits []patch.Edit
	own, _ := appends(f, s.Site.At)
	beside := func(statement pysyntax.Ref) bool {
		path, ok := appends(f, statement)
		if !ok || path == own || strings.HasPrefix(path, "self.") != strings.HasPrefix(own, "self.") || strings.ContainsAny(path, "()[") {
			return false
		}
		more, err := patch.Behind(f, statement, Shortened(path, n))
		edits = append(edits, more...)
		return err == nil
	}
	var before []pysyntax.Ref
	for c := range f.Children(f.Parent(s.Site.At)) {
		if c >= s.Site.At {
			break
		}
		before = append(before, c)
	}
	for i := len(before) - 1; i >= 0 && beside(before[i]); i-- {
	}
	for c := f.NextSibling(s.Site.At); c != pysyntax.None && beside(c); c = f.NextSibling(c) {
	}
	return edits
}

// appends names the list that a statement appends one value to.
func appends(f *pysyntax.File, statement pysyntax.Ref) (path string, ok bool) {
	call := f.FirstChild(statement)
	if f.Kind(statement) != pysyntax.ExpressionStatement || f.Kind(call) != pysyntax.Call {
		return "", false
	}
	method := f.Child(call, pysyntax.FieldFunction)
	if f.Kind(method) != pysyntax.Attribute || !f.Says(f.Child(method, pysyntax.FieldAttribute), "append") {
		return "", false
	}
	return f.Text(f.Child(method, pysyntax.FieldObject)), true
}

// isList reports whether the holder is surely a list: by its own display, or because the container it is an entry of is
// one of lists.
func isList(f *pysyntax.File, s *pyflow.Store) bool {
	if s.Holder.Type == "list" {
		return true
	}
	root, _, entry := strings.Cut(s.Holder.Path, "[")
	if s.Holder.Type != "" || !entry {
		return false
	}
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.Assignment {
			continue
		}
		left, right := f.Text(f.Child(r, pysyntax.FieldLeft)), f.Child(r, pysyntax.FieldRight)
		if right == pysyntax.None {
			continue
		}
		if left == root && strings.HasSuffix(f.Text(right), "defaultdict(list)") || strings.HasPrefix(left, root+"[") && f.Kind(right) == pysyntax.List {
			return true
		}
	}
	return false
}

// newestFirst reports whether a concatenation puts what is new in front of what was there.
func newestFirst(f *pysyntax.File, s *pyflow.Store) bool {
	for r := range f.Walk(s.Site.Value) {
		if f.Is(r, pysyntax.List, pysyntax.Tuple, pysyntax.ArgumentList) && f.FirstChild(r) != pysyntax.None {
			if f.Says(f.FirstChild(r), s.Holder.Path) {
				return false
			}
			for c := range f.Children(r) {
				if f.Says(c, s.Holder.Path) {
					return true
				}
			}
		}
	}
	return false
}
