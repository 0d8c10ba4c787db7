package locate

import "github.com/torchleak/torchleak/internal/pysyntax"

// Region returns the with statement that enters a context manager of that name around a loop: what the context
// keeps until it is left then grows with every turn.
func (l *Locator) Region(manager string) (Place, bool) {
	for _, s := range l.order {
		for _, with := range s.all(pysyntax.WithStatement) {
			if s.enters(with, manager) && s.loops(with) {
				return l.place(s, effect{action: Other, statement: with, node: with}, nil), true
			}
		}
	}
	return Place{}, false
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
