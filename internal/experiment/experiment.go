// Package experiment runs a training for some steps with other code than its files hold, and reads what its memory did:
// with statements switched off, or with patched sources. The user's files and folders stay as they are.
package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/session"
)

// Plan says what runs otherwise; it is the file that the probe reads.
type Plan struct {
	Sources map[string]string `json:"sources,omitempty"` // the file to run instead, by the real path of the user's
	List    bool              `json:"list,omitempty"`    // list the statements that run again and again
	Off     []Place           `json:"off,omitempty"`     // statements to switch off
	Free    int64             `json:"free,omitempty"`    // steps before they are
	Numbers bool              `json:"numbers,omitempty"` // write the losses down

	// Evidence asks the training who holds what, for the recorder's full judgement. It stirs up the memory that is
	// compared, so that a run whose counters are all that matters goes without.
	Evidence bool `json:"-"`
}

// Free is how many steps a training makes before statements are switched off: what they give is then given again.
const Free = 4

// Lab is where runs of one training are made.
type Lab struct {
	Argv    []string
	Dir     string // of the recordings; each run has a folder in it
	Tool    finding.Tool
	Timeout time.Duration // of one run
}

// Run is what came of one run.
type Run struct {
	session.Result
	Report     finding.Report
	Curves     []Curve
	Statements []Statement // where they were asked for
	Numbers    [][]string  // losses by rank, where they were asked for, as exact as they are
	Replaced   []string    // real paths of the files that ran as something else
	Refused    []string    // what Python said of files that were to run as something else and could not
	Took       time.Duration
	dir        recording.Dir
}

// environment is the variable that names the plan to the probe, internal/probe/py/_torchleak/experiment.
const environment = "TORCHLEAK_EXPERIMENT"

// Run makes one run of so many steps.
func (l *Lab) Run(name string, p Plan, steps int64) (Run, error) {
	began := time.Now()
	dir, _, err := recording.Create(l.Dir+"/"+name, began)
	if err != nil {
		return Run{}, err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return Run{}, err
	}
	plan := dir.File("plan.json")
	if err := recording.WriteFile(plan, text); err != nil {
		return Run{}, err
	}
	in, err := os.Open(os.DevNull)
	if err != nil {
		return Run{}, err
	}
	defer in.Close()
	out, err := os.Create(dir.File("output.txt"))
	if err != nil {
		return Run{}, err
	}
	defer out.Close()
	result, err := session.Run(session.Config{
		Argv: l.Argv, Dir: dir, Tool: l.Tool, Options: analysis.Options{Replaced: p.Sources}, Steps: steps, Timeout: l.Timeout,
		Stdin: in, Stdout: out, Stderr: out, CountersOnly: !p.Evidence,
		Environ: []string{environment + "=" + plan, "PYTHONHASHSEED=0"},
	})
	if err != nil {
		return Run{}, err
	}
	r := Run{Result: result, dir: dir, Took: time.Since(began)}
	r.Report = finding.Merge(result.Reports, l.Tool, l.Argv, &result.Exit)
	if r.Interrupted() {
		return r, ErrInterrupt
	}
	return r, r.read(p)
}

// read takes from the recording what the plan asked for.
func (r *Run) read(p Plan) error {
	r.Replaced, r.Refused = listed(r.dir, "replaced"), listed(r.dir, "refused")
	processes, _ := r.dir.Processes()
	for _, process := range processes {
		if process.Flight() == "" {
			continue
		}
		r.Curves = append(r.Curves, curves(process)...)
		if p.Numbers {
			r.Numbers = append(r.Numbers, numbers(r.dir, process.Hello.PID))
		}
		if p.List && r.Statements == nil {
			var err error
			if r.Statements, err = statements(r.dir, process.Hello.PID); err != nil {
				return fmt.Errorf("reading which statements ran: %w", err)
			}
		}
	}
	return nil
}

// Crashed reports that the training ended by itself with an error.
func (r *Run) Crashed() bool { return r.Stopped == "" && r.Exit != 0 }

// Interrupted reports that somebody ended the run by hand: all runs are meant.
func (r *Run) Interrupted() bool {
	return r.Stopped == "" && (r.Exit == 128+int(syscall.SIGINT) || r.Exit == 128+int(syscall.SIGTERM))
}

// ErrInterrupt says that somebody ended a run by hand.
var ErrInterrupt = errors.New("interrupted")

// Said is the last lines of what the training said.
func (r *Run) Said(lines int) string {
	text, _ := os.ReadFile(r.dir.File("output.txt"))
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// Steps is how many steps the training made.
func (r *Run) Steps() int64 {
	var seen int64
	for _, report := range r.Reports {
		seen = max(seen, report.Steps.Seen)
	}
	return seen
}
