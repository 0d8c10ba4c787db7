package pysyntax

/*
// The functions of flatten.h are linked in with go-tree-sitter.
#cgo LDFLAGS: -Wl,-unresolved-symbols=ignore-all
#include "flatten.h"
*/
import "C"

import (
	"errors"
	"sync"
	"time"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
)

// maxTime bounds the parsing of one file; ordinary files take milliseconds.
const maxTime = 10 * time.Second

// grammar is what the parser's numbers mean.
type grammar struct {
	language *sitter.Language
	kinds    []Kind
	named    []uint8 // 1 for kinds that have a name
	fields   []Field
}

var load = sync.OnceValue(func() *grammar {
	C.pysyntax_prepare()
	g := &grammar{language: sitter.NewLanguage(python.Language())}
	kinds := make(map[string]Kind, kindCount)
	for k := range kindCount {
		kinds[kindNames[k]] = k
	}
	for id := range g.language.NodeKindCount() {
		kind, named := Token, uint8(0)
		if g.language.NodeKindIsNamed(uint16(id)) {
			kind, named = kinds[g.language.NodeKindForId(uint16(id))], 1
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

// arenas are those that no parse uses. There are never more than threads that parsed at once.
var arenas = struct {
	sync.Mutex
	free []*C.Arena
}{}

// arena returns an empty arena, to be given back to putArena.
func arena() (*C.Arena, error) {
	arenas.Lock()
	defer arenas.Unlock()
	if n := len(arenas.free); n > 0 {
		a := arenas.free[n-1]
		arenas.free = arenas.free[:n-1]
		return a, nil
	}
	a := C.arena_new()
	if a == nil {
		return nil, errors.New("no memory")
	}
	return a, nil
}

func putArena(a *C.Arena) {
	C.arena_clear(a)
	arenas.Lock()
	defer arenas.Unlock()
	arenas.free = append(arenas.free, a)
}

// parse returns the nodes of source in preorder, and where the first error stands, -1 if there is none. All of it is
// one call into C: a call for each node would take longer than the parsing.
func parse(source []byte) (nodes []Node, errorAt int, err error) {
	g := load()
	a, err := arena()
	if err != nil {
		return nil, 0, err
	}
	defer putArena(a)
	text := (*C.char)(unsafe.Pointer(unsafe.SliceData(source)))
	t := C.pysyntax_parse(a, (*C.TSLanguage)(unsafe.Pointer(g.language.Inner)), text, C.uint32_t(len(source)),
		(*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(g.named))), C.uint32_t(len(g.named)), C.uint64_t(maxTime.Microseconds()))
	if t.nodes == nil {
		return nil, 0, errors.New("it took too long")
	}
	nodes = make([]Node, t.count)
	for i, n := range unsafe.Slice(t.nodes, t.count) {
		kind := Error
		if id := int(n.kind); id < len(g.kinds) {
			kind = g.kinds[id]
		}
		field := NoField
		if id := int(n.field); id < len(g.fields) {
			field = g.fields[id]
		}
		nodes[i] = Node{Kind: kind, Field: field, Start: uint32(n.start), End: uint32(n.end), Parent: Ref(n.parent), After: Ref(n.after)}
	}
	nodes[0].Kind = Module
	return nodes, int(t.error), nil
}
