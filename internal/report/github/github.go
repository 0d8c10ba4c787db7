// Package github writes findings as workflow commands: GitHub shows each beside the line of a pull request.
package github

import (
	"fmt"
	"io"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
)

// commands are what GitHub calls our severities.
var commands = map[string]string{"error": "error", "warning": "warning", "note": "notice"}

// Write writes one command a finding. Lines of notebooks count in their cell, which GitHub cannot show: the message
// says the cell.
func Write(w io.Writer, l finding.Lint) error {
	for _, f := range l.Findings {
		s := f.Location
		message := f.Why
		if s.Cell > 0 {
			message = fmt.Sprintf("cell %d, line %d: %s", s.Cell, s.Line, message)
		}
		if f.Fix != nil && f.Fix.Summary != "" {
			message += "\n" + f.Fix.Summary
		}
		at := fmt.Sprintf(",line=%d,endLine=%d", s.Line, s.EndLine)
		if s.Line == s.EndLine {
			at += fmt.Sprintf(",col=%d,endColumn=%d", s.Column, s.EndColumn)
		}
		if s.Cell > 0 {
			at = ""
		}
		if _, err := fmt.Fprintf(w, "::%s file=%s%s,title=%s::%s\n", commands[f.Severity], property(s.File), at,
			property(f.Rule+" "+f.Name), data(message)); err != nil {
			return err
		}
	}
	return nil
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func data(text string) string { return dataEscapes.Replace(text) }

func property(text string) string { return propertyEscapes.Replace(text) }
