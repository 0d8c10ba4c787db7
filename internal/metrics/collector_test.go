package metrics

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
)

func pointer(v int64) *int64 { return &v }

// full is a state in which every family has a series.
func full() State {
	seconds := 2510.2
	device := Memory{Memory: finding.Memory{
		Name: "cuda:0", Kind: "device", Verdict: finding.Leak, BytesPerStep: pointer(512), SecondsToOOM: &seconds,
		LastBytes: pointer(3 << 20), PeakBytes: pointer(4 << 20), LimitBytes: pointer(1 << 30),
	}}
	device.Values[memory.DeviceReserved], device.Values[memory.DeviceInactiveSplit] = 8<<20, 2<<20
	host := Memory{Memory: finding.Memory{Name: "host", Kind: "host", Verdict: finding.Healthy}}
	rank := Rank{
		Recording: "/w/.torchleak/a", Running: true, LastStep: time.UnixMilli(1_700_000_000_250), StepTime: 10 * time.Millisecond, Probe: time.Second,
		Memories: []Memory{device, host},
		Report: finding.Report{
			Verdict: finding.Leak, Steps: finding.Steps{Seen: 700},
			Target: finding.Target{Argv: []string{"python", "-u", "train.py", "--lr", "1"}, PID: 7, Rank: 1, WorldSize: 2},
			Findings: []finding.Finding{
				{Rule: "TL101", Memory: "cuda:0", Location: &finding.Location{File: "train.py", Line: 57}},
				{Rule: "TL101", Memory: "cuda:0", Location: &finding.Location{File: "train.py", Line: 57}, Why: "the same statement, another holder"},
				{Rule: "TL130", Memory: "host"},
			},
		},
	}
	return State{
		Version: "0.1.0", Ranks: []Rank{rank}, Agent: Agent{Running: 1, Looked: time.UnixMilli(1000)},
		GPUs: []GPU{{Index: 0, UUID: "GPU-1", Model: "H200", Used: 5, Total: 9, Processes: []GPUProcess{{PID: 7, Command: "python\xff", Used: 5}}}},
	}
}

func TestCatalogueIsCleanAndWhole(t *testing.T) {
	c := NewCollector(func() State { return full() })
	problems, err := testutil.CollectAndLint(c)
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v, %v", problems, err)
	}
	for _, d := range Catalogue() {
		if testutil.CollectAndCount(c, d.Name) == 0 {
			t.Errorf("%s has no series in a state that has everything", d.Name)
		}
		if strings.HasSuffix(d.Name, "_total") != (d.Type == "counter") {
			t.Errorf("%s is a %s", d.Name, d.Type)
		}
	}
}

func TestSeries(t *testing.T) {
	c := NewCollector(func() State { return full() })
	who := `pid="7",rank="1",recording="/w/.torchleak/a"`
	want := strings.NewReplacer("WHO", who, "CUDA", `memory="cuda:0",`+who).Replace(`
# HELP torchleak_finding_info A fault that was found, by rule and by the statement to change; always 1.
# TYPE torchleak_finding_info gauge
torchleak_finding_info{confidence="",file="",line="",memory="host",name="",WHO,rule="TL130",verdict=""} 1
torchleak_finding_info{confidence="",file="train.py",line="57",memory="cuda:0",name="",WHO,rule="TL101",verdict=""} 1
# HELP torchleak_memory_fragmentation_ratio Share of a device's reserved bytes that lie free in pieces of segments in use (inactive split).
# TYPE torchleak_memory_fragmentation_ratio gauge
torchleak_memory_fragmentation_ratio{CUDA} 0.25
# HELP torchleak_rank_last_step_timestamp_seconds When the newest step ended, in seconds since the epoch.
# TYPE torchleak_rank_last_step_timestamp_seconds gauge
torchleak_rank_last_step_timestamp_seconds{WHO} 1.70000000025e+09
# HELP torchleak_rank_steps_total Steps of the training that were seen.
# TYPE torchleak_rank_steps_total counter
torchleak_rank_steps_total{WHO} 700
`)
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), "torchleak_finding_info", "torchleak_memory_fragmentation_ratio",
		"torchleak_rank_last_step_timestamp_seconds", "torchleak_rank_steps_total"); err != nil {
		t.Error(err)
	}
	// What was not read has no series, and a name that is no UTF-8 hides nothing.
	s := full()
	s.Ranks[0].Memories[1].Values[memory.HostRSS] = memory.Absent
	if n := testutil.CollectAndCount(NewCollector(func() State { return s }), "torchleak_memory_resident_bytes"); n != 0 {
		t.Errorf("%d series of pages that were not read", n)
	}
	if n := testutil.CollectAndCount(c, "torchleak_gpu_process_memory_bytes"); n != 1 {
		t.Errorf("%d processes of a GPU", n)
	}
}

// Two ranks are about as many series as the fleet is planned for, whatever they found.
func TestFewSeries(t *testing.T) {
	s := full()
	for i := range 100 {
		s.Ranks[0].Report.Findings = append(s.Ranks[0].Report.Findings, finding.Finding{Location: &finding.Location{Line: i}})
	}
	with := testutil.CollectAndCount(NewCollector(func() State { return s }))
	s.Ranks = nil
	if n := with - testutil.CollectAndCount(NewCollector(func() State { return s })); n > 25+maxFindings {
		t.Errorf("%d series of one rank with one device", n)
	}
}

func TestLabelsAreUnique(t *testing.T) {
	for _, d := range Catalogue() {
		sorted := slices.Clone(d.Labels)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != len(d.Labels) {
			t.Errorf("%s: %v", d.Name, d.Labels)
		}
	}
	if err := prometheus.NewPedanticRegistry().Register(NewCollector(full)); err != nil {
		t.Error(err)
	}
}
