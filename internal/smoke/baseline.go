package smoke

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/torchleak/torchleak/internal/finding"
)

// BaselineVersion is the version of the baseline's file, docs/format/baseline.md.
const BaselineVersion = 1

// maxBaseline bounds a baseline's file; one of a thousand ranks has some 300 KiB.
const maxBaseline = 16 << 20

// Baseline is what a clean run's memory was like.
type Baseline struct {
	Version  int       `json:"baseline"`
	Tool     string    `json:"tool"`
	Torch    string    `json:"torch"`
	Python   string    `json:"python"`
	Steps    int64     `json:"steps"` // of the run, as asked for
	Memories []Figures `json:"memories"`
}

// Figures are what is compared of one memory.
type Figures struct {
	Rank         int    `json:"rank"`
	Memory       string `json:"memory"`
	PeakBytes    int64  `json:"peak_bytes"`
	BytesPerStep int64  `json:"bytes_per_step"`        // between the windows; below 0 where it fell
	LimitBytes   *int64 `json:"limit_bytes,omitempty"` // tells one device from another
}

// ErrBaseline says that a file is no baseline of this version.
var ErrBaseline = errors.New("not a baseline that can be read")

// BaselineOf takes the figures of a run that was judged.
func BaselineOf(r finding.Report, judged Result, steps int64) Baseline {
	b := Baseline{Version: BaselineVersion, Tool: r.Tool.Version, Torch: r.Target.Torch, Python: r.Target.Python, Steps: steps, Memories: []Figures{}}
	for _, c := range judged.Checks {
		if f, ok := figures(c); ok {
			b.Memories = append(b.Memories, f)
		}
	}
	return b
}

// figures are those of a check of growth; ok is false where the memory could not be read, and for memories aside: how much
// is in flight, and in how many workers, differs from run to run.
func figures(c Check) (f Figures, ok bool) {
	if c.Memory.Aside() || c.Kind != Growth || c.Grew == nil || c.Memory.PeakBytes == nil {
		return f, false
	}
	return Figures{c.Rank, c.Memory.Name, *c.Memory.PeakBytes, c.PerStep(), c.Memory.LimitBytes}, true
}

// Write writes the baseline's file.
func (b Baseline) Write(w io.Writer) error {
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// ReadBaseline reads a baseline's file.
func ReadBaseline(path string) (Baseline, error) {
	f, err := os.Open(path)
	if err != nil {
		return Baseline{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBaseline+1))
	if err != nil {
		return Baseline{}, err
	}
	b, err := decode(text)
	if err != nil {
		return b, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// decode reads a baseline. What is not known is passed over: later versions of this form may say more.
func decode(text []byte) (b Baseline, err error) {
	if len(text) > maxBaseline {
		return b, fmt.Errorf("%w: larger than %d MiB", ErrBaseline, maxBaseline>>20)
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&b); err != nil {
		return b, fmt.Errorf("%w: %w", ErrBaseline, err)
	}
	switch {
	case b.Version == 0:
		return b, fmt.Errorf("%w: there is no \"baseline\": %d in it", ErrBaseline, BaselineVersion)
	case b.Version != BaselineVersion:
		return b, fmt.Errorf("%w: it has version %d and this torchleak knows version %d", ErrBaseline, b.Version, BaselineVersion)
	case len(b.Memories) == 0:
		return b, fmt.Errorf("%w: it has no memories", ErrBaseline)
	}
	for _, f := range b.Memories {
		if f.Memory == "" || f.PeakBytes <= 0 {
			return b, fmt.Errorf("%w: a memory without name or peak", ErrBaseline)
		}
	}
	return b, nil
}
