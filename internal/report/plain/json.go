package plain

import (
	"encoding/json"
	"io"
)

// JSON writes v indented by two spaces, with a line end, and escapes only what JSON has to: a reader may be a person.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
