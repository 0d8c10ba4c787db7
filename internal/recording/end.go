package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// End is how a process ended, as torchleak saw it from outside; it is the file <key>.end.json.
type End struct {
	End    int    `json:"end"`              // version of this file, 1
	Signal int    `json:"signal,omitempty"` // that ended it; 0 where it ended with Status
	Name   string `json:"name,omitempty"`   // of the signal, such as SIGKILL
	Status int    `json:"status"`           // signals as 128+n
	Nanos  int64  `json:"nanos"`            // on the clock of the records, when its end was seen
}

// endVersion is that of end.json.
const endVersion = 1

// SaveEnd writes down how the process ended.
func (p Process) SaveEnd(e End) error {
	e.End = endVersion
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return WriteFile(p.end(), append(b, '\n'))
}

// LoadEnd reads how the process ended; nil where nobody saw it.
func (p Process) LoadEnd() (*End, error) {
	b, err := readSmall(p.end())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var e End
	if err == nil {
		err = fault(json.Unmarshal(b, &e))
	}
	if err == nil && e.End > endVersion {
		err = fmt.Errorf("it is of version %d, and this torchleak reads version %d", e.End, endVersion)
	}
	if err != nil {
		return nil, fmt.Errorf("how it ended: %w", err)
	}
	return &e, nil
}

func (p Process) end() string { return p.dir.File(p.Key + ".end.json") }
