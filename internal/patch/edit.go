package patch

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// ErrUnchanged says that the statement has the fix already.
var ErrUnchanged = errors.New("the source has this fix already")

// errNoSource says that the place comes from a file that could not be read.
var errNoSource = errors.New("the source could not be read")

// Patch is a changed file.
type Patch struct {
	Path   string // as in Location.File
	Source []byte // the whole new source
	Diff   string // unified diff, three lines of context, for people and reports
	Raw    string // the same in the bytes of the file, which tools apply
}

// Edit replaces the bytes from Start to End by Text, which is UTF-8 and whose line ends are "\n".
type Edit struct {
	Start, End uint32
	Text       string
}

// Apply makes the patch of a file out of edits that do not overlap.
func Apply(f *pysyntax.File, edits []Edit) (Patch, error) {
	if err := settle(f, edits); err != nil {
		return Patch{}, err
	}
	var source []byte
	at := uint32(0)
	for _, e := range edits {
		source = append(append(source, f.Source[at:e.Start]...), e.Text...)
		at = e.End
	}
	source = append(source, f.Source[at:]...)
	changed, err := pysyntax.Parse(f.Path, source)
	if err != nil {
		return Patch{}, err
	}
	if changed.HasError && !f.HasError {
		return Patch{}, errBroken(f)
	}
	p := Patch{Path: f.Path, Source: source, Raw: unified(f, edits)}
	p.Diff = Readable(f, p.Raw)
	if f.BOM {
		p.Source = append([]byte("\ufeff"), source...)
	}
	return p, nil
}

// settle sorts edits and gives them the line ends and the encoding of the file.
func settle(f *pysyntax.File, edits []Edit) error {
	if len(edits) == 0 {
		return ErrUnchanged
	}
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].Start < edits[j].Start })
	eol, at := lineEnd(f), uint32(0)
	for i := range edits {
		e := &edits[i]
		if e.Start < at {
			return fmt.Errorf("edits of %s overlap", f.Path)
		}
		text, ok := f.Encode(strings.ReplaceAll(e.Text, "\n", eol))
		if !ok {
			return fmt.Errorf("what is to be written into %s has letters whose bytes in its encoding are not known", f.Path)
		}
		e.Text = text
		at = e.End
	}
	return nil
}

func errBroken(f *pysyntax.File) error { return fmt.Errorf("the changed %s would not parse", f.Path) }

// lineEnd returns the line end that the file uses, as its first line says.
func lineEnd(f *pysyntax.File) string {
	if _, end := f.LineSpan(1); bytes.HasSuffix(f.Source[:end], []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// indentation returns the space in front of the first line of r; ok is false if other code stands there.
func indentation(f *pysyntax.File, r pysyntax.Ref) (indent string, ok bool) {
	n := f.Node(r)
	start, _ := f.LineSpan(f.Line(n.Start))
	indent = string(f.Source[start:n.Start])
	return indent, strings.Trim(indent, " \t\f") == ""
}

// alone reports whether r shares none of its lines with other code; a comment behind it may stand.
func alone(f *pysyntax.File, r pysyntax.Ref) bool {
	if _, ok := indentation(f, r); !ok {
		return false
	}
	_, last := f.Lines(r)
	_, end := f.LineSpan(last)
	rest := strings.TrimLeft(string(f.Source[f.Node(r).End:end]), " \t\f\r\n")
	return rest == "" || strings.HasPrefix(rest, "#")
}

// unit returns one step of indentation as the file uses it around r.
func unit(f *pysyntax.File, r pysyntax.Ref) string {
	inner, ok := indentation(f, r)
	if outer := f.Statement(f.Parent(r)); ok && outer != pysyntax.None {
		if before, ok := indentation(f, outer); ok && strings.HasPrefix(inner, before) && len(inner) > len(before) {
			return inner[len(before):]
		}
	}
	for b := range f.Walk(pysyntax.None) {
		if f.Kind(b) != pysyntax.Block {
			continue
		}
		first := f.FirstChild(b)
		inner, ok := indentation(f, first)
		outer, outside := indentation(f, f.Statement(f.Parent(first)))
		if ok && outside && strings.HasPrefix(inner, outer) && len(inner) > len(outer) {
			return inner[len(outer):]
		}
	}
	return "    "
}

// torch spells text, which uses the name torch, as the file does, and adds the import where it has none.
func torch(f *pysyntax.File, text string) (string, []Edit) {
	if !strings.Contains(text, "torch.") {
		return text, nil
	}
	name, edits := Import(f, "torch")
	return strings.ReplaceAll(text, "torch.", name+"."), edits
}

// Import returns the name by which a file knows a module, and the edits that import it where it does not yet.
func Import(f *pysyntax.File, module string) (name string, edits []Edit) {
	insert := uint32(0)
	for r := range f.Children(pysyntax.None) {
		switch f.Kind(r) {
		case pysyntax.ImportStatement:
			for c := range f.Children(r) {
				switch {
				case f.Kind(c) == pysyntax.AliasedImport && f.Says(f.Child(c, pysyntax.FieldName), module):
					return f.Text(f.Child(c, pysyntax.FieldAlias)), nil
				case f.Kind(c) == pysyntax.DottedName && f.Says(f.FirstChild(c), module):
					return module, nil
				}
			}
		case pysyntax.FutureImportStatement:
			insert = after(f, r)
		case pysyntax.ExpressionStatement:
			if f.Kind(f.FirstChild(r)) == pysyntax.String && insert == 0 {
				insert = after(f, r)
			}
		}
	}
	if insert == 0 {
		insert = leadingComments(f)
	}
	return module, []Edit{{insert, insert, "import " + module + "\n"}}
}

// after returns where the line behind r begins.
func after(f *pysyntax.File, r pysyntax.Ref) uint32 {
	_, last := f.Lines(r)
	_, end := f.LineSpan(last)
	return end
}

// leadingComments returns where the first line begins that is no comment: #! and coding lines stay first.
func leadingComments(f *pysyntax.File) uint32 {
	for line := 1; ; line++ {
		start, end := f.LineSpan(line)
		if start == end || f.Source[start] != '#' {
			return start
		}
	}
}

func readable(p locate.Place) error {
	if !p.Readable() {
		return errNoSource
	}
	return nil
}
