package patch

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Checker says what many patches of one file would change, each by itself. It parses the statements of the module that
// a patch touches and not the rest of the file, so that files with many findings take no longer for each.
type Checker struct {
	file *pysyntax.File
	cuts []uint32 // where the module's own statements begin, one to a line; the first piece begins with the file
	left int      // bytes that may still be parsed
}

// ErrSpent says that a file's patches would take too long to check: the rest of them is not looked at.
var ErrSpent = fmt.Errorf("its fixes take too long to check")

// spare is how much is parsed for the patches of a file besides twice its size.
const spare = 4 << 20

// NewChecker returns a checker of patches of f.
func NewChecker(f *pysyntax.File) *Checker {
	c := &Checker{file: f, cuts: []uint32{0}, left: spare + 2*len(f.Source)}
	for r := range f.Children(pysyntax.None) {
		n := f.Node(r)
		if start, _ := f.LineSpan(f.Line(n.Start)); start == n.Start && start > 0 {
			c.cuts = append(c.cuts, start)
		}
	}
	return c
}

// Diff returns what Apply would write as the patch's diff in the bytes of the file, and the same errors.
func (c *Checker) Diff(edits []Edit) (string, error) {
	f := c.file
	edits = slices.Clone(edits)
	if err := settle(f, edits); err != nil {
		return "", err
	}
	for i := 0; i < len(edits); {
		from, to := c.piece(edits[i])
		n := i + 1
		for ; n < len(edits); n++ {
			first, last := c.piece(edits[n])
			if first > to {
				break
			}
			to = max(to, last)
		}
		if err := c.parse(c.cuts[from], c.end(to), edits[i:n]); err != nil {
			return "", err
		}
		i = n
	}
	return unified(f, edits), nil
}

// piece returns the first and last piece that an edit touches. What is put between two belongs to both.
func (c *Checker) piece(e Edit) (first, last int) {
	first = sort.Search(len(c.cuts), func(i int) bool { return c.cuts[i] >= e.Start }) - 1
	last = sort.Search(len(c.cuts), func(i int) bool { return c.cuts[i] > e.End }) - 1
	return max(first, 0), max(last, 0)
}

func (c *Checker) end(piece int) uint32 {
	if piece+1 < len(c.cuts) {
		return c.cuts[piece+1]
	}
	return uint32(len(c.file.Source))
}

// parse reads the bytes from start to end with edits in them.
func (c *Checker) parse(start, end uint32, edits []Edit) error {
	if c.left -= int(end - start); c.left < 0 {
		return ErrSpent
	}
	var text strings.Builder
	for _, e := range edits {
		text.Write(c.file.Source[start:e.Start])
		text.WriteString(e.Text)
		start = e.End
	}
	text.Write(c.file.Source[start:end])
	changed, err := pysyntax.Parse(c.file.Path, []byte(text.String()))
	if err != nil {
		return err
	}
	if changed.HasError && !c.file.HasError {
		return errBroken(c.file)
	}
	return nil
}
