package patch

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// WithoutKeyword is the edit that takes a keyword argument, such as "retain_graph", out of a call; ok is false where it
// has none, or a comment stands beside it.
func WithoutKeyword(f *pysyntax.File, call pysyntax.Ref, keyword string) (e Edit, ok bool) {
	for r := range f.Children(f.Child(call, pysyntax.FieldArguments)) {
		if f.Kind(r) != pysyntax.KeywordArgument || !f.Says(f.Child(r, pysyntax.FieldName), keyword) {
			continue
		}
		start, end := argumentSpan(f, r)
		if strings.Contains(string(f.Source[start:end]), "#") {
			return Edit{}, false
		}
		return Edit{Start: start, End: end}, true
	}
	return Edit{}, false
}

// WithKeyword is the edit that adds an argument, such as "cache_enabled=False", behind those that a call has.
func WithKeyword(f *pysyntax.File, call pysyntax.Ref, argument string) Edit {
	list := f.Child(call, pysyntax.FieldArguments)
	last := pysyntax.None
	for c := range f.Children(list) {
		if f.Kind(c) != pysyntax.Comment {
			last = c
		}
	}
	if last == pysyntax.None {
		at := f.Node(list).Start + 1
		return Edit{Start: at, End: at, Text: argument}
	}
	at := f.Node(last).End
	return Edit{Start: at, End: at, Text: ", " + argument}
}
