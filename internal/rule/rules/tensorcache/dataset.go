package tensorcache

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// datasets finds data sets that remember their items under keys that change as the training goes on, such as the number of
// the epoch: each pass over the data remembers all of them anew.
func datasets(p *rule.Pass) {
	f := p.File
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.FunctionDefinition || f.Name(r) != "__getitem__" || !isDataset(f, f.Class(r)) {
			continue
		}
		for a := range f.Walk(r) {
			left := f.Child(a, pysyntax.FieldLeft)
			if f.Kind(a) != pysyntax.Assignment || f.Kind(left) != pysyntax.Subscript || f.Kind(f.Parent(a)) != pysyntax.ExpressionStatement {
				continue
			}
			holder := f.Text(f.Child(left, pysyntax.FieldValue))
			moving, room := changes(f, r, f.Child(left, pysyntax.FieldSubscript))
			if !strings.HasPrefix(holder, "self.") || moving == "" || takesOut(f, holder) || !asked(f, a, holder) {
				continue
			}
			m := rule.Mark{At: f.Parent(a), Severity: rule.Heavy, Fix: &rule.Edit{Summary: "Leave what changes out of the key, or give the dictionary a bound."},
				Why: fmt.Sprintf("`%s` remembers items under keys with `%s` in them, which changes as the training goes on: all items of each value of it stay.", holder, moving)}
			if room != "len(self)" || f.Method(f.Class(r), "__len__") != pysyntax.None {
				if edits, err := patch.Behind(f, f.Parent(a), rule.WithoutOldest(holder, room)); err == nil {
					m.Fix.Edits = edits
				}
			}
			p.Report(m)
		}
	}
}

func isDataset(f *pysyntax.File, class pysyntax.Ref) bool {
	if class == pysyntax.None {
		return false
	}
	for base := range f.Children(f.Child(class, pysyntax.FieldSuperclasses)) {
		text, _, _ := strings.Cut(f.Text(base), "[")
		if strings.HasSuffix(text, "Dataset") {
			return true
		}
	}
	return false
}

// asked reports whether a store stands under the question whether the key is there.
func asked(f *pysyntax.File, store pysyntax.Ref, holder string) bool {
	for _, c := range rule.Conditions(f, store, pysyntax.None) {
		if strings.HasSuffix(f.Text(c), " not in "+holder) {
			return true
		}
	}
	return false
}

// changes names what makes a key another one each time, and how many entries are worth keeping: an attribute that a
// method other than the constructor sets, of which each value goes for all items, or a random number, which hardly comes
// again.
func changes(f *pysyntax.File, function, key pysyntax.Ref) (name, room string) {
	text := f.Text(key)
	for r := range f.Walk(function) {
		if f.Kind(r) == pysyntax.Assignment && f.Says(f.Child(r, pysyntax.FieldLeft), text) {
			key = f.Child(r, pysyntax.FieldRight)
		}
	}
	for k := range f.Walk(key) {
		if f.Kind(k) == pysyntax.Identifier && random(f, function, f.Text(k)) {
			return f.Text(k), "64"
		}
		if f.Kind(k) != pysyntax.Attribute || !strings.HasPrefix(f.Text(k), "self.") {
			continue
		}
		for r := range f.Walk(f.Class(function)) {
			if f.Is(r, pysyntax.Assignment, pysyntax.AugmentedAssignment) && f.Says(f.Child(r, pysyntax.FieldLeft), f.Text(k)) && f.Name(f.Function(r)) != "__init__" {
				return f.Text(k), "len(self)"
			}
		}
	}
	return "", ""
}

var drawn = regexp.MustCompile(`\b(torch|random|np\.random|numpy\.random|self\.rng|rng)\.(rand|randn|randint|randrange|uniform|random|integers|normal|randperm)\(`)

// random reports whether a function gives the name a random number.
func random(f *pysyntax.File, function pysyntax.Ref, name string) bool {
	for r := range f.Walk(function) {
		right := f.Child(r, pysyntax.FieldRight)
		if f.Kind(r) != pysyntax.Assignment || right == pysyntax.None || !drawn.MatchString(f.Text(right)) {
			continue
		}
		for t := range f.Walk(f.Child(r, pysyntax.FieldLeft)) {
			if f.Kind(t) == pysyntax.Identifier && f.Says(t, name) {
				return true
			}
		}
	}
	return false
}
