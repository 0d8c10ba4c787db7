package carriedstate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// repair cuts the history where the state is read, or where that is a plain number at first or read by another name,
// cuts the new value. Both change what gradients flow through, so none is safe.
func repair(s *pyflow.Store) *rule.Edit {
	f, right := s.Site.File, s.Site.Value
	if right == pysyntax.None || s.How != pyflow.Carried || f.Kind(f.Parent(right)) == pysyntax.AugmentedAssignment || f.Is(right, pysyntax.ExpressionList, pysyntax.Tuple) {
		return nil
	}
	if name, _, item := strings.Cut(s.Holder.Path, "["); item && slices.Contains(f.Parameters(f.Function(right)), name) {
		return nil // the caller's container may come back by another way, too
	}
	const summary = "Cut the history where the state crosses into the next round: `.detach()`."
	start := begins(f, s.Holder.Path)
	reads := occurrences(f, right, s.Holder.Path)
	used := (s.What.Traits|s.What.Parts)&pyflow.Spent != 0
	switch {
	case start == "" && len(reads) > 0 && !several(f, s.Holder.Path):
		return rule.Suffixed(f, reads, ".detach()", summary, false)
	case f.Is(right, pysyntax.BinaryOperator, pysyntax.Attribute, pysyntax.Subscript) && (!used && start == "" || start == "number"):
		return rule.Suffixed(f, []pysyntax.Ref{right}, ".detach()", "Keep the new value without its graph: `.detach()`.", false)
	case (start == "" || start == "None") && len(reads) > 0:
		return before(f, s, summary, start == "None")
	}
	return nil
}

// at is where the state is made, in whichever file.
func at(f *pysyntax.File, e *rule.Edit) *rule.Edit {
	if e != nil {
		e.File = f
	}
	return e
}

// before puts a statement in front that cuts the state, one tensor or several, where there is one.
func before(f *pysyntax.File, s *pyflow.Store, summary string, maybe bool) *rule.Edit {
	at := f.Node(s.Site.At).Start
	line := strings.LastIndexByte(string(f.Source[:at]), '\n') + 1
	indent := string(f.Source[line:at])
	if strings.TrimLeft(indent, " \t") != "" {
		return nil
	}
	path := s.Holder.Path
	text := path + " = " + path + ".detach()\n" + indent
	if several(f, path) {
		text = path + " = tuple(part.detach() for part in " + path + ")\n" + indent
	}
	if maybe {
		text = "if " + path + " is not None:\n" + indent + "    " + text
	}
	return &rule.Edit{Summary: summary, Edits: []patch.Edit{{Start: at, End: at, Text: text}}}
}

// occurrences are the places within r where path is read.
func occurrences(f *pysyntax.File, r pysyntax.Ref, path string) []pysyntax.Ref {
	var found []pysyntax.Ref
	skip := pysyntax.None
	for c := range f.Walk(r) {
		if c >= skip && f.Is(c, pysyntax.Identifier, pysyntax.Attribute, pysyntax.Subscript) && f.Says(c, path) {
			if parent := f.Parent(c); f.Kind(parent) == pysyntax.KeywordArgument && f.Child(parent, pysyntax.FieldName) == c {
				continue
			}
			found, skip = append(found, c), f.Node(c).After
		}
	}
	return found
}

// begins says what plain value the state has at first: "None", "number", or nothing where it is never given one.
func begins(f *pysyntax.File, path string) string {
	found := ""
	for r := pysyntax.Ref(1); int(r) < f.Len(); r++ {
		var name, value pysyntax.Ref
		switch f.Kind(r) {
		case pysyntax.Assignment:
			name, value = f.Child(r, pysyntax.FieldLeft), f.Child(r, pysyntax.FieldRight)
		case pysyntax.DefaultParameter, pysyntax.TypedDefaultParameter:
			name, value = f.Child(r, pysyntax.FieldName), f.Child(r, pysyntax.FieldValue)
		}
		if name == pysyntax.None || value == pysyntax.None || !f.Says(name, path) {
			continue
		}
		switch {
		case f.Kind(value) == pysyntax.NoneValue:
			return "None"
		case f.Is(value, pysyntax.Integer, pysyntax.Float):
			found = "number"
		}
	}
	return found
}

var lstm = regexp.MustCompile(`\bLSTM(Cell)?\(`)

// several reports whether the state may be a tuple: an LSTM's, or one that is made as a tuple somewhere.
func several(f *pysyntax.File, path string) bool {
	if lstm.Match(f.Source) {
		return true
	}
	for r := pysyntax.Ref(1); int(r) < f.Len(); r++ {
		if f.Kind(r) == pysyntax.Assignment && f.Says(f.Child(r, pysyntax.FieldLeft), path) {
			right := f.Child(r, pysyntax.FieldRight)
			if f.Is(right, pysyntax.Tuple, pysyntax.ExpressionList, pysyntax.List) || right != pysyntax.None && strings.HasPrefix(f.Text(right), "tuple(") {
				return true
			}
		}
	}
	return false
}
