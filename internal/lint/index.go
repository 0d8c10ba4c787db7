package lint

import (
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// index makes one index over all sources, so that what one file does with a value handed in from another is known.
func index(sources []*source) func(*pysyntax.File) *pyflow.Module {
	x := pyflow.NewIndex()
	each(len(sources), func(i int) int64 { return sources[i].weight() }, func(i int) {
		switch s := sources[i]; {
		case s.tree != nil:
			x.Add(s.tree)
		case s.offered != nil:
			x.Offer(s.name, s.offered)
		}
	})
	return x.Module
}
