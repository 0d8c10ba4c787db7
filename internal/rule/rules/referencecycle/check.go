package referencecycle

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	collectorOff(p)
	circles(p)
}

// collectorOff finds a collector that is switched off for a training and never called.
func collectorOff(p *rule.Pass) {
	if !p.File.Mentions("disable") || p.File.Mentions("gc.collect", "gc.enable") || !trains(p) {
		return
	}
	rule.EachCall(p, func(c *pyflow.Call) {
		if c.Name != "gc.disable" || len(rule.Conditions(p.File, c.Node, pysyntax.None)) > 0 {
			return
		}
		m := rule.Mark{At: c.Node, Severity: rule.Light, Fix: &rule.Edit{Summary: "Leave the collector on, or call `gc.collect()` every so many steps."},
			Why: "The collector is switched off and never called: what refers to itself, and every tensor that hangs on it, is never freed."}
		if edits, err := patch.Drop(p.File, p.File.Statement(c.Node)); err == nil && p.File.Parent(c.Node) == p.File.Statement(c.Node) {
			m.Fix.Edits, m.Fix.Safe = edits, true
		}
		p.Report(m)
	})
}

func trains(p *rule.Pass) bool {
	for _, fn := range p.Flow.Functions {
		for _, l := range fn.Loops {
			if l.Trains {
				return true
			}
		}
	}
	return false
}

// circles finds objects that are made in every step and refer back to themselves.
func circles(p *rule.Pass) {
	known := map[string]*circle{} // by the name of the class, nil for those that are none
	rule.EachCall(p, func(c *pyflow.Call) {
		for _, name := range lastNames(p.File, p.File.Child(c.Node, pysyntax.FieldFunction)) { // the class, or a static method of it
			if !capital(name) {
				continue
			}
			if rule.Often(p, c) != rule.PerStep {
				return // before the files around are read for the class
			}
			back, looked := known[name]
			if !looked {
				back = circleOf(p, name)
				known[name] = back
			}
			if back == nil {
				continue
			}
			at := c.Node
			if back.fix.File == p.File {
				at = back.at
			}
			p.Report(rule.Mark{At: at, Severity: rule.Light, Fix: back.fix, Why: fmt.Sprintf(
				"A `%s` is made in every step, and %s: with all that hangs on it, it waits for Python's collector, which does not know how much memory a tensor takes.", name, back.why)})
			return
		}
	})
}

// lastNames is `b` and `a` of what is called as `x.a.b`. It does not look further into what may be a long chain of calls.
func lastNames(f *pysyntax.File, callee pysyntax.Ref) []string {
	if f.Kind(callee) != pysyntax.Attribute {
		return []string{f.Text(callee)}
	}
	names := []string{f.Text(f.Child(callee, pysyntax.FieldAttribute))}
	switch object := f.Child(callee, pysyntax.FieldObject); f.Kind(object) {
	case pysyntax.Attribute:
		names = append(names, f.Text(f.Child(object, pysyntax.FieldAttribute)))
	case pysyntax.Identifier:
		names = append(names, f.Text(object))
	}
	return names
}

// capital reports whether a name is that of a class, by its first letter.
func capital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// circle is a way in which an object refers to itself.
type circle struct {
	why string
	at  pysyntax.Ref // the statement that closes it
	fix *rule.Edit
}

// circleOf looks at the class of that name, in the files around.
func circleOf(p *rule.Pass, name string) *circle {
	for _, f := range p.Flow.Defining(name) {
		class := classOf(f, name)
		if class == pysyntax.None {
			continue
		}
		if back := byChild(f, class); back != nil {
			return back
		}
		if initial := f.Method(class, "__init__"); initial != pysyntax.None {
			if back := byPart(p, f, initial); back != nil {
				return back
			}
			if back := byHook(f, initial); back != nil {
				return back
			}
		}
	}
	return nil
}

func classOf(f *pysyntax.File, name string) pysyntax.Ref {
	for r := range f.Children(pysyntax.None) {
		if f.Kind(r) == pysyntax.DecoratedDefinition {
			r = f.Child(r, pysyntax.FieldDefinition)
		}
		if f.Kind(r) == pysyntax.ClassDefinition && f.Name(r) == name {
			return r
		}
	}
	return pysyntax.None
}
