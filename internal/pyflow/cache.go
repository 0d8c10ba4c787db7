package pyflow

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// UnboundedCache returns the decorator by which a function's results are kept for good, None where it has none.
func UnboundedCache(f *pysyntax.File, function pysyntax.Ref) pysyntax.Ref {
	definition := f.Parent(function)
	if f.Kind(definition) != pysyntax.DecoratedDefinition || !f.Mentions("functools") {
		return pysyntax.None
	}
	for c := range f.Children(definition) {
		if f.Kind(c) != pysyntax.Decorator {
			continue
		}
		switch strings.ReplaceAll(strings.TrimPrefix(f.Text(c), "@"), " ", "") {
		case "functools.cache", "cache", "functools.lru_cache(maxsize=None)", "lru_cache(maxsize=None)", "functools.lru_cache(None)", "lru_cache(None)":
			return c
		}
	}
	return pysyntax.None
}
