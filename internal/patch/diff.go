package patch

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

const contextLines = 3

// block is a run of old lines, first counted from 1, and what they become.
type block struct {
	first    int
	old, new []string
}

// Readable makes valid UTF-8 of a diff of f, for people and reports.
func Readable(f *pysyntax.File, raw string) string {
	if utf8.ValidString(raw) {
		return raw
	}
	head, hunks, _ := strings.Cut(raw, "\n@@")
	return strings.ToValidUTF8(head, "\ufffd") + "\n@@" + f.Readable(hunks)
}

// unified writes sorted edits as a unified diff, byte for byte.
func unified(f *pysyntax.File, edits []Edit) string {
	t := linesOf(f)
	blocks := t.blocks(edits)
	var b strings.Builder
	before, after := "a/", "b/"
	if filepath.IsAbs(f.Path) {
		before, after = "", ""
	}
	path := filepath.ToSlash(f.Path)
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", FileName(before+path), FileName(after+path))
	shift := 0
	for len(blocks) > 0 {
		n := 1
		for n < len(blocks) && blocks[n].first-blocks[n-1].last() <= 2*contextLines+1 {
			n++
		}
		shift = t.hunk(&b, blocks[:n], shift)
		blocks = blocks[n:]
	}
	return b.String()
}

// FileName is a path as it stands behind --- and +++, for `git apply` and `patch`: in quotes and with escapes as in C where
// it has bytes that would end the line or the name, with a tab behind it where it has blanks, at which patch stops otherwise.
func FileName(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == '"' || r == '\\' }) {
		if strings.Contains(path, " ") {
			return path + "\t"
		}
		return path
	}
	var b strings.Builder
	for _, c := range []byte(path) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}

// fileLines is a file as the tools that read diffs see it: what ends a line is \n, and never \r alone as for Python.
type fileLines struct {
	*pysyntax.File
	starts []uint32 // offset of each line; the last may be empty
}

func linesOf(f *pysyntax.File) fileLines {
	t := fileLines{f, []uint32{0}}
	for at := 0; ; {
		n := bytes.IndexByte(f.Source[at:], '\n')
		if n < 0 {
			return t
		}
		at += n + 1
		t.starts = append(t.starts, uint32(at))
	}
}

// line is the number of the line, from 1, that a byte stands on.
func (t fileLines) line(offset uint32) int {
	n, found := slices.BinarySearch(t.starts, offset)
	if found {
		return n + 1
	}
	return n
}

// span is where a line begins, and where the next one does.
func (t fileLines) span(line int) (start, end uint32) {
	if line >= len(t.starts) {
		return t.starts[len(t.starts)-1], uint32(len(t.Source))
	}
	return t.starts[line-1], t.starts[line]
}

// last is the number of the last old line, the one before first if there is none.
func (b block) last() int { return b.first + len(b.old) - 1 }

// blocks groups edits by the lines they touch and drops lines that stay as they are.
func (t fileLines) blocks(edits []Edit) []block {
	var blocks []block
	for i := 0; i < len(edits); {
		first := t.line(edits[i].Start)
		start, _ := t.span(first)
		_, end := t.span(t.line(edits[i].End))
		at := start
		var text strings.Builder
		for open := true; open; {
			text.Write(t.Source[at:edits[i].Start])
			text.WriteString(edits[i].Text)
			at = edits[i].End
			if _, e := t.span(t.line(at)); e > end {
				end = e
			}
			i++
			open = i < len(edits) && (edits[i].Start < end || edits[i].Start == start)
		}
		text.Write(t.Source[at:end])
		mark := byteOrderMark(t.File, first)
		next := trimmed(block{first, split(mark + string(t.Source[start:end])), split(mark + text.String())})
		if n := len(blocks) - 1; n >= 0 && next.first <= blocks[n].last()+1 {
			blocks[n].old = append(blocks[n].old, next.old...)
			blocks[n].new = append(blocks[n].new, next.new...)
			continue
		}
		blocks = append(blocks, next)
	}
	return blocks
}

func trimmed(b block) block {
	for len(b.old) > 0 && len(b.new) > 0 && b.old[0] == b.new[0] {
		b.first, b.old, b.new = b.first+1, b.old[1:], b.new[1:]
	}
	for len(b.old) > 0 && len(b.new) > 0 && b.old[len(b.old)-1] == b.new[len(b.new)-1] {
		b.old, b.new = b.old[:len(b.old)-1], b.new[:len(b.new)-1]
	}
	return b
}

// hunk writes blocks that lie close together and returns by how much the lines behind have moved.
func (t fileLines) hunk(b *strings.Builder, blocks []block, shift int) int {
	total := len(t.starts)
	if start, end := t.span(total); start == end {
		total-- // behind the last line's end
	}
	first := max(blocks[0].first-contextLines, 1)
	end := min(blocks[len(blocks)-1].last()+contextLines, total)
	var body strings.Builder
	at, grown := first, 0
	for _, k := range blocks {
		write(&body, ' ', t.lines(at, k.first-1))
		write(&body, '-', k.old)
		write(&body, '+', k.new)
		at = k.last() + 1
		grown += len(k.new) - len(k.old)
	}
	write(&body, ' ', t.lines(at, end))
	count := end - first + 1
	fmt.Fprintf(b, "@@ -%s +%s @@\n%s", span(first, count), span(first+shift, count+grown), body.String())
	return shift + grown
}

func span(first, count int) string {
	if count == 0 {
		return fmt.Sprintf("%d,0", first-1)
	}
	return fmt.Sprintf("%d,%d", first, count)
}

func write(b *strings.Builder, sign byte, lines []string) {
	for _, line := range lines {
		b.WriteByte(sign)
		b.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// lines returns the lines from first to last with their ends.
func (t fileLines) lines(first, last int) []string {
	var all []string
	for line := first; line <= last; line++ {
		start, end := t.span(line)
		all = append(all, byteOrderMark(t.File, line)+string(t.Source[start:end]))
	}
	return all
}

// byteOrderMark is what stands before line on disk and not in the tree.
func byteOrderMark(f *pysyntax.File, line int) string {
	if f.BOM && line == 1 {
		return "\ufeff"
	}
	return ""
}

// split cuts text into lines and keeps their ends.
func split(text string) []string {
	all := strings.SplitAfter(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}
