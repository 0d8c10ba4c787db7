package analysis

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
)

const (
	helloFile    = "7-1.hello.json"
	flightFile   = "7-1.flight"
	samplesFile  = "7-1.samples"
	evidenceFile = "7-1.evidence-1.json"
	steps        = 40
)

// record writes a recording of a process that made some steps.
func record(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const capacity = 64
	b := make([]byte, flight.HeaderSize+capacity*flight.RecordSize)
	le := binary.LittleEndian
	copy(b, "TLKFLT01")
	le.PutUint32(b[8:], 1)
	le.PutUint32(b[12:], flight.HeaderSize)
	le.PutUint32(b[16:], flight.RecordSize)
	le.PutUint32(b[20:], capacity)
	le.PutUint32(b[28:], 1)
	le.PutUint64(b[32:], steps)
	le.PutUint64(b[64:], steps)
	copy(b[256:], "host")
	for i := range steps {
		s := memory.Sample{Step: int64(i + 1), Nanos: int64(i) * 1e6}
		for v := range s.V {
			s.V[v] = int64(i) * 4096
		}
		flight.Encode(b[flight.HeaderSize+i*flight.RecordSize:], uint64(i+1), 0, &s)
	}
	write(t, dir, flightFile, string(b))
	write(t, dir, helloFile, `{"hello":1,"pid":7,"cwd":"/","flight":"`+flightFile+`","role":"trainer"}`)
	write(t, dir, "run.json", `{"run":1,"argv":["python","train.py"]}`)
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func replace(t *testing.T, dir, name string, make func(path string) error) {
	t.Helper()
	path := filepath.Join(dir, name)
	_ = os.Remove(path)
	if err := make(path); err != nil {
		t.Fatal(err)
	}
}

// patch overwrites bytes of the flight recorder.
func patch(t *testing.T, dir string, at int, bytes string) {
	t.Helper()
	path := filepath.Join(dir, flightFile)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(b[at:], bytes)
	write(t, dir, flightFile, string(b))
}

func pipe(path string) error { return syscall.Mkfifo(path, 0o600) }
func zero(path string) error { return os.Symlink("/dev/zero", path) }

// TestHostileRecording checks that what is wrong in a recording costs at most what is wrong: the rest is reported,
// soon, and the warning names the file's fault.
func TestHostileRecording(t *testing.T) {
	const all, none = 1, 0
	evidence := func(text string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { write(t, dir, evidenceFile, text) }
	}
	in := func(name string, make func(string) error) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { replace(t, dir, name, make) }
	}
	for _, c := range []struct {
		name    string
		change  func(t *testing.T, dir string)
		reports int
		warning string
	}{
		{"untouched", func(*testing.T, string) {}, all, ""},
		{"run is a pipe", in("run.json", pipe), all, "run.json"},
		{"run is endless", in("run.json", zero), all, "run.json"},
		{"run of other types", func(t *testing.T, dir string) { write(t, dir, "run.json", `[1]`) }, all, "it holds one array"},
		{"run of a version to come", func(t *testing.T, dir string) { write(t, dir, "run.json", `{"run":99}`) }, all, "version 99"},
		{"hello of other types", func(t *testing.T, dir string) { write(t, dir, helloFile, `{"pid":"x"}`) }, none, "hello.json: its \"pid\" is of the type string"},
		{"hello of a version to come", func(t *testing.T, dir string) { write(t, dir, helloFile, `{"hello":99,"flight":"`+flightFile+`"}`) }, none, "hello.json: it is of version 99"},
		{"hello leads out", func(t *testing.T, dir string) { write(t, dir, helloFile, `{"flight":"../../etc/passwd"}`) }, none, ""},
		{"hello names its parent", func(t *testing.T, dir string) { write(t, dir, helloFile, `{"flight":".."}`) }, none, "flight recorder"},
		{"source is endless", func(t *testing.T, dir string) {
			write(t, dir, helloFile, `{"flight":"`+flightFile+`","main_file":"/dev/zero","rank":-4,"world_size":-1,"limits":{"host":-1}}`)
		}, all, ""},
		{"flight is cut in its header", func(t *testing.T, dir string) { write(t, dir, flightFile, "TLKFLT01") }, none, "ends inside"},
		{"flight is a pipe", in(flightFile, pipe), none, "flight recorder"},
		{"flight is endless", in(flightFile, zero), none, "magic"},
		{"more written than can be", func(t *testing.T, dir string) { patch(t, dir, 32, strings.Repeat("\xff", 8)) }, none, "records written"},
		{"steps and times below zero", func(t *testing.T, dir string) { patch(t, dir, 64, strings.Repeat("\xff", 24)) }, all, ""},
		{"samples are a pipe", in(samplesFile, pipe), all, "not a file"},
		{"samples are endless", in(samplesFile, zero), all, "not a file"},
		{"samples are huge", in(samplesFile, func(p string) error {
			if err := os.WriteFile(p, append([]byte("TLKSMP01"), make([]byte, flight.RecordSize-8)...), 0o600); err != nil {
				return err
			}
			return os.Truncate(p, 1<<42)
		}), all, ""},
		{"evidence is a pipe", in(evidenceFile, pipe), all, "not a file"},
		{"evidence is a folder", in(evidenceFile, func(p string) error { return os.Mkdir(p, 0o700) }), all, "not a file"},
		{"evidence is huge", in(evidenceFile, func(p string) error {
			if err := os.WriteFile(p, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(p, 1<<36)
		}), all, "larger than"},
		{"evidence is cut", evidence(`{"evidence":1`), all, "not valid JSON"},
		{"evidence is deep", evidence(`{"evidence":1,"notes":` + strings.Repeat("[", 1<<20)), all, "not valid JSON"},
		{"evidence of the last request there can be", evidence(`{"evidence":1,"request":4294967295,"complete":true}`), all, ""},
		{"evidence of the last request, with a search in those before", evidence(`{"evidence":1,"request":4294967295,"memory":"host",
			"period":1,"complete":true,"censuses":[{"step":5,"tensor_bytes":1000},{"step":7,"tensor_bytes":10}]}`), all, ""},
		{"evidence that contradicts itself", evidence(`{"evidence":1,"request":1,"memory":"host","period":-3,"complete":true,
			"censuses":[{"step":9},{"step":5},{"step":-1}],
			"groups":[{"id":-1,"device":"cpu","count":[-5],"bytes":[],"graph_bytes":[-9,-9,-9],"holders":[99,-1]}],
			"holders":[{"id":0,"length":[-1],"kind":"container","writes":[{"frames":[{"file":"/dev/zero","line":-4}],"count":-1}]}],
			"births":[{"group":-7,"frames":[{"file":"/proc/self/mem","line":9}]}],"sites":[{"device":"host","bytes":[1],"count":[]}]}`), all, ""},
		{"evidence of nothing", evidence(`{"evidence":1,"request":1,"notes":null,"groups":[null],"holders":[null],"births":[null]}`), all, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := record(t)
			c.change(t, dir)
			type result struct {
				reports  []finding.Report
				warnings []error
			}
			done := make(chan result, 1)
			go func() {
				reports, warnings := Recording(recording.Dir{Path: dir}, finding.Tool{})
				done <- result{reports, warnings}
			}()
			select {
			case got := <-done:
				if len(got.reports) != c.reports || c.reports > 0 && got.reports[0].Steps.Seen != steps {
					t.Errorf("%d reports, want %d", len(got.reports), c.reports)
				}
				if said := len(got.warnings) > 0 && strings.Contains(got.warnings[0].Error(), c.warning); said != (c.warning != "") {
					t.Errorf("warnings %v, want one with %q", got.warnings, c.warning)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("it is read for ever")
			}
		})
	}
}
