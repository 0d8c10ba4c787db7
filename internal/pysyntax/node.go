// Package pysyntax holds Python source as a flat, immutable tree. It alone knows the parser.
//
// A File keeps the source as it is on disk, byte for byte; nodes are ranges of it. Text that does not parse is an
// Error node: use what parsed, and say so.
package pysyntax

import (
	"iter"
	"slices"
	"strings"
)

// Ref names a node of one File: its index in preorder. The zero Ref is the module, which is no statement and no
// expression, so it serves as "none" too.
type Ref int32

// None is the absent node.
const None Ref = 0

// Node is one node. Its first child is the next node of the slice, its next sibling the one at After.
type Node struct {
	Kind       Kind
	Field      Field // its part in the parent
	Start, End uint32
	Parent     Ref
	After      Ref // the node after the last one below this one
}

// Node returns the node that r names.
func (f *File) Node(r Ref) Node { return f.nodes[r] }

// Len returns how many nodes the file has.
func (f *File) Len() int { return len(f.nodes) }

// Kind returns the kind of r.
func (f *File) Kind(r Ref) Kind { return f.nodes[r].Kind }

// Is reports whether r is one of kinds.
func (f *File) Is(r Ref, kinds ...Kind) bool {
	for _, k := range kinds {
		if f.nodes[r].Kind == k {
			return true
		}
	}
	return false
}

// Parent returns the parent of r, None for the module.
func (f *File) Parent(r Ref) Ref { return f.nodes[r].Parent }

// FirstChild returns the first child of r, None if it has none.
func (f *File) FirstChild(r Ref) Ref {
	if f.nodes[r].After > r+1 {
		return r + 1
	}
	return None
}

// NextSibling returns the next child of r's parent, None for the last.
func (f *File) NextSibling(r Ref) Ref {
	next := f.nodes[r].After
	if r == None || next >= f.nodes[f.nodes[r].Parent].After {
		return None
	}
	return next
}

// Children yields the children of r in order.
func (f *File) Children(r Ref) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		for c := f.FirstChild(r); c != None; c = f.NextSibling(c) {
			if !yield(c) {
				return
			}
		}
	}
}

// Child returns the first child of r in field, None if there is none.
func (f *File) Child(r Ref, field Field) Ref {
	for c := range f.Children(r) {
		if f.nodes[c].Field == field {
			return c
		}
	}
	return None
}

// Descend returns the node reached from r through fields, None where one is absent.
func (f *File) Descend(r Ref, fields ...Field) Ref {
	for _, field := range fields {
		if r = f.Child(r, field); r == None {
			return None
		}
	}
	return r
}

// Walk yields r and all nodes below it in order of the source.
func (f *File) Walk(r Ref) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		for c, end := r, f.nodes[r].After; c < end; c++ {
			if !yield(c) {
				return
			}
		}
	}
}

// Ancestors yields the parent of r, its parent and so on; the module comes last.
func (f *File) Ancestors(r Ref) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		for r != None {
			r = f.nodes[r].Parent
			if !yield(r) {
				return
			}
		}
	}
}

// Within reports whether r is outer or stands below it.
func (f *File) Within(r, outer Ref) bool { return outer <= r && r < f.nodes[outer].After }

// Text returns the source of r as valid UTF-8.
func (f *File) Text(r Ref) string {
	n := f.nodes[r]
	return f.text(n.Start, n.End)
}

// Mentions reports whether one of the words stands anywhere in the source, comments and strings included.
func (f *File) Mentions(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(f.source, w) })
}

// Says reports whether the source of r is text.
func (f *File) Says(r Ref, text string) bool {
	n := f.nodes[r]
	return f.source[n.Start:n.End] == text
}
