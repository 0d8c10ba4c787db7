package debugtoollefton

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// head is the part of a with statement that stands before its body.
func head(f *pysyntax.File, with pysyntax.Ref) pysyntax.Ref {
	for c := range f.Children(with) {
		if f.Kind(c) == pysyntax.WithClause {
			return c
		}
	}
	return with
}

// loopsWithin reports whether a loop that is not left after a few rounds stands below around.
func loopsWithin(f *pysyntax.File, around pysyntax.Ref) bool {
	for r := range f.Walk(around) {
		if f.Is(r, pysyntax.ForStatement, pysyntax.WhileStatement) && f.Function(r) == f.Function(around) && long(f, r) {
			return true
		}
	}
	return false
}

// long reports whether a loop goes over data, of which there is no saying how much: not over numbers.
func long(f *pysyntax.File, loop pysyntax.Ref) bool {
	right := f.Child(loop, pysyntax.FieldRight)
	if right == pysyntax.None || f.Kind(right) == pysyntax.Call && f.Says(f.Child(right, pysyntax.FieldFunction), "range") {
		return false
	}
	return !rule.Short(f, loop)
}

// profilesAll: the profiler stands around a training loop, and has no schedule.
func profilesAll(p *rule.Pass, fn *pyflow.Function, c *pyflow.Call) bool {
	if _, ok := rule.Keyword(c, "schedule"); ok || optional(p, c) {
		return false
	}
	if argument, ok := rule.Keyword(c, "enabled"); ok && p.File.Kind(argument.Node) != pysyntax.TrueValue {
		return false
	}
	with := p.File.Enclosing(c.Node, pysyntax.WithStatement)
	if with != pysyntax.None && p.File.Within(c.Node, head(p.File, with)) {
		return loopsWithin(p.File, with)
	}
	return startedAround(p, fn, c)
}

// startedAround: the profiler is started before a training loop of the function, and stopped behind it if at all.
func startedAround(p *rule.Pass, fn *pyflow.Function, c *pyflow.Call) bool {
	name := variable(p.File, c.Node)
	if name == "" {
		return false
	}
	var started pysyntax.Ref
	for _, other := range fn.Calls {
		callee := p.File.Text(p.File.Child(other.Node, pysyntax.FieldFunction))
		if callee == name+".start" || callee == name+".__enter__" {
			started = other.Node
		}
	}
	if started == pysyntax.None {
		return false
	}
	for _, l := range fn.Loops {
		inLoop := p.File.Within(c.Node, l.Node) || p.File.Within(started, l.Node)
		if l.Node > started && !inLoop && (l.Trains || l.Loader) && !rule.Short(p.File, l.Node) && !stoppedIn(p.File, l.Node, name) {
			return true
		}
	}
	return false
}

// variable is the plain name that the value of node is assigned to.
func variable(f *pysyntax.File, node pysyntax.Ref) string {
	a := f.Parent(node)
	if f.Kind(a) != pysyntax.Assignment {
		return ""
	}
	if left := f.Child(a, pysyntax.FieldLeft); f.Kind(left) == pysyntax.Identifier {
		return f.Text(left)
	}
	return ""
}

// figureOpen: figures are opened as the training goes on, and nothing near by closes them.
func figureOpen(p *rule.Pass, fn *pyflow.Function, c *pyflow.Call) bool {
	f := p.File
	turn := rule.Turn(p, c)
	if rule.Often(p, c) == rule.Once {
		if turn = rule.ManyRounds(f, c); turn == pysyntax.None {
			return false
		}
	}
	if conditions := rule.Conditions(f, c.Node, turn); len(conditions) > 0 && !rule.Every(f, conditions) {
		return false
	}
	if numbered(f, c) || closes(f, fn) {
		return false
	}
	return !returned(f, c.Node, fn) || callersKeep(p, fn)
}

// closes reports whether the function calls something that takes figures out of pyplot's registry, or shows them.
func closes(f *pysyntax.File, fn *pyflow.Function) bool {
	for _, c := range fn.Calls {
		switch c.Name[strings.LastIndexByte(c.Name, '.')+1:] {
		case "close", "clf", "cla", "show", "close_figure", "log_figure":
			return true
		case "add_figure": // of TensorBoard's writer, closes unless told otherwise
			if argument, ok := rule.Keyword(c, "close"); !ok || f.Kind(argument.Node) != pysyntax.FalseValue {
				return true
			}
		}
	}
	return false
}

// callersKeep reports whether fn, which returns the figure, is called in sight and no caller closes figures.
func callersKeep(p *rule.Pass, fn *pyflow.Function) bool {
	seen, closed := false, false
	rule.EachCall(p, func(c *pyflow.Call) {
		if c.Callee != nil && c.Callee.File == p.File && c.Callee.Node == fn.Node {
			seen = true
			closed = closed || closes(p.File, c.Function)
		}
	})
	return seen && !closed
}

// numbered reports whether the call names the figure, so that the same one comes back.
func numbered(f *pysyntax.File, c *pyflow.Call) bool {
	if _, ok := rule.Keyword(c, "num"); ok {
		return true
	}
	if !strings.HasSuffix(c.Name, ".figure") {
		return false
	}
	argument, ok := rule.Positional(c, 0)
	return ok && f.Is(argument.Node, pysyntax.Integer, pysyntax.String)
}

// returned reports whether the function returns a figure made in it: its caller may close it.
func returned(f *pysyntax.File, node pysyntax.Ref, fn *pyflow.Function) bool {
	if f.Enclosing(node, pysyntax.ReturnStatement) != pysyntax.None {
		return true
	}
	statement := f.Statement(node)
	names := map[string]bool{}
	for r := range f.Walk(statement) {
		if f.Kind(r) == pysyntax.Assignment {
			for t := range f.Walk(f.Child(r, pysyntax.FieldLeft)) {
				if f.Kind(t) == pysyntax.Identifier {
					names[f.Text(t)] = true
				}
			}
		}
	}
	for r := range f.Walk(fn.Node) {
		if !f.Is(r, pysyntax.ReturnStatement, pysyntax.Yield) {
			continue
		}
		for t := range f.Walk(r) {
			if f.Kind(t) == pysyntax.Identifier && names[f.Text(t)] {
				return true
			}
		}
	}
	return false
}

// stoppedIn reports whether the loop stops the tool of that name by itself.
func stoppedIn(f *pysyntax.File, loop pysyntax.Ref, name string) bool {
	for r := range f.Walk(loop) {
		if f.Kind(r) == pysyntax.ExpressionStatement && stops(f, r, name) {
			return true
		}
	}
	return false
}
