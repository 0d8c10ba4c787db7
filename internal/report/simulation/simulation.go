// Package simulation shows what the simulated allocator did with a recorded trace: as text for people and as
// JSON.
package simulation

import (
	"encoding/json"
	"io"

	"github.com/torchleak/torchleak/internal/simulate"
)

// Device is the simulation of one device's trace.
type Device struct {
	Index int `json:"device"`
	*simulate.Result
}

// WriteJSON writes schema 1.
func WriteJSON(w io.Writer, d Device) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Schema int `json:"schema"`
		Device
	}{1, d})
}
