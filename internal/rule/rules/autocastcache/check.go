package autocastcache

import (
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	for _, f := range p.Flow.Functions {
		for _, c := range f.Calls {
			if !strings.HasPrefix(c.Name, "torch.") || !strings.HasSuffix(c.Name, "autocast") {
				continue
			}
			with := p.File.Enclosing(c.Node, pysyntax.WithStatement)
			if with == pysyntax.None || c.Node > p.File.Body(with) || strings.Contains(p.File.Text(c.Node), "cache_enabled") {
				continue
			}
			for _, l := range f.Loops {
				if l.Trains && p.File.Within(l.Node, with) {
					p.Report(rule.Mark{At: with, Severity: rule.Light, Fix: uncached(p.File, c.Node),
						Why: "The autocast region goes around the whole training loop, so its cache of half-precision weights is never emptied: weights that are made anew in it stay, each as a copy that no Python object refers to."})
					break
				}
			}
		}
	}
}

// uncached switches the cache off: a weight is cast wherever it is used. Its gradients are then added up in full precision
// and not in half, so the last bits differ: it is not safe.
func uncached(f *pysyntax.File, call pysyntax.Ref) *rule.Edit {
	return &rule.Edit{Summary: "Pass `cache_enabled=False`, or enter the region once a step, around the forward only.",
		Edits: []patch.Edit{patch.WithKeyword(f, call, "cache_enabled=False")}}
}
