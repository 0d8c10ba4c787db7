package locate

import "github.com/torchleak/torchleak/internal/pysyntax"

// names yields the identifiers whose values an expression takes: not those called, not attributes, not keywords.
func (s *source) names(r pysyntax.Ref) []pysyntax.Ref {
	var found []pysyntax.Ref
	if r == pysyntax.None {
		return nil
	}
	for n := range s.Walk(r) {
		if s.Kind(n) != pysyntax.Identifier {
			continue
		}
		switch s.Node(n).Field {
		case pysyntax.FieldFunction, pysyntax.FieldAttribute:
			continue
		case pysyntax.FieldName:
			if s.Kind(s.Parent(n)) == pysyntax.KeywordArgument {
				continue
			}
		}
		found = append(found, n)
	}
	return found
}

// definition returns the assignment that gives the identifier at r its value: the last one before it in its
// scope, else, as in a loop, the last one after.
func (s *source) definition(r pysyntax.Ref) (effect, bool) {
	name := s.Text(r)
	scope := s.scopes.Resolve(name, r)
	at := s.Statement(r)
	var best effect
	found := false
	for _, e := range s.effects {
		if e.action != Assign && e.action != AugAssign || e.statement == at {
			continue
		}
		if s.Kind(e.target) != pysyntax.Identifier || s.Text(e.target) != name || s.scopes.Resolve(name, e.target) != scope {
			continue
		}
		if found && best.statement < at && e.statement > at {
			break
		}
		best, found = e, true
	}
	return best, found
}

// puts returns the statements that put something into the container at r, in its scope.
func (s *source) puts(r pysyntax.Ref) []effect {
	name := s.Text(r)
	scope := s.scopes.Resolve(name, r)
	var found []effect
	for _, e := range s.effects {
		if !s.stores(e) || e.action == Assign || e.value == pysyntax.None {
			continue
		}
		if b := s.base(e.target); s.Kind(b) == pysyntax.Identifier && s.Says(b, name) && s.scopes.Resolve(name, b) == scope {
			found = append(found, e)
		}
	}
	return found
}

// flow returns the statements that the value of r is made by, nearest first: assignments of its names, and what puts
// elements into them.
func (s *source) flow(r pysyntax.Ref) []effect {
	var all []effect
	seen := map[pysyntax.Ref]bool{}
	queue := s.names(r)
	for len(queue) > 0 && len(all) < 60 {
		name := queue[0]
		queue = queue[1:]
		made := s.puts(name)
		if e, ok := s.definition(name); ok {
			made = append([]effect{e}, made...)
		}
		for _, e := range made {
			if !seen[e.node] {
				seen[e.node] = true
				all = append(all, e)
				queue = append(queue, s.names(e.value)...)
			}
		}
	}
	return all
}
