package profile

import (
	"encoding/json"

	"github.com/torchleak/torchleak/internal/recording"
)

// environment is the variable that tells the probe where its plan is.
const environment = "TORCHLEAK_PROFILE"

// Plan is which steps of a training the probe writes down in full, docs/format/profile.md.
type Plan struct {
	Warmup int64 `json:"warmup"` // steps before them
	Steps  int64 `json:"steps"`
}

// Write puts the plan into the recording and returns what the training's environment has to have more. The error is that
// of writing the file.
func (p Plan) Write(dir recording.Dir) (environ []string, err error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	path := dir.File("plan.json")
	return []string{environment + "=" + path}, recording.WriteFile(path, text)
}
