package detect

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
)

// census is what an investigation of one recording would find, for device and host.
type census struct {
	device, host Confirmation
}

// expected is the right answer for one recording. An empty verdict is not judged. slope is bytes a step,
// within 5 % on the device and 25 % on the heap, whose growth is not exact; onset is the first step that grows.
type expected struct {
	name         string
	device, host finding.Verdict
	slope        int64
	period       int64
	onset        int64
	census       census
}

var (
	survivors = Confirmation{Survivors: true, Holder: true}
	nothing   = Confirmation{}
)

// recordings has every file of testdata/series: 120 steps of a small CNN on a GPU. Steps are counted from 1
// here and from 0 in the files.
var recordings = []expected{
	{name: "healthy", device: finding.Healthy, host: finding.Healthy},
	{name: "grad_penalty_ok", device: finding.Healthy, host: finding.Healthy},
	{name: "create_graph_cycle", device: finding.Healthy, host: finding.Healthy},
	{name: "attr_overwrite", device: finding.Healthy, host: finding.Healthy},
	{name: "grad_accum", device: finding.Healthy, host: finding.Healthy},
	{name: "adam_lazy", device: finding.Healthy, host: finding.Healthy},
	{name: "varlen", device: finding.Healthy, host: finding.Healthy},
	{name: "attr_list", device: finding.Leak, slope: 2097152, onset: 2, census: census{survivors, survivors}},
	{name: "attr_detach_list", device: finding.Leak, slope: 2097152, onset: 2, census: census{survivors, survivors}},
	{name: "hook_store", device: finding.Leak, slope: 2097152, onset: 2, census: census{survivors, survivors}},
	{name: "retain_graph_list", device: finding.Leak, slope: 6493696, onset: 2, census: census{survivors, survivors}},
	{name: "val_nograd_missing_append", device: finding.Leak, slope: 1947802, period: 10, onset: 10, census: census{survivors, survivors}},
	{name: "exc_traceback", device: finding.Leak, slope: 1623040, period: 4, onset: 5, census: census{survivors, survivors}},
	{name: "view_slice", device: finding.Leak, slope: 786432, onset: 2, census: census{survivors, survivors}},
	{name: "replay_gpu", device: finding.Leak, slope: 197120, onset: 2, census: census{survivors, survivors}},
	{name: "replay_bounded", device: finding.Bounded, census: census{Confirmation{Survivors: true, Holder: true, Bound: 40}, nothing}},
	{name: "lru_saturates", device: finding.Bounded, census: census{Confirmation{Survivors: true, Holder: true}, nothing}},
	{name: "lru_tensor", device: finding.Leak, slope: 266240, onset: 2, census: census{survivors, survivors}},
	{name: "param_groups_grow", device: finding.Leak, slope: 16384, onset: 2, census: census{survivors, survivors}},
	{name: "epoch_step", device: finding.Leak, slope: 2304, period: 20, onset: 20, census: census{survivors, survivors}},
	{name: "bptt_safe", device: finding.Leak, slope: 16384, onset: 2, census: census{survivors, survivors}},
	{name: "fn_ctx_cycle", device: finding.Cycle, census: census{Confirmation{Cycle: true}, Confirmation{Cycle: true}}},
	{name: "loss_append_after", device: finding.Leak, host: finding.Leak, slope: 512, onset: 2, census: census{survivors, survivors}},
	{name: "output_append", device: finding.Leak, host: finding.Leak, slope: 1024, onset: 2, census: census{survivors, survivors}},
	{name: "loss_total_plus", device: finding.Healthy, host: finding.Leak, census: census{nothing, survivors}},
	{name: "ema_graph", device: finding.Healthy, host: finding.Leak, census: census{nothing, survivors}},
	{name: "hook_each_step", device: finding.Healthy, host: finding.Leak, census: census{nothing, survivors}},
}

// bare is a sample in which nothing was read.
func bare(name string, step int64) memory.Sample {
	s := memory.Sample{Step: step, Nanos: step * 30_000_000, Memory: name, Clock: memory.Optimizer}
	for i := range s.V {
		s.V[i] = memory.Absent
	}
	return s
}

// readRecording returns the samples of one recording, for the device and for the host.
func readRecording(t testing.TB, path string) (device, host []memory.Sample) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		var v [6]int64
		for i := range v {
			if v[i], err = strconv.ParseInt(row[i], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		d, h := bare("cuda:0", v[0]+1), bare("host", v[0]+1)
		d.V[memory.DeviceAllocated], d.V[memory.DeviceReserved] = v[1], v[2]
		h.V[memory.HostUsed], h.V[memory.HostHeld], h.V[memory.HostRSS] = v[3], v[4], v[5]
		device, host = append(device, d), append(host, h)
	}
	return device, host
}

// outcome is what watching one series came to.
type outcome struct {
	memory     finding.Memory
	suspicions []int64 // steps at which evidence was asked for
}

// watch feeds samples as a session would: on suspicion it asks, and three censuses later it hands over what
// they would find. span is two steps, or a period.
func watch(d *Detector, samples []memory.Sample, found Confirmation) outcome {
	var o outcome
	due := int64(0)
	for _, s := range samples {
		d.Observe(s)
		if due != 0 && s.Step >= due {
			c := found
			c.Step = s.Step
			d.Confirm(c)
			due = 0
		}
		if sus, ok := d.Suspicion(); ok && due == 0 {
			o.suspicions = append(o.suspicions, s.Step)
			due = s.Step + 2*max(2, sus.Period)
		}
	}
	o.memory = d.Memory()
	return o
}

func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/series/*.csv")
	if err != nil || len(files) != len(recordings) {
		t.Fatalf("%d recordings, expectations for %d (%v)", len(files), len(recordings), err)
	}
	var table strings.Builder
	row := func(cells ...string) {
		for _, c := range cells {
			table.WriteString(c + strings.Repeat(" ", max(1, 14-len(c))))
		}
		table.WriteByte('\n')
	}
	row("recording", "             ", "memory", "verdict", "want", "bytes/step", "since", "period", "suspected", "detected", "censuses")
	for _, e := range recordings {
		device, host := readRecording(t, "testdata/series/"+e.name+".csv")
		for _, m := range []struct {
			kind    string
			samples []memory.Sample
			want    finding.Verdict
			found   Confirmation
		}{{"device", device, e.device, e.census.device}, {"host", host, e.host, e.census.host}} {
			o := watch(New(m.kind, Options{Kind: m.kind, Limit: 1 << 37}), m.samples, m.found)
			first := "-"
			if len(o.suspicions) > 0 {
				first = strconv.FormatInt(o.suspicions[0], 10)
			}
			row(e.name, strings.Repeat(" ", max(0, 13-len(e.name))), m.kind, string(o.memory.Verdict), string(m.want), show(o.memory.BytesPerStep),
				show(o.memory.SinceStep), show(o.memory.Period), first, show(o.memory.DetectedAtStep), strconv.Itoa(len(o.suspicions)))
			if m.want != "" && o.memory.Verdict != m.want {
				t.Errorf("%s, %s: %s (%s), want %s", e.name, m.kind, o.memory.Verdict, o.memory.Why, m.want)
			}
			if m.want == finding.Healthy && len(o.suspicions) > 3 {
				t.Errorf("%s, %s: evidence was asked for %d times in a healthy run", e.name, m.kind, len(o.suspicions))
			}
			if m.kind == "device" && m.want == finding.Leak {
				e.check(t, o)
			}
		}
	}
	t.Log("\n" + table.String())
}

// check compares the figures of a leak on the device.
func (e *expected) check(t *testing.T, o outcome) {
	m := o.memory
	if m.BytesPerStep == nil || m.SinceStep == nil || m.DetectedAtStep == nil {
		t.Errorf("%s: figures are missing: %+v", e.name, m)
		return
	}
	if d := *m.BytesPerStep - e.slope; 20*max(d, -d) > e.slope {
		t.Errorf("%s: %d bytes a step, want %d", e.name, *m.BytesPerStep, e.slope)
	}
	if d := *m.SinceStep - e.onset; max(d, -d) > 3 {
		t.Errorf("%s: since step %d, want %d", e.name, *m.SinceStep, e.onset)
	}
	if e.period > 0 && (m.Period == nil || *m.Period != e.period) {
		t.Errorf("%s: period %s, want %d", e.name, show(m.Period), e.period)
	}
	if limit := e.onset + max(10, 4*e.period); *m.DetectedAtStep > limit {
		t.Errorf("%s: detected at step %d, want at most %d", e.name, *m.DetectedAtStep, limit)
	}
}

func show(v *int64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatInt(*v, 10)
}
