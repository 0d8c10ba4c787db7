package locate

import (
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Starts returns the statement that switches on what a holder is, such as a profiler: the call that enters or starts
// it, the with statement that names it, else the assignment of its name.
func (l *Locator) Starts(h evidence.Holder) (Place, bool) {
	l.Consider(h.Scope.File)
	var best candidate
	for _, v := range l.variables(h) {
		for _, s := range l.order {
			for _, e := range s.effects {
				if score := l.starts(s, e, v); score > best.score {
					best = candidate{s, e, score}
				}
			}
			if with := s.entered(v); with != pysyntax.None && best.score < 2 {
				best = candidate{s, effect{action: Other, statement: with, node: with}, 2}
			}
		}
	}
	if best.score == 0 {
		return Place{}, false
	}
	return l.place(best.source, best.effect, nil), true
}

func (l *Locator) starts(s *source, e effect, v variable) int {
	switch {
	case e.action == Assign && l.match(s, e.target, v) != noMatch:
		return 1
	case e.action == Call && (e.method == "__enter__" || e.method == "start") && l.match(s, s.Child(e.target, pysyntax.FieldObject), v) != noMatch:
		return 3
	}
	return 0
}

// entered returns the with statement that binds v.
func (s *source) entered(v variable) pysyntax.Ref {
	for _, with := range s.all(pysyntax.WithStatement) {
		for r := range s.Walk(with) {
			if s.Kind(r) == pysyntax.Block {
				break
			}
			if s.Kind(r) == pysyntax.Identifier && s.Node(r).Field != pysyntax.FieldAttribute && s.Says(r, v.name) && !v.attribute && s.scopes.Resolve(v.name, r) == v.scope {
				return with
			}
		}
	}
	return pysyntax.None
}
