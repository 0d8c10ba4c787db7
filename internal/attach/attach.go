// Package attach puts the probe into a Python that runs already, and takes it out again: its interpreter is asked, by one
// of the ways that a Method is, to run a short piece of code between two instructions of its main thread. What came of
// it is told by a file.
package attach

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/probe"
	"github.com/torchleak/torchleak/internal/process"
)

// Method is a way to have a Python run code that it was not started with.
type Method interface {
	Name() string
	// Available returns why the way cannot be taken into a process; nil where nothing speaks against it.
	Available(pid int) error
	// Ask has the process run the Python file, named as the process sees it, soon. The process stood still for that long.
	Ask(pid int, file string) (stopped time.Duration, err error)
}

// Methods are the ways, the best first.
var Methods = []Method{remote{}, gdb, lldb}

// Choose returns the ways that can be taken, the best first, or that of the name alone where it is not auto; else why there is none.
func Choose(pid int, name string) ([]Method, error) {
	if plainPython(pid) && !hasTorch(pid) {
		return nil, ErrNoTorch
	}
	if err := cramped(pid); err != nil {
		return nil, err
	}
	var ways []Method
	var why []error
	for _, m := range Methods {
		if name != "auto" && m.Name() != name {
			continue
		}
		if err := m.Available(pid); err != nil {
			why = append(why, err)
			continue
		}
		ways = append(ways, m)
	}
	if len(ways) == 0 {
		return nil, weightiest(why)
	}
	return ways, nil
}

// weightiest is what helps most of what is said against the ways: the last way is the most general, but a debugger that is
// not there says nothing of the process.
func weightiest(why []error) error {
	missing := slices.DeleteFunc(slices.Clone(why), func(err error) bool { return !errors.Is(err, ErrNotFound) })
	if len(missing) == len(debuggers) {
		return fmt.Errorf("a debugger, gdb or lldb, %w", ErrNotFound)
	}
	there := slices.DeleteFunc(why, func(err error) bool { return len(why) > len(missing) && errors.Is(err, ErrNotFound) })
	return there[len(there)-1]
}

// Way returns the way that is taken into processes of a Python of this version, such as 3.11.2, on this machine; else why
// there is none.
func Way(version string) (string, error) {
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err == nil && (major > 3 || major == 3 && minor >= 14) {
		return remote{}.Name(), nil
	}
	var why []error
	for _, d := range debuggers {
		err := d.here()
		if err == nil {
			return d.name, nil
		}
		why = append(why, err)
	}
	return "", weightiest(why)
}

// How long the interpreter may take to begin what it was asked to do, and to do it, and how often a moment is tried in
// which no optimizer is at its hooks.
const (
	beginTime = 20 * time.Second
	doTime    = 2 * time.Minute
	lookEvery = 5 * time.Millisecond
	tries     = 20
)

//go:embed asked.py
var asked string

// Probe is the probe in a process, or about to be.
type Probe struct {
	PID     int
	Run     string   // the recording's directory
	Dir     string   // in it: of the probe's own files, see probe.Layout
	Methods []Method // the ways that are left, the best first: the process is asked by that, and one that fails is given up
	GivenUp []GivenUp

	held *os.File // its lock tells the probe that we are there; the kernel takes it from one who was killed

	// Stopped is how long the process stood still so far, for the way in and out and what the probe did then; what it did or
	// slept by itself until it came to a place where it could be asked is not in it.
	Stopped time.Duration
	asks    int
}

// GivenUp is a way that could not be taken, and why.
type GivenUp struct {
	Method Method
	Err    error
}

// Begin starts the probe.
func (p *Probe) Begin() error {
	if _, ok := inside(p.PID, p.Dir); !ok {
		return ErrUnseen
	}
	if err := p.hold(); err != nil {
		return err
	}
	return p.ask("begin", beginTime)
}

// hold takes the lock without which the probe takes itself out, the next time that it looks and can. On a file system that has
// no locks the probe finds none free either, and stays.
func (p *Probe) hold() (err error) {
	if p.held, err = os.OpenFile(filepath.Join(p.Dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600); err == nil {
		_ = syscall.Flock(int(p.held.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	return err
}

// Close gives up the lock. A probe that is still in the process takes itself out then.
func (p *Probe) Close() error { return p.held.Close() }

// End takes the probe out. Where the process does not come to it in time, the probe does it later by itself.
func (p *Probe) End() error { return p.ask("end", 0) }

// ask has the process call a function of the probe's attach module, again while it was no moment for that. patience is
// how long it may take to begin; 0 leaves what was asked in place.
func (p *Probe) ask(function string, patience time.Duration) error {
	for range tries {
		said, err := p.once(function, patience)
		if err != nil || said.Why == "" {
			return err
		}
		switch said.Why {
		case "busy":
		case "no torch":
			return ErrNoTorch
		case "occupied":
			if said.Where == "" {
				return ErrOccupied
			}
			return fmt.Errorf("%w, its recording is %s", ErrOccupied, outside(p.PID, said.Where))
		case "old":
			return ErrOld
		default:
			return fmt.Errorf("the probe could not do it: %s", said.Why)
		}
	}
	return ErrBlocked
}

// answer is what the probe says of what it was asked.
type answer struct {
	Why   string `json:"why"`   // it could not be done; empty where it was
	Where string `json:"where"` // the recording that is made of the process, as that sees it
	Nanos int64  `json:"nanos"` // that it took
}

func (p *Probe) once(function string, patience time.Duration) (answer, error) {
	p.asks++
	file := filepath.Join(p.Run, fmt.Sprintf("asked-%d.py", p.asks))
	reply := filepath.Join(p.Run, fmt.Sprintf("answer-%d.json", p.asks))
	run, _ := inside(p.PID, p.Run)
	head := fmt.Sprintf("PROBE, RUN, FUNCTION, FILE, ANSWER, VERSION = %s, %s, %s, %s, %s, %q\n",
		literal(filepath.Join(run, filepath.Base(p.Dir))), literal(run), literal(function),
		literal(filepath.Join(run, filepath.Base(file))), literal(filepath.Join(run, filepath.Base(reply))), probe.Version())
	if err := os.WriteFile(file, []byte(head+asked), 0o600); err != nil {
		return answer{}, err
	}
	if err := p.hand(filepath.Join(run, filepath.Base(file))); err != nil {
		os.Remove(file)
		return answer{}, err
	}
	return p.await(file, reply, patience)
}

// hand gives a file to the process by the best way that does not fail. What came to it by one that failed half way and by the
// next as well is done once: the first to come takes the file away.
func (p *Probe) hand(file string) error {
	for {
		way := p.Methods[0]
		stopped, err := way.Ask(p.PID, file)
		p.Stopped += stopped
		if err == nil || len(p.Methods) == 1 || errors.Is(err, ErrGone) || errors.Is(err, ErrBlocked) {
			return err
		}
		p.GivenUp = append(p.GivenUp, GivenUp{way, err})
		p.Methods = p.Methods[1:]
	}
}

// await waits for what the probe says. The file that it was asked by is gone once it has begun; taken away before, nothing
// will ever come of it.
func (p *Probe) await(file, reply string, patience time.Duration) (said answer, err error) {
	begun := time.Now()
	for time.Since(begun) < doTime {
		if data, err := os.ReadFile(reply); err == nil {
			os.Remove(reply)
			err = json.Unmarshal(data, &said)
			p.Stopped += time.Duration(said.Nanos)
			return said, err
		}
		if !process.Alive(p.PID) {
			os.Remove(file)
			return said, ErrGone
		}
		if time.Since(begun) > beginTime {
			if _, err := os.Stat(file); err == nil && (patience == 0 || p.callOff(file)) {
				return said, ErrBlocked
			}
		}
		time.Sleep(lookEvery)
	}
	return said, errors.New("the probe did not say how it went")
}

// callOff takes away the file that the process was asked by; false where it has begun.
func (p *Probe) callOff(file string) bool {
	if way, ok := p.Methods[0].(interface{ callOff(pid int) }); ok {
		way.callOff(p.PID)
	}
	return os.Remove(file) == nil
}

// literal is a path as a Python expression.
func literal(path string) string {
	var b strings.Builder
	b.WriteString("b'")
	for _, c := range []byte(path) {
		if c < ' ' || c > '~' || c == '\'' || c == '\\' || c == '"' {
			fmt.Fprintf(&b, "\\x%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
