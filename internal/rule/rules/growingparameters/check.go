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
					Fix: passing(p.File, c),
					Why: "The optimizer is given another group of parameters in every step and keeps them with their state for good."})
			} else if why := another(p, f, c); why != "" {
				p.Report(rule.Mark{At: p.File.Statement(c.Node), Severity: rule.Heavy, Why: why})
			}
		}
	}
	replaced(p)
	for f, s := range p.Kept(Rule.Name) {
		if f.Role == pyflow.Forward || s.Loop != nil && s.Loop.Trains {
			p.Report(rule.Mark{At: s.At, Severity: rule.Heavy,
				Why: fmt.Sprintf("%s gets another module in every step, with parameters of its own that stay registered.", rule.HolderText(s))})
		}
	}
}

// another says what a function that is called as the training goes on adds for good: a group of parameters made there,
// or a parameter or module under a name of its own. Empty for others.
func another(p *rule.Pass, f *pyflow.Function, c *pyflow.Call) string {
	if f.Node == pysyntax.None || strings.HasSuffix(f.Name, "__init__") {
		return ""
	}
	switch c.Name {
	case ".add_param_group":
		text := p.File.Text(f.Node)
		if strings.Contains(text, "Parameter(") && !strings.Contains(text, "param_groups") && unasked(p, c) && rule.Often(p, c) >= rule.PerEpoch {
			return "The optimizer is given another group of parameters as the training goes on, and keeps those from before with their state."
		}
	case ".register_parameter", ".add_module", ".register_module", ".register_buffer":
		name, ok := rule.Positional(c, 0)
		least := rule.PerStep // a module for each stage of a training is built to grow
		if c.Name == ".register_parameter" {
			least = rule.PerEpoch
		}
		if ok && formatted(p.File, name.Node) && unasked(p, c) && rule.Often(p, c) >= least {
			return "Another parameter or module is registered under a name of its own as the training goes on, and stays registered."
		}
	}
	return ""
}

// unasked reports whether a call happens once whenever its function is called, or each so many times, on an object that
// was there before.
func unasked(p *rule.Pass, c *pyflow.Call) bool {
	for l := c.Loop; l != nil; l = l.Outer {
		if l.Node != pysyntax.None && !l.Trains && p.File.Within(l.Node, c.Function.Node) {
			return false // each of some things that are there
		}
	}
	object := p.File.Child(p.File.Child(c.Node, pysyntax.FieldFunction), pysyntax.FieldObject)
	if rule.MadeWithin(p.File, object, c.Function.Node) {
		return false
	}
	conditions := rule.Conditions(p.File, c.Node, c.Function.Node)
	return len(conditions) == 0 || rule.Every(p.File, conditions)
}

// formatted reports whether a name is put together: another one each time.
func formatted(f *pysyntax.File, r pysyntax.Ref) bool {
	for c := range f.Walk(r) {
		if f.Is(c, pysyntax.Interpolation, pysyntax.BinaryOperator) || f.Kind(c) == pysyntax.Attribute && strings.HasSuffix(f.Text(c), ".format") {
			return true
		}
	}
	return false
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
