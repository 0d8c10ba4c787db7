package gradinevaluation

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	seen := map[pysyntax.Ref]bool{}
	for f, s := range p.Kept(Rule.Name) {
		at := s.At
		if s.Made != pysyntax.None {
			at = p.File.Statement(s.Made)
		}
		if seen[at] || apart(p.File, at, s.At) {
			continue
		}
		seen[at] = true
		p.Report(rule.Mark{At: at, Severity: rule.Heavy, Further: rule.Bound(p, s),
			Why: fmt.Sprintf("Nothing here calls backward, yet the model runs with gradients on, and `%s` keeps what it returns: the activations of every round stay with it.", s.Holder.Path),
			Fix: repair(p, f, s, at)})
	}
}

// apart reports whether what is kept comes out of a loop that is over where it is kept: the last loss of a training, say,
// of whose graph there is one only.
func apart(f *pysyntax.File, made, kept pysyntax.Ref) bool {
	if f.Function(made) != f.Function(kept) {
		return false
	}
	for loop := range f.Ancestors(made) {
		if f.Is(loop, pysyntax.ForStatement, pysyntax.WhileStatement) {
			for around := range f.Ancestors(kept) {
				if around == loop {
					return false
				}
			}
			return true
		}
	}
	return false
}

// repair switches gradients off for the function that runs the model, or where that needs them, cuts what is kept.
func repair(p *rule.Pass, f *pyflow.Function, s *pyflow.Store, at pysyntax.Ref) *rule.Edit {
	function := p.File.Function(at)
	if function != pysyntax.None && !needsGrad(p.File, function) && p.File.Name(function) != "forward" {
		if edits, err := patch.Decorate(p.File, function, "@torch.no_grad()"); err == nil {
			return &rule.Edit{Summary: "Run the evaluation under `torch.no_grad()`.", Safe: true, Edits: edits}
		}
	}
	nodes := s.Shown
	if s.Term != pysyntax.None {
		nodes = []pysyntax.Ref{s.Term}
	}
	return rule.Cut(p, f, s, nodes, ".detach()", "Keep the result without its graph (`.detach()`), and run what needs no backward under `torch.no_grad()`.")
}

// needsGrad reports whether a function speaks of gradients anywhere.
func needsGrad(f *pysyntax.File, function pysyntax.Ref) bool {
	text := f.Text(function)
	for _, word := range []string{"backward(", "autograd", "requires_grad", "enable_grad", ".step()", "yield"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
