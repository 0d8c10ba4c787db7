package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// cell is one code cell of a notebook in the module that all of them make together.
type cell struct {
	number int // among all cells, from 1, as notebooks show them in order
	first  int // its first line in the module
}

// notebookFile is what is read of a notebook, of format 4 and, in worksheets, of format 3.
type notebookFile struct {
	Cells      []notebookCell `json:"cells"`
	Worksheets []struct {
		Cells []notebookCell `json:"cells"`
	} `json:"worksheets"`
	Metadata struct {
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
		Kernel struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
	} `json:"metadata"`
}

type notebookCell struct {
	Type   string `json:"cell_type"`
	Source lines  `json:"source"`
	Input  lines  `json:"input"`
}

// lines is a text that stands in JSON whole or line by line.
type lines string

// UnmarshalJSON reads either form.
func (l *lines) UnmarshalJSON(b []byte) error {
	var many []string
	if json.Unmarshal(b, &many) == nil {
		*l = lines(strings.Join(many, ""))
		return nil
	}
	var one string
	err := json.Unmarshal(b, &one)
	*l = lines(one)
	return err
}

// notebook reads the code cells as one module: what one cell makes, the next ones use.
func (s *source) notebook(text []byte) {
	var n notebookFile
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &n); err != nil {
		s.skip(0, "it is no notebook: "+fault(err))
		return
	}
	if n.Cells == nil && n.Worksheets == nil {
		s.skip(0, "it is no notebook: it has no cells")
		return
	}
	language := n.Metadata.Language.Name
	if language == "" {
		language = n.Metadata.Kernel.Language
	}
	if language != "" && !strings.EqualFold(language, "python") && !strings.EqualFold(language, "ipython") {
		s.skip(0, "it is a notebook in "+language)
		return
	}
	all := n.Cells
	for _, sheet := range n.Worksheets {
		all = append(all, sheet.Cells...)
	}
	module := s.join(all)
	tree, err := pysyntax.Parse(s.name, module)
	if err != nil {
		_, reason, _ := strings.Cut(err.Error(), s.name+": ")
		s.skip(0, reason)
		return
	}
	s.tree = tree
	if line := python2(tree); line > 0 {
		number, at := s.place(line)
		s.skip(at, fmt.Sprintf("it is Python 2: cell %d has a statement that Python 3 does not know", number))
		s.tree = nil
	}
}

// fault says in words of JSON, not of Go, why a text is no notebook.
func fault(err error) string {
	var other *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &other):
		return strings.TrimPrefix(err.Error(), "json: ")
	case other.Field == "":
		return "it holds one " + other.Value
	}
	return fmt.Sprintf("its %q is of the type %s", other.Field, other.Value)
}

// join makes one module of the code cells, byte for byte as long as they are. A cell that does not parse is left out,
// so that it spoils no other.
func (s *source) join(all []notebookCell) (module []byte) {
	line := 1
	s.cells = []cell{}
	for i, c := range all {
		if c.Type != "code" {
			continue
		}
		text := string(c.Source + c.Input)
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		masked := maskMagics([]byte(text))
		if tree, err := pysyntax.Parse(s.name, masked); err != nil || tree.HasError {
			at := 1
			if err == nil {
				at = syntaxError(tree)
			}
			s.part(at, fmt.Sprintf("syntax error in cell %d, which was not checked", i+1))
			space(masked)
		}
		s.cells = append(s.cells, cell{i + 1, line})
		s.original = append(s.original, text...)
		module = append(module, masked...)
		line += bytes.Count(masked, []byte("\n"))
	}
	return module
}

// place returns the cell that line of the module stands in, and the line in it. Files that are no notebooks have no
// cells: 0.
func (s *source) place(line int) (number, at int) {
	for i := len(s.cells) - 1; i >= 0; i-- {
		if c := s.cells[i]; c.first <= line {
			return c.number, line - c.first + 1
		}
	}
	return 0, line
}
