package sentinel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/torchleak/torchleak/internal/recording"
)

// Names of files beside the receivers' directories: what is open, and what an agent has said.
const (
	OpenName = "open.json"
	SaidName = "said.json"
)

// maxKept bounds what is read, in bytes: an alert has some thousand.
const maxKept = 64 << 20

// Keep writes down what the next process is to know, private to the user.
func Keep(path string, what any) error {
	b, err := json.Marshal(what)
	if err != nil {
		return err
	}
	return recording.WriteFile(path, b)
}

// Kept reads what was written down into what; nothing where nothing was.
func Kept(path string, what any) error {
	b, err := recording.ReadFile(path, maxKept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := recording.Fault(json.Unmarshal(b, what)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// KeptOpen reads the alerts that were open.
func KeptOpen(path string) (open []Alert, err error) {
	if err := Kept(path, &open); err != nil {
		return nil, err
	}
	for _, a := range open {
		if err := a.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return open, nil
}
