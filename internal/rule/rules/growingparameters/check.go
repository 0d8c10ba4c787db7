package growingparameters

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	for _, f := range p.Flow.Functions {
		for _, c := range f.Calls {
			if c.Name == ".add_param_group" && c.Loop != nil && c.Loop.Trains && always(p.File, c.Node, c.Loop.Node) && !strings.Contains(p.File.Text(c.Loop.Node), "param_groups") {
				p.Report(rule.Mark{At: p.File.Statement(c.Node), Severity: rule.Heavy,
					Why: "The optimizer is given another group of parameters in every step and keeps them with their state for good."})
			}
		}
	}
	for f, s := range p.Kept(Rule.Name) {
		if f.Role == pyflow.Forward || s.Loop != nil && s.Loop.Trains {
			p.Report(rule.Mark{At: s.At, Severity: rule.Heavy,
				Why: fmt.Sprintf("%s gets another module in every step, with parameters of its own that stay registered.", rule.HolderText(s))})
		}
	}
}

// always reports whether r runs in each round of the loop: no condition stands between.
func always(f *pysyntax.File, r, loop pysyntax.Ref) bool {
	for a := range f.Ancestors(r) {
		if a == loop {
			return true
		}
		if f.Is(a, pysyntax.IfStatement, pysyntax.ElifClause, pysyntax.ElseClause, pysyntax.ExceptClause) {
			return false
		}
	}
	return false
}
