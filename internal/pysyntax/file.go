package pysyntax

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// MaxSize bounds the source of one file.
const MaxSize = 4 << 20

// File is one parsed source file.
type File struct {
	Path     string
	Source   []byte // as on disk, but without a byte order mark
	BOM      bool   // the file began with a UTF-8 byte order mark
	HasError bool   // some of it did not parse
	ErrorAt  uint32 // where the first of that stands

	source string // the same bytes
	valid  bool   // they are UTF-8
	nodes  []Node
	lines  []uint32 // where each line starts
}

// ParseFile reads and parses the file at path.
func ParseFile(path string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxSize {
		return nil, tooLarge(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse parses source, which must not change afterwards. Syntax errors are no error here, see File.HasError; text that
// no Python would read is one.
func Parse(path string, source []byte) (*File, error) {
	if len(source) > MaxSize {
		return nil, tooLarge(path)
	}
	f := &File{Path: path, Source: source}
	if rest, ok := bytes.CutPrefix(source, []byte("\ufeff")); ok {
		f.BOM, f.Source = true, rest
	}
	f.source = unsafe.String(unsafe.SliceData(f.Source), len(f.Source))
	masked, err := f.mask()
	if err != nil {
		return nil, err
	}
	nodes, errorAt, err := parse(masked)
	if err != nil {
		return nil, fmt.Errorf("parsing %s: %w", path, err)
	}
	f.nodes = nodes
	if errorAt >= 0 {
		f.HasError, f.ErrorAt = true, uint32(errorAt)
	}
	return f, nil
}

func tooLarge(path string) error {
	return fmt.Errorf("parsing %s: source is larger than %d MiB", path, MaxSize>>20)
}

// mask finds the lines and returns the source as the parser can read it, with every byte at its place: bytes of other
// encodings become letters, which is what they are in names, strings and comments alike, and lone carriage returns line
// feeds.
func (f *File) mask() ([]byte, error) {
	masked := f.Source
	put := func(i int, c byte) {
		if unsafe.SliceData(masked) == unsafe.SliceData(f.Source) {
			masked = bytes.Clone(masked)
		}
		masked[i] = c
	}
	f.valid = true
	f.lines = append(make([]uint32, 0, strings.Count(f.source, "\n")+1), 0)
	for i := 0; i < len(f.source); {
		switch c := f.source[i]; {
		case c == 0:
			return nil, fmt.Errorf("parsing %s: it holds null bytes, so it is no Python source in an 8-bit encoding", f.Path)
		case c == '\n':
			f.lines = append(f.lines, uint32(i+1))
		case c == '\r' && (i+1 == len(f.source) || f.source[i+1] != '\n'):
			put(i, '\n')
			f.lines = append(f.lines, uint32(i+1))
		case c >= utf8.RuneSelf:
			if r, size := utf8.DecodeRuneInString(f.source[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
			f.valid = false
			put(i, 'x')
		}
		i++
	}
	return masked, nil
}

// Line returns the line, from 1, that holds the byte at offset.
func (f *File) Line(offset uint32) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
}

// Lines returns the first and last line of r.
func (f *File) Lines(r Ref) (first, last int) {
	n := f.nodes[r]
	end := n.End
	if end > n.Start {
		end-- // a node ends before the byte at End
	}
	return f.Line(n.Start), f.Line(end)
}

// LineCount returns how many lines the file has.
func (f *File) LineCount() int { return len(f.lines) }

// LineSpan returns the bytes of line, its end of line included.
func (f *File) LineSpan(line int) (start, end uint32) {
	if line < 1 || line > len(f.lines) {
		return uint32(len(f.Source)), uint32(len(f.Source))
	}
	if line == len(f.lines) {
		return f.lines[line-1], uint32(len(f.Source))
	}
	return f.lines[line-1], f.lines[line]
}

// LineText returns the text of line, trimmed.
func (f *File) LineText(line int) string {
	start, end := f.LineSpan(line)
	return strings.TrimSpace(f.text(start, end))
}

var latin1 = regexp.MustCompile(`^(?:[^\n]*\n)?[ \t\f]*#.*?coding[:=][ \t]*(?i:latin-?1|iso-?8859-?1)`)

func (f *File) text(start, end uint32) string { return f.Readable(f.source[start:end]) }

// Readable makes valid UTF-8 of bytes of the source. Those that are none are read as Latin-1 where the file says it is that.
func (f *File) Readable(text string) string {
	switch {
	case f.valid || utf8.ValidString(text):
		return text
	case !f.latin1():
		return strings.ToValidUTF8(text, "\ufffd")
	}
	runes := make([]rune, len(text))
	for i := range runes {
		runes[i] = rune(text[i])
	}
	return string(runes)
}

func (f *File) latin1() bool { return latin1.Match(f.Source[:min(len(f.Source), 400)]) }

// Encode turns text back into the bytes that the file has for it. ok is false where that is not known.
func (f *File) Encode(text string) (encoded string, ok bool) {
	if f.valid || isASCII(text) {
		return text, true
	}
	bytes := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			return "", false
		}
		bytes = append(bytes, byte(r))
	}
	return string(bytes), f.latin1()
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}
