package locate

import "github.com/torchleak/torchleak/internal/pysyntax"

// Region returns the with statement that enters a context manager of that name around a loop: what the context keeps
// until it is left grows with every turn. The loop that trains comes before others, such as one over layers.
func (l *Locator) Region(manager string) (Place, bool) {
	var best candidate
	for _, s := range l.order {
		for _, with := range s.all(pysyntax.WithStatement) {
			if !s.enters(with, manager) || !s.loops(with) {
				continue
			}
			if score := either(s.trains(with), 2, 1); score > best.score {
				best = candidate{s, effect{action: Other, statement: with, node: with}, score}
			}
		}
	}
	if best.score == 0 {
		return Place{}, false
	}
	return l.place(best.source, best.effect, nil), true
}

// trains reports whether a backward pass runs inside r.
func (s *source) trains(r pysyntax.Ref) bool {
	for _, e := range s.effects {
		if e.action == Backward && s.Within(e.node, r) {
			return true
		}
	}
	return false
}

func (s *source) enters(with pysyntax.Ref, manager string) bool {
	for r := range s.Walk(with) {
		switch s.Kind(r) {
		case pysyntax.Block:
			return false
		case pysyntax.Call:
			if s.lastName(r) == manager {
				return true
			}
		}
	}
	return false
}

// loops reports whether a loop runs inside the block of a with statement.
func (s *source) loops(with pysyntax.Ref) bool {
	for r := range s.Walk(with) {
		if s.Is(r, pysyntax.ForStatement, pysyntax.WhileStatement) && s.Function(r) == s.Function(with) {
			return true
		}
	}
	return false
}
