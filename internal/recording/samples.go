package recording

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
)

// The samples file: 128 bytes of header, then records as in the flight recorder, oldest first. When it
// would hold more than MaxSamples, the older half is thinned to every second record of each memory, so
// the recent past keeps every step and the far past grows sparser each time.
const (
	samplesMagic = "TLKSMP01"
	MaxSamples   = 1 << 17 // 16 MiB
)

// SampleWriter appends drained samples to a process's samples file.
type SampleWriter struct {
	path  string
	file  *os.File
	w     *bufio.Writer
	count int
	limit int
}

// NewSampleWriter makes the samples file at path anew.
func NewSampleWriter(path string) (*SampleWriter, error) {
	s := &SampleWriter{path: path, limit: MaxSamples}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	s.file, s.w = f, bufio.NewWriterSize(f, 64<<10)
	_, err = s.w.Write(samplesHeader())
	return s, err
}

func samplesHeader() []byte {
	h := make([]byte, flight.RecordSize)
	copy(h, samplesMagic)
	return h
}

// Add appends one record.
func (s *SampleWriter) Add(rec flight.Record) error {
	if s.count >= s.limit {
		if err := s.thin(); err != nil {
			return err
		}
	}
	s.count++
	_, err := s.w.Write(rec.Raw)
	return err
}

// Flush hands what was added to the system.
func (s *SampleWriter) Flush() error { return s.w.Flush() }

// Close flushes and closes the file.
func (s *SampleWriter) Close() error { return errors.Join(s.w.Flush(), s.file.Close()) }

// thin drops every second record of each memory from the older half.
func (s *SampleWriter) thin() error {
	if err := s.w.Flush(); err != nil {
		return err
	}
	old := make([]byte, s.count*flight.RecordSize)
	if _, err := s.file.ReadAt(old, flight.RecordSize); err != nil {
		return fmt.Errorf("thinning samples: %w", err)
	}
	kept := samplesHeader()
	var seen [256]int
	for i := range s.count {
		rec := old[i*flight.RecordSize:][:flight.RecordSize]
		m := rec[24]
		seen[m]++
		if i < s.count/2 && seen[m]%2 == 0 {
			continue
		}
		kept = append(kept, rec...)
	}
	if err := WriteFile(s.path, kept); err != nil {
		return fmt.Errorf("thinning samples: %w", err)
	}
	f, err := os.OpenFile(s.path, os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("thinning samples: %w", err)
	}
	s.file.Close()
	s.file, s.count = f, len(kept)/flight.RecordSize-1
	s.w.Reset(f)
	return nil
}

// workerNames are the memories of a samples file of loader workers, by their index in its records.
var workerNames = func() (names [memory.MaxWorkers]string) {
	for i := range names {
		names[i] = memory.Worker(i)
	}
	return names
}()

// Replay calls f for each sample of a process in order: the drained ones, those still in its flight recorder, then those of
// its loader workers. It returns the recorder's header, how many records between the two were overtaken, and warnings for what
// could not be read.
func (p Process) Replay(f func(flight.Record)) (h flight.Header, lost uint64, warnings []error) {
	var t Tail
	defer t.Close()
	h, warnings = t.Next(p, f)
	return h, t.Lost(), warnings
}
