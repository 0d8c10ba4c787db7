package patch

import (
	"fmt"
	"path/filepath"
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
	blocks := blocksOf(f, edits)
	var b strings.Builder
	path := filepath.ToSlash(f.Path)
	if filepath.IsAbs(f.Path) {
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", path, path)
	} else {
		fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", path, path)
	}
	shift := 0
	for len(blocks) > 0 {
		n := 1
		for n < len(blocks) && blocks[n].first-blocks[n-1].last() <= 2*contextLines+1 {
			n++
		}
		shift = hunk(&b, f, blocks[:n], shift)
		blocks = blocks[n:]
	}
	return b.String()
}

// last is the number of the last old line, the one before first if there is none.
func (b block) last() int { return b.first + len(b.old) - 1 }

// blocksOf groups edits by the lines they touch and drops lines that stay as they are.
func blocksOf(f *pysyntax.File, edits []Edit) []block {
	var blocks []block
	for i := 0; i < len(edits); {
		first := f.Line(edits[i].Start)
		start, _ := f.LineSpan(first)
		_, end := f.LineSpan(f.Line(edits[i].End))
		at := start
		var text strings.Builder
		for open := true; open; {
			text.Write(f.Source[at:edits[i].Start])
			text.WriteString(edits[i].Text)
			at = edits[i].End
			if _, e := f.LineSpan(f.Line(at)); e > end {
				end = e
			}
			i++
			open = i < len(edits) && (edits[i].Start < end || edits[i].Start == start)
		}
		text.Write(f.Source[at:end])
		mark := byteOrderMark(f, first)
		next := trimmed(block{first, split(mark + string(f.Source[start:end])), split(mark + text.String())})
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
func hunk(b *strings.Builder, f *pysyntax.File, blocks []block, shift int) int {
	total := f.LineCount()
	if start, end := f.LineSpan(total); start == end {
		total-- // behind the last line's end
	}
	first := max(blocks[0].first-contextLines, 1)
	end := min(blocks[len(blocks)-1].last()+contextLines, total)
	var body strings.Builder
	at, grown := first, 0
	for _, k := range blocks {
		write(&body, ' ', lines(f, at, k.first-1))
		write(&body, '-', k.old)
		write(&body, '+', k.new)
		at = k.last() + 1
		grown += len(k.new) - len(k.old)
	}
	write(&body, ' ', lines(f, at, end))
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
func lines(f *pysyntax.File, first, last int) []string {
	var all []string
	for line := first; line <= last; line++ {
		start, end := f.LineSpan(line)
		all = append(all, byteOrderMark(f, line)+string(f.Source[start:end]))
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
