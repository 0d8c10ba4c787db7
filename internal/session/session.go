// Package session runs one target under watch: it starts the process with the probe in it, drains the flight
// recorders of all its training processes, asks for evidence when the analysis wants it, and ends with one
// report a process. The target's streams, signals and exit status stay its own.
package session

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/inject"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/probe"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

// Config says what to run and how.
type Config struct {
	Argv    []string
	Dir     recording.Dir
	Tool    finding.Tool
	Options analysis.Options
	Steps   int64         // stop the target after so many steps; 0 = let it run
	Timeout time.Duration // stop the target after so long; 0 = let it run
	Stdin   *os.File
	Stdout  *os.File
	Stderr  *os.File
	Environ []string // variables of the target besides ours
	// CountersOnly asks the target for no evidence: nothing but its counters is of interest.
	CountersOnly bool

	// GPUs asks the driver for the devices and who holds their memory; nil asks nobody.
	GPUs func() ([]metrics.GPU, error)

	// Found is called with a process's report whenever it names something it had not named before.
	Found func(finding.Report)
	// Stopping is called when the target is asked to end; nil is fine.
	Stopping func(StopReason)
	// Status is called from time to time with the memories of the first rank; nil is fine.
	Status func(memories []finding.Memory)
	// Standing is called for every process that steps, about once a second; nil is fine.
	Standing func(hello recording.Hello, step int64, memories []finding.Memory)
}

// Contact says how far the probe got.
type Contact int

// Contacts, in order.
const (
	NoProbe Contact = iota // no interpreter loaded the probe
	Nested                 // another torchleak, started by the command, put its own probe in
	NoTorch                // the probe was there, torch was never imported
	NoSteps                // torch was imported, nothing stepped
	Stepped
)

// Result is how a session ended.
type Result struct {
	Exit     int // the target's status, signals as 128+n
	Stopped  StopReason
	GoesOn   bool // it was attached to: nothing of ours stops it
	Contact  Contact
	Removed  bool             // the recording was removed while the target ran
	Notes    []string         // why processes that train could not record
	Left     []int            // processes of the command that outlived it, when nothing stepped
	Reports  []finding.Report // of the processes that stepped, by rank
	Warnings []string
}

// ErrStart says that the target could not be started.
var ErrStart = errors.New("cannot start the command")

// Run runs the target to its end.
func Run(c Config) (Result, error) {
	r, err := run(c)
	if err != nil {
		c.Dir.Discard()
	}
	return r, err
}

func run(c Config) (Result, error) {
	probeDir := c.Dir.File("probe")
	// Children of the target may outlive it and load parts of the probe late; those are guarded in the probe.
	defer os.RemoveAll(probeDir)
	if err := probe.Layout(probeDir); err != nil {
		return Result{}, err
	}

	c.Dir.MarkNested(os.Getenv(inject.RunDirectory))
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	cmd.Env = append(inject.Environ(os.Environ(), probeDir, c.Dir.Path), c.Environ...)
	if c.Steps > 0 {
		cmd.Env = append(cmd.Env, inject.Stops+"=1")
	}
	s := newSession(c)
	s.cmd, s.witness = cmd, newWitness()
	defer func() { s.witness.end() }()
	signals := make(chan os.Signal, 16)
	notify(signals)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	cwd, _ := os.Getwd()
	s.run = recording.Run{Tool: c.Tool.Version, Argv: c.Argv, Cwd: cwd, PID: cmd.Process.Pid, Started: time.Now()}
	s.warnIf(c.Dir.SaveRun(s.run))

	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	s.loop(done, signals)
	s.stop.sweep(c.Dir.Path)

	exit := exitStatus(cmd.ProcessState)
	return s.conclude(&exit), nil
}

// conclude writes down how the run ended, and returns what came of it. exit is the target's status, nil where nobody knows it.
func (s *session) conclude(exit *int) Result {
	r := s.result(exit)
	if r.Removed { // what failed for it needs no other word
		return r
	}
	s.warnIf(s.config.Dir.SaveRun(s.now(exit)))
	r.Warnings = s.warnings
	return r
}

type session struct {
	config    Config
	cmd       *exec.Cmd
	witness   *witness
	witnessed uint64              // signals that all of our group got and that have not been looked at, a bit each
	watched   map[string]*watched // by recording.Process.Key
	attached  *Attached           // nil = the target is our child
	warnings  []string
	stop      stopper
	statusAt  time.Time // when the status was last shown
	stoodAt   time.Time // when it was last told where the processes stand
	scanned   time.Time // modification time of the directory when it was last scanned
	gpus      neighbours
	told      bool          // to let go of what was attached to
	run       recording.Run // as it is written down
}

func newSession(c Config) *session {
	return &session{config: c, gpus: neighbours{read: c.GPUs}, watched: map[string]*watched{}, stop: newStopper(c, time.Now())}
}

// loop watches until the target has ended.
func (s *session) loop(done <-chan error, signals <-chan os.Signal) {
	timer := time.NewTimer(firstPoll)
	defer timer.Stop()
	var scanned time.Time
	for {
		select {
		case <-done:
			s.scanned = time.Time{}
			s.scan()
			s.poll()
			s.await()
			return
		case sig := <-signals:
			s.forward(sig)
		case now := <-timer.C:
			if now.Sub(scanned) >= scanEvery || s.awaits() {
				s.scan()
				scanned = now
			}
			timer.Reset(s.poll())
			s.status(now)
			s.standing(now)
			s.stop.drive(s, now)
		}
	}
}

// A process may have ended, and its parent not taken notice yet: that long it is waited for.
const (
	endGrace = 500 * time.Millisecond
	endAgain = 10 * time.Millisecond
)

// await waits until it is known how each process ended of which is known that it did. The command itself is our child.
func (s *session) await() {
	for _, w := range s.watched {
		if status, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.pid == s.cmd.Process.Pid && !w.ended && s.stop.reason == "" {
			s.warnIf(w.endedAs(endOf(unix.WaitStatus(status), monotonic())))
		}
	}
	for waited := time.Duration(0); s.stop.reason == "" && waited < endGrace; waited += endAgain {
		open := false
		for _, w := range s.watched {
			s.warnIf(w.lookEnd())
			open = open || !w.ended && w.ending != nil && w.ending.over()
		}
		if !open {
			return
		}
		time.Sleep(endAgain)
	}
}

// Polling: often enough that a suspicion is acted on within a step or two, seldom enough to cost nothing.
const (
	firstPoll = 10 * time.Millisecond
	minPoll   = 2 * time.Millisecond
	maxPoll   = 50 * time.Millisecond
	scanEvery = 50 * time.Millisecond
	awaitPoll = 5 * time.Millisecond // before the first step: the first steps say most
)

// scan takes up processes that have said hello since, and flight recorders that have appeared.
func (s *session) scan() {
	if !s.config.Dir.Changed(&s.scanned) {
		return
	}
	processes, _ := s.config.Dir.Processes() // a hello that cannot be read now is being written
	for _, p := range s.forget(processes) {
		w := s.watched[p.Key]
		if w == nil {
			w = newWatched(p, s.seenAs(p.Hello.PID), s.config.Options)
			s.watched[p.Key] = w
		}
		s.warnIf(w.hello(p, s.openEnding))
	}
	for _, w := range s.watched {
		s.adopt(w)
	}
}

// maxWorkers is how many loader workers that have ended a recording keeps the hello of: a loader may start new ones
// in every epoch.
const maxWorkers = 64

// forget removes the hellos of loader workers that have ended, all but the last, and returns the other processes.
func (s *session) forget(processes []recording.Process) []recording.Process {
	var ended []recording.Process
	for _, p := range processes {
		if p.Hello.Role == "worker" && p.Hello.Flight == "" && !process.Exists(s.seenAs(p.Hello.PID)) {
			ended = append(ended, p)
		}
	}
	if len(ended) <= maxWorkers {
		return processes
	}
	slices.SortFunc(ended, func(a, b recording.Process) int { return cmp.Compare(a.Hello.StartWall, b.Hello.StartWall) })
	gone := map[string]bool{}
	for _, p := range ended[:len(ended)-maxWorkers] {
		gone[p.Key] = p.Remove() == nil
		delete(s.watched, p.Key)
	}
	return slices.DeleteFunc(processes, func(p recording.Process) bool { return gone[p.Key] })
}

// poll drains every process and returns how long to wait before the next time.
func (s *session) poll() time.Duration {
	wait := maxPoll
	if s.awaits() {
		wait = awaitPoll
	}
	var found []*watched
	for _, w := range s.watched {
		if w.recorder == nil {
			continue
		}
		changed, err := w.drain(s.config.CountersOnly)
		s.warnIf(err)
		if s.stop.reason == "" { // what we end is no news
			s.warnIf(w.lookEnd())
		}
		wait = min(wait, w.pace())
		if changed && s.config.Found != nil {
			found = append(found, w)
		}
	}
	if len(found) > 0 {
		s.together()
	}
	for _, w := range found {
		s.config.Found(s.report(w, nil))
	}
	if s.gpus.look(time.Now(), s.watched) {
		s.gpus.tell(s.watched)
	}
	return max(wait, minPoll)
}

// awaits reports that no process has made a step yet.
func (s *session) awaits() bool {
	for _, w := range s.watched {
		if w.recorder != nil {
			return false
		}
	}
	return true
}

// statusEvery is how often the status line comes: often enough for a person, too seldom to drown the
// training's own output.
const statusEvery = 30 * time.Second

func (s *session) status(now time.Time) {
	if s.config.Status == nil || now.Sub(s.statusAt) < statusEvery {
		return
	}
	var first *watched
	for _, w := range s.watched {
		if w.steps() > 0 && (first == nil || w.process.Hello.Rank < first.process.Hello.Rank) {
			first = w
		}
	}
	if first != nil {
		s.statusAt = now
		s.together()
		s.config.Status(first.analysis.Memories())
	}
}

// together lets the ranks know what the others gain of the memory that they share.
func (s *session) together() {
	var all []*analysis.Process
	for _, w := range s.watched {
		if w.steps() > 0 {
			all = append(all, w.analysis)
		}
	}
	if len(all) < 2 {
		return
	}
	for _, p := range all {
		p.Memories() // each as it stands now
	}
	analysis.Together(all)
}

// standingEvery is how often it is told where the processes stand.
const standingEvery = time.Second

func (s *session) standing(now time.Time) {
	if s.config.Standing == nil || now.Sub(s.stoodAt) < standingEvery {
		return
	}
	s.stoodAt = now
	s.together()
	for _, w := range s.watched {
		if w.steps() > 0 {
			s.config.Standing(w.process.Hello, w.steps(), w.analysis.Memories())
		}
	}
}

// handedOn are the signals that a target may want to act on.
var handedOn = []syscall.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
}

// notify asks for the signals that are handed on. One that is ignored stays so, for the target too: nohup and
// shells that start jobs in the background mean it.
func notify(signals chan<- os.Signal) {
	for _, sig := range handedOn {
		if !signal.Ignored(sig) {
			signal.Notify(signals, sig)
		}
	}
}

// forward hands a signal to the target, unless it was sent to our whole process group, which the target is of: it has
// it already, and a second one would turn one Ctrl-C into two.
func (s *session) forward(sig os.Signal) {
	time.Sleep(settling)
	next := newWitness() // before the old one is asked: what comes in between is pending at both
	s.witnessed |= s.witness.pending()
	s.witness.end()
	s.witness = next
	bit := uint64(1) << uint(sig.(syscall.Signal)-1)
	everyone := s.witnessed&bit != 0
	s.witnessed &^= bit
	if !everyone || !s.sharesGroup() {
		_ = s.cmd.Process.Signal(sig)
	}
}

// sharesGroup reports whether the target is still in our process group.
func (s *session) sharesGroup() bool {
	group, err := syscall.Getpgid(s.cmd.Process.Pid)
	return err == nil && group == syscall.Getpgrp()
}

// warnIf takes note of what went wrong beside the watch, a line each and each once.
func (s *session) warnIf(err error) {
	if err == nil {
		return
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if !slices.ContainsFunc(s.warnings, func(said string) bool { return cause(said) == cause(line) }) {
			s.warnings = append(s.warnings, line)
		}
	}
}

// cause is what makes two warnings one: of what the machine has run out of, one file is enough to hear.
func cause(warning string) string {
	for _, lack := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE} {
		if strings.HasSuffix(warning, lack.Error()) {
			return lack.Error()
		}
	}
	return warning
}

// result ends the watch. exit is the target's status, nil where nobody knows it.
func (s *session) result(exit *int) Result {
	r := Result{Stopped: s.stop.reason, GoesOn: s.attached != nil, Removed: s.config.Dir.Removed(), Notes: s.config.Dir.Mute()}
	if exit != nil {
		r.Exit = *exit
	}
	switch {
	case len(s.watched) > 0:
		r.Contact = NoSteps
	case s.config.Dir.Nested():
		r.Contact = Nested
	case s.config.Dir.Contact():
		r.Contact = NoTorch
	}
	if s.gpus.take(s.watched, lastLook) {
		s.gpus.tell(s.watched)
	}
	s.together()
	var reports analysis.Collection
	for _, w := range s.ended() {
		// What ran out of memory before its first step is worth a report as well.
		if !s.short(w) && w.steps() == 0 {
			continue
		}
		r.Contact = Stepped
		w.close()
		reports.Add(w.process.Hello, s.report(w, exit))
	}
	r.Reports = reports.Reports
	if r.Contact == Stepped {
		for _, note := range r.Notes {
			s.warnIf(errors.New(note))
		}
	}
	if r.Contact != Stepped {
		r.Left = leftover(s.config.Dir.Path)
	}
	return r
}

// ended lists the processes by rank, then by start, also when their recording is gone.
func (s *session) ended() []*watched {
	_, warnings := s.config.Dir.Processes()
	for _, err := range warnings {
		s.warnIf(err)
	}
	return slices.SortedFunc(maps.Values(s.watched), func(a, b *watched) int {
		x, y := a.process.Hello, b.process.Hello
		return cmp.Or(cmp.Compare(x.Rank, y.Rank), cmp.Compare(x.StartWall, y.StartWall))
	})
}

// short takes what a process left when memory ran out, and reports whether it did.
func (s *session) short(w *watched) bool {
	short, err := w.analysis.Shortage(w.process)
	s.warnIf(err)
	return short
}

func (s *session) report(w *watched, exit *int) finding.Report {
	r := w.analysis.Report()
	r.Tool = s.config.Tool
	r.Target.Argv = s.config.Argv
	w.analysis.Conclude(&r, s.now(exit))
	return r
}

// now is the run as it stands. exit is the target's status, nil while it runs and where nobody knows it.
func (s *session) now(exit *int) recording.Run {
	run := s.run
	run.Exit, run.Stopped = exit, string(s.stop.reason)
	if s.attached != nil {
		run.StoppedSeconds = s.attached.Stopped().Seconds()
	}
	return run
}

func exitStatus(st *os.ProcessState) int {
	if ws, ok := st.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return st.ExitCode()
}

// LookPath tells whether the command can be found, for an error before anything is made on disk.
func LookPath(command string) error {
	if _, err := exec.LookPath(command); err != nil {
		return fmt.Errorf("%w: %w", ErrStart, err)
	}
	if st, err := os.Stat(command); err == nil && st.IsDir() && filepath.Base(command) != command {
		return fmt.Errorf("%w: %s is a directory", ErrStart, command)
	}
	return nil
}
