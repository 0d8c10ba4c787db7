package pyflow

import "github.com/torchleak/torchleak/internal/pysyntax"

// Module follows the values of f and returns what is known of it.
func (x *Index) Module(f *pysyntax.File) *Module {
	u := x.unitOf(f)
	m := &Module{File: f, Torch: u.torch}
	return m
}
