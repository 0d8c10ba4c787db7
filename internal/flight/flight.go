// Package flight reads flight recorders, the files the probe writes a record into at each step.
// The format is docs/format/flight.md.
//
// A recorder is read with pread and never mapped: the file belongs to another process, which may cut it
// short at any time, and a mapping would turn that into a signal in ours.
package flight

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/torchleak/torchleak/internal/memory"
)

// Sizes of the format, in bytes.
const (
	HeaderSize = 4096
	RecordSize = 128
)

const (
	magic       = "TLKFLT01"
	version     = 1
	maxCapacity = 1 << 22 // 512 MiB; the probe makes 16,384
	maxMemories = 30
	maxWritten  = 1 << 62 // record numbers must not wrap
)

// Offsets in the header.
const (
	offCapacity     = 20
	offPID          = 24
	offMemories     = 28
	offWritten      = 32
	offStartWall    = 40
	offStartMono    = 48
	offClock        = 56
	offState        = 60
	offSteps        = 64
	offProbeNanos   = 72
	offStopNanos    = 80
	offErrors       = 88
	offEvidenceDone = 92
	offRequest      = 128
	offTable        = 256
	tableEntry      = 64
)

// State says what the probe is doing.
type State uint32

// States, as the header numbers them.
const (
	Watching State = iota
	Gathering
	Ended
	Off
)

// Header is the recorder's header at one moment.
type Header struct {
	Capacity      uint32
	PID           uint32
	Memories      []string
	Written       uint64
	StartWall     int64 // ns since the epoch
	StartMono     int64 // ns
	Clock         memory.Clock
	State         State
	Steps         int64
	ProbeNanos    int64 // spent in the probe, all steps together
	EvidenceNanos int64 // the target stood still for evidence
	Errors        uint32
	EvidenceDone  uint32
}

// SyntaxError says what is wrong with a recorder file.
type SyntaxError struct {
	Offset int
	Msg    string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not a readable flight recorder: byte %d: %s", e.Offset, e.Msg)
}

// ReadHeader decodes the header at the start of r.
func ReadHeader(r io.ReaderAt) (Header, error) {
	var b [HeaderSize]byte
	if n, err := r.ReadAt(b[:], 0); err != nil {
		return Header{}, &SyntaxError{n, "the file ends inside the header"}
	}
	return decodeHeader(b[:])
}

func decodeHeader(b []byte) (Header, error) {
	le := binary.LittleEndian
	if string(b[:8]) != magic {
		return Header{}, &SyntaxError{0, "wrong magic"}
	}
	if v := le.Uint32(b[8:]); v != version {
		return Header{}, &SyntaxError{8, fmt.Sprintf("version %d; this torchleak reads version %d", v, version)}
	}
	if le.Uint32(b[12:]) != HeaderSize || le.Uint32(b[16:]) != RecordSize {
		return Header{}, &SyntaxError{12, "unknown sizes"}
	}
	h := Header{
		Capacity:      le.Uint32(b[offCapacity:]),
		PID:           le.Uint32(b[offPID:]),
		Written:       le.Uint64(b[offWritten:]),
		StartWall:     int64(le.Uint64(b[offStartWall:])),
		StartMono:     int64(le.Uint64(b[offStartMono:])),
		Clock:         memory.Clock(le.Uint32(b[offClock:])),
		State:         State(le.Uint32(b[offState:])),
		Steps:         int64(le.Uint64(b[offSteps:])),
		ProbeNanos:    int64(le.Uint64(b[offProbeNanos:])),
		EvidenceNanos: int64(le.Uint64(b[offStopNanos:])),
		Errors:        le.Uint32(b[offErrors:]),
		EvidenceDone:  le.Uint32(b[offEvidenceDone:]),
	}
	if h.Capacity == 0 || h.Capacity > maxCapacity {
		return Header{}, &SyntaxError{offCapacity, fmt.Sprintf("capacity %d", h.Capacity)}
	}
	if h.Written > maxWritten {
		return Header{}, &SyntaxError{offWritten, fmt.Sprintf("%d records written", h.Written)}
	}
	n := le.Uint32(b[offMemories:])
	if n > maxMemories {
		return Header{}, &SyntaxError{offMemories, fmt.Sprintf("%d memories", n)}
	}
	for i := range int(n) {
		name := b[offTable+i*tableEntry:][:tableEntry]
		h.Memories = append(h.Memories, strings.TrimRight(string(name), "\x00"))
	}
	return h, nil
}

// Recorder is an open flight recorder.
type Recorder struct {
	file *os.File
	next uint64 // number of the next record to read
	lost uint64
	buf  []byte
}

// Open opens the recorder at path, for requests too where the file may be written.
func Open(path string) (*Recorder, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		if f, err = os.Open(path); err != nil {
			return nil, err
		}
	}
	return opened(f)
}

// OpenReadOnly opens the recorder at path for one who asks for nothing. A pipe in its place is not waited for.
func OpenReadOnly(path string) (*Recorder, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return opened(f)
}

func opened(f *os.File) (*Recorder, error) {
	if _, err := ReadHeader(f); err != nil {
		f.Close()
		return nil, err
	}
	return &Recorder{file: f, next: 1}, nil
}

// Close closes the file; the target's recorder goes on.
func (r *Recorder) Close() error { return r.file.Close() }

// Header reads the header as it is now.
func (r *Recorder) Header() (Header, error) { return ReadHeader(r.file) }

// Newest returns the newest record, ok false before the first and where it was torn. What Drain reads next stays as it is.
func (r *Recorder) Newest() (h Header, rec Record, ok bool) {
	h, err := r.Header()
	if err != nil || h.Written == 0 {
		return h, rec, false
	}
	var b [RecordSize]byte
	if _, err := r.file.ReadAt(b[:], int64(HeaderSize+(h.Written-1)%uint64(h.Capacity)*RecordSize)); err != nil {
		return h, rec, false
	}
	rec, ok = Decode(b[:], h.Memories)
	return h, rec, ok && rec.Number == h.Written
}

// Lost is how many records the ring overtook before they were read, or were torn.
func (r *Recorder) Lost() uint64 { return r.lost }

// Skip makes the next Drain begin after record number n.
func (r *Recorder) Skip(n uint64) {
	if n+1 > r.next {
		r.next = n + 1
	}
}

// Record is one record: its number, what it says, and its bytes as they stand in the file, which are good
// until the next record is read.
type Record struct {
	Number uint64
	Sample memory.Sample
	Raw    []byte
}

// Drain calls f for each record written since the last call, in order, and returns the header it read
// them under. Torn and overtaken records are counted as lost.
func (r *Recorder) Drain(f func(Record)) (Header, error) {
	h, err := r.Header()
	if err != nil {
		return h, err
	}
	if h.Written < r.next {
		return h, nil
	}
	capacity := uint64(h.Capacity)
	if oldest := h.Written - min(h.Written, capacity) + 1; r.next < oldest {
		r.lost += oldest - r.next
		r.next = oldest
	}
	for r.next <= h.Written {
		first := (r.next - 1) % capacity
		n := min(h.Written-r.next+1, capacity-first, blockRecords)
		if err := r.block(h, first, int(n), f); err != nil {
			return h, err
		}
	}
	return h, nil
}

// blockRecords bounds what is read at a time, and so the memory that an open recorder keeps: 64 KiB.
const blockRecords = 512

// block reads n records that stand together in the ring from place first on.
func (r *Recorder) block(h Header, first uint64, n int, f func(Record)) error {
	if cap(r.buf) < n*RecordSize {
		r.buf = make([]byte, n*RecordSize)
	}
	b := r.buf[:n*RecordSize]
	got, err := r.file.ReadAt(b, int64(HeaderSize+first*RecordSize))
	if err != nil && err != io.EOF {
		return fmt.Errorf("reading flight recorder: %w", err)
	}
	for i := range n {
		want := r.next
		r.next++
		if (i+1)*RecordSize > got {
			r.lost++
			continue
		}
		rec, ok := Decode(b[i*RecordSize:][:RecordSize], h.Memories)
		if !ok || rec.Number != want {
			r.lost++
			continue
		}
		f(rec)
	}
	return nil
}

// Decode decodes one record; ok is false when it is torn or not a record. Names of memories are those of
// the header the record stands under.
func Decode(b []byte, memories []string) (rec Record, ok bool) {
	le := binary.LittleEndian
	crc := crc32.Update(crc32.ChecksumIEEE(b[:28]), crc32.IEEETable, b[32:RecordSize])
	if crc != le.Uint32(b[28:]) {
		return rec, false
	}
	m := int(le.Uint16(b[24:]))
	if m >= len(memories) {
		return rec, false
	}
	s := memory.Sample{
		Step:   int64(le.Uint64(b[8:])),
		Nanos:  int64(le.Uint64(b[16:])),
		Memory: memories[m],
		Clock:  memory.Clock(b[26]),
		Flags:  b[27],
	}
	for i := range s.V {
		s.V[i] = int64(le.Uint64(b[32+8*i:]))
	}
	return Record{Number: le.Uint64(b), Sample: s, Raw: b}, true
}

// Encode writes a record as the probe does.
func Encode(b []byte, number uint64, memoryIndex int, s *memory.Sample) {
	le := binary.LittleEndian
	le.PutUint64(b, number)
	le.PutUint64(b[8:], uint64(s.Step))
	le.PutUint64(b[16:], uint64(s.Nanos))
	le.PutUint16(b[24:], uint16(memoryIndex))
	b[26], b[27] = byte(s.Clock), s.Flags
	for i, v := range s.V {
		le.PutUint64(b[32+8*i:], uint64(v))
	}
	crc := crc32.Update(crc32.ChecksumIEEE(b[:28]), crc32.IEEETable, b[32:RecordSize])
	le.PutUint32(b[28:], crc)
}

// Request asks the probe to investigate a memory; id must be larger than the last one.
func (r *Recorder) Request(id uint32, memoryIndex int, period int64, budgetMillis int) error {
	var b [24]byte
	le := binary.LittleEndian
	le.PutUint32(b[4:], 1)
	le.PutUint32(b[8:], uint32(memoryIndex))
	le.PutUint32(b[12:], uint32(period))
	le.PutUint32(b[16:], uint32(budgetMillis))
	le.PutUint32(b[20:], uint32(os.Getpid()))
	if _, err := r.file.WriteAt(b[4:], offRequest+4); err != nil {
		return fmt.Errorf("asking the probe for evidence: %w", err)
	}
	// The number goes last: the probe looks at nothing else before it.
	le.PutUint32(b[:], id)
	if _, err := r.file.WriteAt(b[:4], offRequest); err != nil {
		return fmt.Errorf("asking the probe for evidence: %w", err)
	}
	return nil
}
