package recording

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Files without content, whose being there says something.
const (
	contactFile = "contact" // by the probe: an interpreter has loaded it
	nestedFile  = "nested"  // by another torchleak: the command has started that one
	muteInfix   = ".mute-"  // by a process that cannot even say that it cannot record; errno follows
	stoppedFile = "stopped" // by torchleak: the interrupt that comes now is its own, after the steps asked for
)

// Contact reports whether any interpreter loaded the probe.
func (d Dir) Contact() bool { return d.has(contactFile) }

// Nested reports whether the command has started a torchleak of its own.
func (d Dir) Nested() bool { return d.has(nestedFile) }

func (d Dir) has(name string) bool {
	_, err := os.Lstat(d.File(name))
	return err == nil
}

// Same reports whether both are one directory, by whatever path.
func (d Dir) Same(other Dir) bool {
	a, errA := os.Stat(d.Path)
	b, errB := os.Stat(other.Path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// Removed reports whether the recording was removed, or emptied, since it was made.
func (d Dir) Removed() bool { return !d.has("run.json") }

// NoFlight begins the reason of a process that could not make its flight recorder, as the probe words it.
const NoFlight = "no flight recorder"

// late begins what a process notes that was attached to, as the probe words it. It is no reason to have no recording.
const late = "attached to a program that ran already"

// Mute says of each process that trained without a recording why it has none: in its own words, or, where it could not
// write as much, by the number of the error in the name of an empty file.
func (d Dir) Mute() (reasons []string) {
	processes, _ := d.Processes() // one whose hello is broken has said nothing
	for _, p := range processes {
		if p.Hello.Flight == "" {
			for _, note := range p.Hello.Notes {
				if !strings.HasPrefix(note, late) {
					reasons = append(reasons, note)
				}
			}
		}
	}
	entries, _ := os.ReadDir(d.Path)
	for _, entry := range entries {
		_, number, mute := strings.Cut(entry.Name(), muteInfix)
		if code, err := strconv.Atoi(number); mute && err == nil {
			reasons = append(reasons, NoFlight+": "+syscall.Errno(code).Error())
		}
	}
	return reasons
}

// MarkNested tells the torchleak that records in outer, if any, that this one watches in its place.
func (d Dir) MarkNested(outer string) {
	if outer == "" || outer == d.Path || !(Dir{outer}).has("run.json") {
		return
	}
	// An outer run that is over or cannot be written has nobody to tell.
	Dir{outer}.mark(nestedFile)
}

// MarkStopped tells the probe that the interrupt which comes next is ours. Where that cannot be written the training
// says that it was interrupted, and no more.
func (d Dir) MarkStopped() { d.mark(stoppedFile) }

func (d Dir) mark(name string) {
	if f, err := os.OpenFile(d.File(name), os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		f.Close()
	}
}

// settled is how old a directory's modification time has to be before it tells of every later change: file
// systems count it in ticks of a few milliseconds.
const settled = 100 * time.Millisecond

// Changed reports whether files may have come, gone or been replaced since the call that left *seen.
func (d Dir) Changed(seen *time.Time) bool {
	st, err := os.Stat(d.Path)
	if err != nil || st.ModTime().Equal(*seen) {
		return err == nil && seen.IsZero()
	}
	*seen = time.Time{}
	if time.Since(st.ModTime()) > settled {
		*seen = st.ModTime()
	}
	return true
}
