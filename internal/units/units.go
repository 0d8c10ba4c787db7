// Package units prints the quantities torchleak speaks of: bytes, durations and counts.
// It knows no locale: output is the same everywhere.
package units
