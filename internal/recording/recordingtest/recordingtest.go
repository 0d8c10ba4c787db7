// Package recordingtest makes recordings of trainings that never ran, as the probe makes them, for tests and benchmarks of
// what follows recordings.
package recordingtest

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
)

// capacity is that of the probe's recorders.
const capacity = 1 << 14

// Memories are those of each rank, in the order of its recorder's table.
var Memories = []string{"host", "cuda:0"}

// Training is one training process.
type Training struct {
	file    *os.File
	began   time.Time
	written uint64
	Step    int64 // newest
	Growth  int64 // bytes of the device that each step keeps
}

// Start writes run.json, as torchleak does when it starts a training. The directory is made where it is missing.
func Start(dir string, exit *int, now time.Time) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return recording.Dir{Path: dir}.SaveRun(recording.Run{Tool: "test", Argv: []string{"python", "train.py"}, Started: now, Exit: exit})
}

// New adds a training process to a recording.
func New(dir string, pid, rank int, now time.Time) (*Training, error) {
	key := fmt.Sprintf("%d-1", pid)
	hello, err := json.Marshal(recording.Hello{
		Hello: 1, PID: pid, Argv: []string{"train.py"}, Python: "3.11.2", Torch: "2.11.0", Rank: rank, WorldSize: rank + 1, StartWall: now.UnixNano(),
		Flight: key + ".flight", Role: "trainer", Limits: map[string]int64{"cuda:0": 80 << 30},
	})
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, key+".flight"), os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	t := &Training{file: f, began: now}
	return t, errors.Join(t.header(pid, now), recording.WriteFile(filepath.Join(dir, key+".hello.json"), hello))
}

// header writes the header by the offsets of docs/format/flight.md.
func (t *Training) header(pid int, now time.Time) error {
	b := make([]byte, flight.HeaderSize)
	le := binary.LittleEndian
	copy(b, "TLKFLT01")
	for at, v := range map[int]uint32{8: 1, 12: flight.HeaderSize, 16: flight.RecordSize, 20: capacity, 24: uint32(pid), 28: uint32(len(Memories)), 56: uint32(memory.Optimizer)} {
		le.PutUint32(b[at:], v)
	}
	le.PutUint64(b[40:], uint64(now.UnixNano()))
	for i, name := range Memories {
		copy(b[256+64*i:], name)
	}
	_, err := t.file.WriteAt(b, 0)
	return errors.Join(err, t.file.Truncate(flight.HeaderSize+capacity*flight.RecordSize))
}

// Steps records so many more steps, the newest of which ends now.
func (t *Training) Steps(n int64, now time.Time) error {
	per := int64(now.Sub(t.began)) / (t.Step + n)
	for range n {
		t.Step++
		for i := range Memories {
			s := t.sample(i)
			s.Nanos = per * t.Step
			if err := t.add(i, &s); err != nil {
				return err
			}
		}
	}
	var counters [16]byte
	binary.LittleEndian.PutUint64(counters[:], t.written)
	if _, err := t.file.WriteAt(counters[:8], 32); err != nil {
		return err
	}
	binary.LittleEndian.PutUint64(counters[:], uint64(t.Step))
	_, err := t.file.WriteAt(counters[:8], 64)
	return err
}

func (t *Training) sample(i int) memory.Sample {
	s := memory.Sample{Step: t.Step, Clock: memory.Optimizer}
	if i == 0 {
		s.V = [memory.Values]int64{200 << 20, 220 << 20, 900_000, 900 << 20, 600 << 20, 0, 0, 300 << 20, 0, 0, 1 << 20, 0}
		return s
	}
	live := 4<<30 + t.Step*t.Growth
	s.V = [memory.Values]int64{live, 6 << 30, live, live, 64 << 20, 8 << 30, 80 << 30, 0, 0, 300, live + 1<<30, 900}
	return s
}

func (t *Training) add(i int, s *memory.Sample) error {
	var b [flight.RecordSize]byte
	t.written++
	flight.Encode(b[:], t.written, i, s)
	_, err := t.file.WriteAt(b[:], int64(flight.HeaderSize+(t.written-1)%capacity*flight.RecordSize))
	return err
}

// End says that the training ended by itself.
func (t *Training) End() error {
	var state [4]byte
	binary.LittleEndian.PutUint32(state[:], uint32(flight.Ended))
	_, err := t.file.WriteAt(state[:], 60)
	return errors.Join(err, t.file.Close())
}
