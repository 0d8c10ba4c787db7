package json

import (
	"fmt"
	"io"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// WriteLint writes what the linter found as indented JSON, schema 1, docs/lint.md. Lists are never null.
func WriteLint(w io.Writer, l finding.Lint) error {
	l.Findings, l.Skipped, l.Notes = list(l.Findings), list(l.Skipped), list(l.Notes)
	if err := plain.JSON(w, l); err != nil {
		return fmt.Errorf("writing the findings: %w", err)
	}
	return nil
}
