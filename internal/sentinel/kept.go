package sentinel

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"github.com/torchleak/torchleak/internal/recording"
)

// OpenName is the usual name of what Keep writes, beside the receivers' directories.
const OpenName = "open.json"

// Keep writes down what is open, private to the user: an agent that is killed has told it, and is to take it back one day.
func Keep(path string, open []Alert) error {
	b, err := json.Marshal(open)
	if err != nil {
		return err
	}
	return recording.WriteFile(path, b)
}

// Kept reads what was open; nothing where nothing was written down.
func Kept(path string) (open []Alert, err error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &open)
	}
	return open, err
}
