package pysyntax

import (
	"errors"
	"sync"
	"time"

	sitter "github.com/tree-sitter/go-tree-sitter"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
)

// maxTime bounds the parsing of one file; ordinary files take milliseconds.
const maxTime = 10 * time.Second

// grammar is what the parser's numbers mean. Asking it for names node by node would cost a call into C each time.
type grammar struct {
	language *sitter.Language
	kinds    []Kind
	named    []bool
	fields   []Field
}

var load = sync.OnceValue(func() *grammar {
	g := &grammar{language: sitter.NewLanguage(python.Language())}
	kinds := make(map[string]Kind, kindCount)
	for k := range kindCount {
		kinds[kindNames[k]] = k
	}
	for id := range g.language.NodeKindCount() {
		named := g.language.NodeKindIsNamed(uint16(id))
		kind := Token
		if named {
			kind = kinds[g.language.NodeKindForId(uint16(id))]
		}
		g.kinds = append(g.kinds, kind)
		g.named = append(g.named, named)
	}
	fields := make(map[string]Field, fieldCount)
	for f := range fieldCount {
		fields[fieldNames[f]] = f
	}
	for id := range g.language.FieldCount() + 1 {
		g.fields = append(g.fields, fields[g.language.FieldNameForId(uint16(id))])
	}
	return g
})

// parse returns the nodes of source in preorder, and where the first error stands, -1 if there is none.
func parse(source []byte) (nodes []Node, errorAt int, err error) {
	g := load()
	parser := sitter.NewParser()
	defer parser.Close()
	if err := parser.SetLanguage(g.language); err != nil {
		return nil, 0, err
	}
	deadline := time.Now().Add(maxTime)
	options := &sitter.ParseOptions{ProgressCallback: func(sitter.ParseState) bool { return time.Now().After(deadline) }}
	tree := parser.ParseWithOptions(func(i int, _ sitter.Point) []byte { return source[min(i, len(source)):] }, nil, options)
	if tree == nil {
		return nil, 0, errors.New("it took too long")
	}
	defer tree.Close()
	root := tree.RootNode()
	return g.flatten(tree.Walk(), len(source)), firstError(root), nil
}

// firstError returns where the first text stands that did not parse, or that is missing, -1 if all did.
func firstError(node *sitter.Node) int {
	if !node.HasError() {
		return -1
	}
	cursor := node.Walk()
	defer cursor.Close()
	for !node.IsError() && !node.IsMissing() && cursor.GotoFirstChild() {
		for node = cursor.Node(); !node.HasError() && !node.IsMissing() && cursor.GotoNextSibling(); {
			node = cursor.Node()
		}
	}
	return int(node.StartByte())
}

// flatten walks the parser's tree once. Brackets and keywords are left out, the source has them; tokens that say
// something, such as the operator of an assignment, stand in a field and are kept.
func (g *grammar) flatten(cursor *sitter.TreeCursor, size int) []Node {
	defer cursor.Close()
	nodes := make([]Node, 1, size/4+1)
	nodes[0] = Node{Kind: Module, End: uint32(size)}
	if !cursor.GotoFirstChild() {
		nodes[0].After = 1
		return nodes
	}
	parent := Ref(0)
	for {
		node := cursor.Node()
		kind, named := g.kind(node)
		field := NoField
		if id := int(cursor.FieldId()); id < len(g.fields) {
			field = g.fields[id]
		}
		if named || field != NoField {
			start, end := node.ByteRange()
			at := Ref(len(nodes))
			nodes = append(nodes, Node{Kind: kind, Field: field, Start: uint32(start), End: uint32(end), Parent: parent})
			if cursor.GotoFirstChild() {
				parent = at
				continue
			}
			nodes[at].After = at + 1
		}
		for !cursor.GotoNextSibling() {
			nodes[parent].After = Ref(len(nodes))
			if parent == 0 {
				return nodes
			}
			cursor.GotoParent()
			parent = nodes[parent].Parent
		}
	}
}

func (g *grammar) kind(node *sitter.Node) (kind Kind, named bool) {
	id := int(node.KindId())
	if id >= len(g.kinds) {
		return Error, true // the parser numbers error nodes from the top
	}
	return g.kinds[id], g.named[id]
}
