// Package simulation shows what the simulated allocator did with a recorded trace: as text for people and as
// JSON.
package simulation

import (
	"io"

	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/simulate"
)

// Device is the simulation of one device's trace.
type Device struct {
	Index int `json:"device"`
	*simulate.Result
}

// WriteJSON writes schema 1.
func WriteJSON(w io.Writer, d Device) error {
	return plain.JSON(w, struct {
		Schema int `json:"schema"`
		Device
	}{1, d})
}
