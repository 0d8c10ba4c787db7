package recording

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
	return save(p.end(), e)
}

// LoadEnd reads how the process ended; nil where nobody saw it.
func (p Process) LoadEnd() (*End, error) {
	var e End
	found, err := load(p.end(), "how it ended", &e, &e.End, endVersion)
	if err != nil || !found {
		return nil, err
	}
	return &e, nil
}

func (p Process) end() string { return p.dir.File(p.Key + ".end.json") }
