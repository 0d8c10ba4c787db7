// Package pysyntax holds Python source as a flat, immutable tree. It alone knows the parser.
package pysyntax

// Ref names a node of one File: its index in preorder. The zero Ref is the module, which is no statement and no
// expression, so it serves as "none" too.
type Ref int32

// None is the absent node.
const None Ref = 0

// File is one parsed source file.
type File struct {
	Path string
}
