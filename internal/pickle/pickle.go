// Package pickle reads Python pickles of plain data: dictionaries, lists, tuples, texts and numbers. It can run
// nothing: every opcode that would import, call or build is refused with its place. It keeps no tree of what it
// read either. A Builder turns each container into a Value of its own the moment it is complete, so what a pickle of
// gigabytes costs in memory is what the Builder keeps of it, and a few bits for each of the pickle's references.
package pickle

import "fmt"

// Kind says what a Value is.
type Kind uint32

// The kinds that the decoder makes. A Builder's own kinds lie between Own and the last, see there.
const (
	None     Kind = iota + 1
	Bool          // N is 0 or 1
	Int           // N is the number
	Negative      // N is the number in two's complement
	Float         // N is its IEEE 754 form
	Text          // N is its number in Strings
	Bytes         // N is its number in Strings
	Dict          // without items yet
	List          // without items yet
	Tuple         // without items
	Plain         // something that the Builder does not want to know
)

// The kinds of a Builder.
const (
	// Own is the first kind whose values may be referred to again and again. Their N is below MaxShared.
	Own Kind = 16
	// Once is the first kind whose values occur once: a pickle that refers to one again is refused, which is what
	// saves remembering them.
	Once Kind = 24
	// Run is the first kind of which neighbours are joined: N is from<<32|to, and where one ends with the number
	// that the next begins with they become one value. A million neighbours so take the room of one.
	Run Kind = 28

	// MaxShared is the limit of N of values of Own kinds.
	MaxShared = 1 << 27
)

// Value is one value of a pickle.
type Value struct {
	N    uint64
	memo uint32 // one more than its number in the memo, or borrowed
	Kind Kind
}

// borrowed marks a value that was fetched from the memo: changing it would change what others hold.
const borrowed = ^uint32(0)

// Span returns the ends of a run.
func (v Value) Span() (from, to int) { return int(v.N >> 32), int(uint32(v.N)) }

// RunOf returns a run of the values from to to, without to.
func RunOf(kind Kind, from, to int) Value { return Value{N: uint64(from)<<32 | uint64(to), Kind: kind} }

// Builder makes values of containers. The items are only lent.
type Builder interface {
	// Dict adds items, keys and values in turn, to a dictionary: of kind Dict, or what Dict made of it before.
	Dict(to Value, items []Value) (Value, error)
	// Record makes a value of a whole dictionary. Those of the same form have the same keys in the same order; forms are
	// numbered from 1 on.
	Record(form uint32, items []Value) (Value, error)
	// List adds items to a list: of kind List, or what List made of it before.
	List(to Value, items []Value) (Value, error)
	// Tuple makes a value of a tuple's items.
	Tuple(items []Value) (Value, error)
}

// SyntaxError says what is wrong with a pickle, and where.
type SyntaxError struct {
	Offset int64 // in the decompressed pickle
	Msg    string
	// Code is set where the pickle would run code when Python loads it.
	Code bool
	// Truncated is set where the pickle ends too early.
	Truncated bool
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s, at byte %d", e.Msg, e.Offset) }

// Strings are the texts of a pickle, each once.
type Strings struct {
	ids   map[string]uint32
	texts []string
	bytes int
}

// NewStrings returns a table whose first texts are known, so that a Builder can tell them by number.
func NewStrings(known ...string) *Strings {
	s := &Strings{ids: make(map[string]uint32, len(known))}
	for _, k := range known {
		s.Intern([]byte(k))
	}
	return s
}

// Intern returns the number of a text.
func (s *Strings) Intern(b []byte) uint32 {
	if id, ok := s.ids[string(b)]; ok {
		return id
	}
	t := string(b)
	id := uint32(len(s.texts))
	s.texts = append(s.texts, t)
	s.ids[t] = id
	s.bytes += len(t)
	return id
}

// Text returns the text with a number that Intern returned.
func (s *Strings) Text(id uint32) string { return s.texts[id] }

// Len returns how many texts there are.
func (s *Strings) Len() int { return len(s.texts) }
