package detect

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
)

// training is one variant of testdata/cpu/record.py: small trainings on a CPU, whose tensors live in the heap
// that is watched. Each was recorded with PyTorch 1.13 and with the newest release.
type training struct {
	name    string
	want    []finding.Verdict
	found   Confirmation // what a census would find
	slope   [2]int64     // bytes a step, from and to
	growing int64        // step by which a leak must be detected
}

var (
	fine     = []finding.Verdict{finding.Healthy}
	leaking  = []finding.Verdict{finding.Leak}
	settling = []finding.Verdict{finding.Healthy, finding.Bounded}
)

var trainings = []training{
	{name: "cnn", want: fine},
	{name: "cnn_append", want: leaking, found: survivors, slope: [2]int64{7000, 10000}, growing: 11},
	{name: "cnn_total", want: leaking, found: survivors, slope: [2]int64{7000, 10000}, growing: 11},
	{name: "cnn_feat", want: leaking, found: survivors, slope: [2]int64{6000, 9000}, growing: 11},
	{name: "cnn_varlen", want: settling},
	{name: "cnn_eval", want: fine},
	{name: "cnn_evalgrad", want: leaking, found: survivors, slope: [2]int64{310000, 350000}, growing: 41},
	{name: "mlp", want: fine},
	{name: "mlp_hist", want: fine},
	{name: "mlp_dict", want: fine},
	{name: "mlp_detach", want: fine, found: Confirmation{Survivors: true, Holder: true, BytesPerStep: 64}},
	{name: "mlp_tolist", want: leaking, found: survivors, growing: 11},
	{name: "mlp_print", want: fine},
	{name: "rnn", want: fine},
	{name: "rnn_varlen", want: settling},
	{name: "tf", want: fine},
	{name: "tf_varlen", want: settling},
	{name: "loader", want: fine},
	{name: "loader_ckpt", want: fine},
	{name: "loader_ckptkeep", want: leaking, found: survivors, growing: 81},
	{name: "gan", want: fine},
	{name: "accum", want: fine},
	{name: "gp", want: fine},
	{name: "cycle", want: []finding.Verdict{finding.Cycle}, found: Confirmation{Cycle: true}},
	{name: "replay", want: settling, found: Confirmation{Survivors: true, Holder: true, Bound: 60}},
	{name: "objcycle", want: fine},
	{name: "sched", want: fine},
	{name: "save", want: fine},
	{name: "workers", want: fine},
	{name: "ema", want: fine},
	{name: "preds", want: fine},
	{name: "ckpt", want: fine},
	{name: "rollout", want: fine},
	{name: "amp", want: fine},
	{name: "bn", want: fine},
	{name: "retain", want: fine},
	{name: "hookout", want: fine},
	{name: "hookgrow", want: leaking, found: Confirmation{Survivors: true, Holder: true, Hooks: true}, growing: 160},
	{name: "bptt", want: leaking, found: survivors, slope: [2]int64{10000, 17000}, growing: 11},
	{name: "text", want: settling},
}

// readTraining returns the samples of one recorded training.
func readTraining(t testing.TB, path string) []memory.Sample {
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
	var out []memory.Sample
	for _, row := range rows[1:] {
		var v [5]int64
		for i := range v {
			if v[i], err = strconv.ParseInt(row[i], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		s := bare("host", v[0])
		s.V[memory.HostUsed], s.V[memory.HostHeld], s.V[memory.HostPythonBlocks] = v[1], v[2], v[3]
		s.Flags = uint8(v[4])
		out = append(out, s)
	}
	return out
}

func TestTrainings(t *testing.T) {
	var table strings.Builder
	for _, e := range trainings {
		files, err := filepath.Glob("testdata/cpu/" + e.name + "_torch?.csv")
		if err != nil || len(files) != 2 {
			t.Fatalf("%s: %d recordings, want 2 (%v)", e.name, len(files), err)
		}
		for _, file := range files {
			e.check(t, file, &table)
		}
	}
	t.Logf("\n%s", table.String())
}

func (e *training) check(t *testing.T, file string, table *strings.Builder) {
	samples := readTraining(t, file)
	o := watch(New("host", Options{Kind: "host"}), samples, e.found)
	m := o.memory
	for _, c := range []string{filepath.Base(file), string(m.Verdict), show(m.BytesPerStep), show(m.SinceStep), show(m.Period), show(m.DetectedAtStep), strconv.Itoa(len(o.suspicions))} {
		table.WriteString(c + strings.Repeat(" ", max(1, 28-len(c))))
	}
	table.WriteByte('\n')
	if !slices.Contains(e.want, m.Verdict) {
		t.Errorf("%s: %s (%s), want %v", file, m.Verdict, m.Why, e.want)
		return
	}
	if e.growing > 0 && (m.DetectedAtStep == nil || *m.DetectedAtStep > e.growing) {
		t.Errorf("%s: detected at %s, want at most %d", file, show(m.DetectedAtStep), e.growing)
	}
	if e.slope[1] > 0 && (m.BytesPerStep == nil || *m.BytesPerStep < e.slope[0] || *m.BytesPerStep > e.slope[1]) {
		t.Errorf("%s: %s bytes a step, want %v", file, show(m.BytesPerStep), e.slope)
	}
	// A look-alike must look like one at every moment, or torchleak would cry wolf while it runs.
	if e.growing == 0 {
		for n := range samples {
			d := New("host", Options{Kind: "host"})
			if n%25 != 24 {
				continue
			}
			if m := watch(d, samples[:n+1], e.found).memory; m.Verdict == finding.Leak {
				t.Errorf("%s: leak at step %d (%s)", file, n+1, m.Why)
			}
		}
	}
}
