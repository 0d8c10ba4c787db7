package rule

import (
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Bounded is advice for a holder that grows, and beside it a patch that ends that: what Bound makes of a statement that
// never ran. few is how many entries stay where the source does not say how many are read.
func Bounded(c *Case, summary string, few int) *finding.Fix {
	fix := Advice(summary)
	s, k, ok := c.store()
	if !ok || c.keptByPackage() {
		return fix
	}
	reads, _ := readsOf(k, func() []*pysyntax.File { return c.Sources })
	if reads.Whole && k.returned() {
		return fix // a pass over data that returns what it gathers
	}
	if e := bound(s, k, reads, few); e != nil {
		p, err := patch.Apply(k.file, e.Edits)
		fix.Else = Patched(e.Summary, false, p, err)
	}
	return fix
}

// store is the case's statement as one that puts something into its holder, as far as that is seen in its form; false where it is none.
func (c *Case) store() (*pyflow.Store, kept, bool) {
	k, ok := c.kept()
	if !ok || c.Holder == nil || k.handed() || strings.Contains(c.Holder.Path, "[") {
		return nil, k, false // of many holders it may be the number that grows
	}
	node := k.file.FirstChild(k.at)
	s := &pyflow.Store{How: pyflow.Appended, Holder: &pyflow.Holder{Path: k.path, Type: plainType(c.Holder.Type)}, Site: pyflow.Site{File: k.file, At: k.at}}
	if c.Place.Action == locate.SetItem {
		s.How, s.Site.Value = pyflow.Keyed, k.file.Child(node, pysyntax.FieldRight)
		s.Guard = slices.ContainsFunc(Conditions(k.file, k.at, pysyntax.None), func(r pysyntax.Ref) bool {
			return strings.HasSuffix(k.file.Text(r), " not in "+k.path)
		})
		return s, k, true
	}
	if arguments := k.file.Child(node, pysyntax.FieldArguments); arguments != pysyntax.None {
		s.Site.Value = k.file.FirstChild(arguments)
	}
	return s, k, true
}

// returned reports whether it is a variable that its function returns, alone or in something.
func (k kept) returned() bool {
	name, attribute, _ := k.name()
	if attribute || !k.local {
		return false
	}
	for r := range k.file.Walk(k.function) {
		if k.file.Kind(r) != pysyntax.ReturnStatement || k.file.Function(r) != k.function {
			continue
		}
		for c := range k.file.Walk(r) {
			if k.file.Kind(c) == pysyntax.Identifier && k.file.Says(c, name) {
				return true
			}
		}
	}
	return false
}

// plainType is the type of Python's that a container of another one works like.
func plainType(name string) string {
	switch name {
	case "OrderedDict", "defaultdict":
		return "dict"
	}
	return name
}
