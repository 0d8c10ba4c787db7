package processgroupperstep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// makers are the functions that make a group, without the module.
var makers = []string{"new_group", "new_subgroups", "new_subgroups_by_enumeration", "init_device_mesh", "init_process_group"}

// collectives are what a group is made for: where one is called in the same round, the rounds are steps.
var collectives = []string{"all_reduce", "all_gather", "all_gather_into_tensor", "all_gather_object", "broadcast", "reduce",
	"reduce_scatter", "reduce_scatter_tensor", "all_to_all", "all_to_all_single", "gather", "scatter", "barrier"}

const cost = "Each sets up a communicator of its own, hundreds of megabytes outside PyTorch's allocator, and stays registered when the variable is gone."

func check(p *rule.Pass) {
	for _, fn := range p.Flow.Functions {
		for _, c := range fn.Calls {
			if !distributed(c.Name, makers) {
				continue
			}
			m := rule.Mark{At: c.Node, Severity: rule.Heavy, Fix: &rule.Edit{Summary: summary}}
			often, turn := rule.Often(p, c), rule.Turn(p, c)
			if often == rule.Once {
				if turn = communicates(fn, c); turn != pysyntax.None {
					often = rule.PerStep
				}
			}
			switch {
			case often != rule.Once:
				m.Why = fmt.Sprintf("A new process group is made %s. %s", often.Phrase(), cost)
			case dropped(p.File, fn, c):
				m.Severity = rule.Light
				m.Why = fmt.Sprintf("Each call of `%s` makes a process group for itself and drops it. %s", p.File.Name(fn.Node), cost)
				m.Fix.Edits = destroy(p.File, fn, c)
			default:
				continue
			}
			if conditions := rule.Conditions(p.File, c.Node, turn); len(conditions) > 0 && !rule.Every(p.File, conditions) {
				continue
			}
			if !destroyed(fn, turn, p.File) {
				p.Report(m)
			}
		}
	}
}

func distributed(name string, functions []string) bool {
	for _, f := range functions {
		if strings.HasSuffix(name, "."+f) && strings.HasPrefix(name, "torch.distributed.") {
			return true
		}
	}
	return false
}

// communicates returns the loop around c that calls a collective as well, None if none does.
func communicates(fn *pyflow.Function, c *pyflow.Call) pysyntax.Ref {
	for _, other := range fn.Calls {
		if !distributed(other.Name, collectives) {
			continue
		}
		for l := c.Loop; l != nil; l = l.Outer {
			for o := other.Loop; o != nil; o = o.Outer {
				if o.Node == l.Node && l.Node != pysyntax.None && !l.Once {
					return l.Node
				}
			}
		}
	}
	return pysyntax.None
}

// dropped reports whether a group is made for the collectives of one call of its function: it is kept under a plain
// name of the function, used there, and not handed on to anybody.
func dropped(f *pysyntax.File, fn *pyflow.Function, c *pyflow.Call) bool {
	a := f.Parent(c.Node)
	if fn.Node == pysyntax.None || f.Kind(a) != pysyntax.Assignment || f.Kind(f.Child(a, pysyntax.FieldLeft)) != pysyntax.Identifier {
		return false
	}
	name, used := f.Text(f.Child(a, pysyntax.FieldLeft)), false
	for r := range f.Walk(fn.Node) {
		if f.Kind(r) != pysyntax.Identifier || !f.Says(r, name) || f.Within(r, a) {
			continue
		}
		if loop := f.Enclosing(r, pysyntax.ForStatement, pysyntax.WhileStatement); loop != pysyntax.None && f.Within(loop, fn.Node) {
			return false // one group for many uses
		}
		call := f.Enclosing(r, pysyntax.Call)
		if call == pysyntax.None || !f.Within(call, fn.Node) || f.Function(r) != fn.Node {
			return false // returned, stored or closed over
		}
		callee := f.Text(f.Child(call, pysyntax.FieldFunction))
		callee = callee[strings.LastIndexByte(callee, '.')+1:]
		if slices.Contains(collectives, callee) {
			used = true
		} else if callee != "get_world_size" && callee != "get_rank" && callee != "get_group_rank" {
			return false // handed on
		}
	}
	return used
}

// destroy takes the group down behind the last statement that uses it. Every rank has to come by: it is not safe.
func destroy(f *pysyntax.File, fn *pyflow.Function, c *pyflow.Call) []patch.Edit {
	made := f.Statement(c.Node)
	name, last := f.Text(f.Child(f.Parent(c.Node), pysyntax.FieldLeft)), made
	for r := range f.Walk(fn.Node) {
		if f.Kind(r) == pysyntax.Identifier && f.Says(r, name) {
			last = max(last, r)
		}
	}
	for last != pysyntax.None && f.Parent(last) != f.Parent(made) {
		last = f.Parent(last)
	}
	callee := f.Text(f.Child(c.Node, pysyntax.FieldFunction))
	module, _, ok := strings.Cut(callee, ".new_group")
	if last == pysyntax.None || f.Kind(last) == pysyntax.ReturnStatement || !ok {
		return nil
	}
	edits, err := patch.Behind(f, last, module+".destroy_process_group("+name+")")
	if err != nil {
		return nil
	}
	return edits
}

// destroyed reports whether groups are destroyed in the same round.
func destroyed(fn *pyflow.Function, turn pysyntax.Ref, f *pysyntax.File) bool {
	for _, c := range fn.Calls {
		if strings.HasSuffix(c.Name, "destroy_process_group") && (turn == pysyntax.None || f.Within(c.Node, turn)) {
			return true
		}
	}
	return false
}
