package recording

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/torchleak/torchleak/internal/flight"
)

// Tail reads the samples of a process as they come.
type Tail struct {
	recorder *flight.Recorder
	drained  samplesReader
	workers  samplesReader
}

// Next calls f for each sample of p that has come since the last call, at first for all that there are: the drained ones,
// those still in its flight recorder, then those of its loader workers. It returns the recorder's header, and warnings for
// what could not be read. p is the same process in each call, as it says of itself now.
func (t *Tail) Next(p Process, f func(flight.Record)) (h flight.Header, warnings []error) {
	if p.Flight() == "" {
		return h, nil
	}
	if t.recorder == nil {
		if err := t.open(p, f); err != nil {
			warnings = append(warnings, err)
		}
	}
	if t.recorder == nil {
		return h, warnings
	}
	h, err := t.recorder.Drain(f)
	if err != nil {
		warnings = append(warnings, err)
	}
	if err := t.workers.next(p.WorkerSamples(), workerNames[:], f); err != nil {
		warnings = append(warnings, fmt.Errorf("reading samples of loader workers: %w", err))
	}
	return h, warnings
}

// open opens the flight recorder where what was drained from it ends.
func (t *Tail) open(p Process, f func(flight.Record)) error {
	recorder, err := flight.OpenReadOnly(p.Flight())
	if err != nil {
		return err
	}
	h, err := recorder.Header()
	if err != nil {
		recorder.Close()
		return err
	}
	err = t.drained.next(p.Samples(), h.Memories, f)
	recorder.Skip(t.drained.last)
	t.recorder = recorder
	if err != nil {
		return fmt.Errorf("reading samples: %w", err)
	}
	return nil
}

// Lost is how many records were overtaken before they were read.
func (t *Tail) Lost() uint64 {
	if t.recorder == nil {
		return 0
	}
	return t.recorder.Lost()
}

// Close closes what is open.
func (t *Tail) Close() {
	if t.recorder != nil {
		t.recorder.Close()
	}
}

// samplesReader reads a samples file as it grows.
type samplesReader struct {
	seen   os.FileInfo // the file as it was last read
	offset int64       // how far
	last   uint64      // number of the newest record
}

// next calls f for each record that has come since the last call. A file that is not there has none.
func (r *samplesReader) next(path string, memories []string, f func(flight.Record)) error {
	now, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !now.Mode().IsRegular():
		return errors.New("not a file")
	case r.seen == nil || !os.SameFile(now, r.seen) || now.Size() < r.offset:
		r.offset = 0 // it was thinned, and replaced
	case now.Size() == r.seen.Size():
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r.seen = now
	if r.offset == 0 {
		var head [flight.RecordSize]byte
		n, err := file.ReadAt(head[:], 0)
		switch said := head[:min(n, len(samplesMagic))]; {
		case !strings.HasPrefix(samplesMagic, string(said)):
			return errors.New("not a samples file")
		case errors.Is(err, io.EOF):
			return nil // it is being made
		case err != nil:
			return err
		}
		r.offset = flight.RecordSize
	}
	r.read(io.NewSectionReader(file, r.offset, (MaxSamples+1)*flight.RecordSize-r.offset), memories, f)
	return nil
}

// read takes whole records: a torn one at the end is being written, or what a kill leaves.
func (r *samplesReader) read(from io.Reader, memories []string, f func(flight.Record)) {
	in := bufio.NewReaderSize(from, 64<<10)
	var b [flight.RecordSize]byte
	for {
		if _, err := io.ReadFull(in, b[:]); err != nil {
			return
		}
		r.offset += flight.RecordSize
		rec, ok := flight.Decode(b[:], memories)
		if !ok || rec.Number <= r.last {
			continue
		}
		r.last = rec.Number
		f(rec)
	}
}
