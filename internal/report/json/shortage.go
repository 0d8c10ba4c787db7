package json

import (
	"io"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/oom"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// Shortage writes what an out-of-memory message says, schema 1 of docs/oom.md.
func Shortage(w io.Writer, log oom.Log) error {
	j := oom.Judge(log.Last)
	return plain.JSON(w, struct {
		Schema   int             `json:"schema"`
		Messages int             `json:"messages"`
		Ranks    []int           `json:"ranks"`
		Verdict  finding.Verdict `json:"verdict"`
		Message  oom.Message     `json:"message"`
		Outside  *int64          `json:"outside_bytes,omitempty"`
		Missing  *int64          `json:"missing_bytes,omitempty"`
		Why      []string        `json:"why"`
		Unknown  []string        `json:"unknown"`
		Next     []string        `json:"next"`
	}{1, log.Messages, list(log.Ranks), j.Verdict, log.Last, log.Last.Outside(), log.Last.Missing(), list(j.Why), list(j.Unknown), list(j.Next)})
}
