package json

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/torchleak/torchleak/internal/finding"
)

// WriteLint writes what the linter found as indented JSON, schema 1, docs/lint.md. Lists are never null.
func WriteLint(w io.Writer, l finding.Lint) error {
	l.Findings, l.Skipped, l.Notes = list(l.Findings), list(l.Skipped), list(l.Notes)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(l); err != nil {
		return fmt.Errorf("writing the findings: %w", err)
	}
	return nil
}
