package locate

import (
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Consumed reports whether the source reads what the holder keeps for a backward pass, as a policy gradient does with
// the probabilities of an episode: taking the graph away from it would take the training's gradients away.
func (l *Locator) Consumed(h evidence.Holder) bool {
	depth := either(h.Kind == "slot", 0, 2) // of a sum only a backward beside it tells that it is the loss
	variables := l.variables(h)
	for _, v := range append(variables, l.properties(variables)...) {
		for _, s := range l.order {
			for _, statement := range l.readers(s, v) {
				for _, use := range s.uses(statement) {
					if l.feeds(s, use, depth, false) {
						return true
					}
				}
			}
		}
	}
	return false
}

// properties returns the properties whose getters return what variables hold: who reads them reads that.
func (l *Locator) properties(variables []variable) []variable {
	var all []variable
	for _, v := range variables {
		for _, s := range l.order {
			for _, statement := range l.readers(s, v) {
				if s.Kind(statement) != pysyntax.ReturnStatement {
					continue
				}
				getter := s.Function(statement)
				if decorated := s.Parent(getter); s.Is(decorated, pysyntax.DecoratedDefinition) && s.property(decorated) {
					all = append(all, variable{name: s.Name(getter), attribute: true, class: v.class})
				}
			}
		}
	}
	return all
}

// property reports whether a decorated function is called by naming it.
func (s *source) property(decorated pysyntax.Ref) bool {
	for _, d := range s.decorators(decorated) {
		if name := s.lastName(d); name == "property" || name == "cached_property" {
			return true
		}
	}
	return false
}

// readers returns the statements that read v with its graph: neither what stores into it nor what makes it anew.
func (l *Locator) readers(s *source, v variable) []pysyntax.Ref {
	written := map[pysyntax.Ref]bool{}
	for _, e := range s.effects {
		if s.stores(e) && l.match(s, e.target, v) != noMatch {
			written[e.statement] = true
		}
	}
	var all []pysyntax.Ref
	seen := map[pysyntax.Ref]bool{}
	kind := pysyntax.Identifier
	if v.attribute {
		kind = pysyntax.Attribute
	}
	for _, r := range s.all(kind) {
		if l.match(s, r, v) == noMatch || s.graphless(r) {
			continue
		}
		statement := s.Statement(r)
		if statement != pysyntax.None && !written[statement] && !seen[statement] {
			seen[statement] = true
			all = append(all, statement)
		}
	}
	return all
}

// graphless reports whether what leads on from a name ends in something without a graph: in a tensor that was detached, in
// a number, or in how many there are.
func (s *source) graphless(r pysyntax.Ref) bool {
	for {
		parent := s.Parent(r)
		switch s.Kind(parent) {
		case pysyntax.Attribute:
			switch s.Text(s.Child(parent, pysyntax.FieldAttribute)) {
			case "detach", "detach_", "item", "tolist", "data", "shape", "size", "numel":
				return true
			}
		case pysyntax.Subscript:
			if s.Child(parent, pysyntax.FieldValue) != r {
				return false // an index
			}
		case pysyntax.Call, pysyntax.List, pysyntax.Tuple:
		case pysyntax.ListComprehension:
			if s.Child(parent, pysyntax.FieldBody) != r {
				return false // what it goes over
			}
		case pysyntax.ArgumentList:
			switch s.lastName(s.Parent(parent)) {
			case "len", "float", "int", "bool", "str", "print":
				return true
			case "stack", "cat", "concat": // of tensors, which may be detached as one
			default:
				return false
			}
		default:
			return false
		}
		r = parent
	}
}

// uses returns the statements that work on what statement reads: itself, and of a loop over it those of its body that
// name what it counts with.
func (s *source) uses(statement pysyntax.Ref) []pysyntax.Ref {
	all := []pysyntax.Ref{statement}
	if s.Kind(statement) != pysyntax.ForStatement {
		return all
	}
	names := map[string]bool{}
	for r := range s.Walk(s.Child(statement, pysyntax.FieldLeft)) {
		if s.Kind(r) == pysyntax.Identifier {
			names[s.Text(r)] = true
		}
	}
	for r := range s.Walk(s.Child(statement, pysyntax.FieldBody)) {
		if s.Kind(r) == pysyntax.Identifier && names[s.Text(r)] {
			all = append(all, s.Statement(r))
		}
	}
	return all
}
