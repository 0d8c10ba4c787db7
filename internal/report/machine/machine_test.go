package machine

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/metrics"
)

func pointer[T any](v T) *T { return &v }

func state() metrics.State {
	absent := [memory.Values]int64{}
	for i := range absent {
		absent[i] = memory.Absent
	}
	reserved := absent
	reserved[memory.DeviceReserved] = 8 << 30
	leaking := []metrics.Memory{
		{Memory: finding.Memory{Name: "host", Kind: "host", Verdict: finding.Healthy, LastBytes: pointer(int64(1 << 20))}, Values: absent},
		{Memory: finding.Memory{
			Name: "cuda:0", Kind: "device", Verdict: finding.Leak, LastBytes: pointer(int64(6 << 30)), BytesPerStep: pointer(int64(2 << 20)), SecondsToOOM: pointer(2510.0),
		}, Values: reserved},
	}
	target := finding.Target{Argv: []string{"python", "src/train\x1b[31m.py"}, PID: 77, Rank: 1, WorldSize: 2}
	found := finding.Finding{Rule: "TL101", Name: "kept-activation", Location: &finding.Location{File: "train.py", Line: 57, Code: "feats.append(output)"}}
	s := metrics.State{
		Ranks: []metrics.Rank{
			{Recording: "/w/a", Running: true, StepTime: 20 * time.Millisecond, Memories: leaking,
				Report: finding.Report{Schema: 1, Verdict: finding.Leak, Target: target, Steps: finding.Steps{Seen: 12_345}, Findings: []finding.Finding{found}}},
			{Recording: "/w/b", Report: finding.Report{Schema: 1, Verdict: finding.Undecided, Target: finding.Target{PID: 78}, Steps: finding.Steps{Seen: 3}}},
		},
		GPUs:  []metrics.GPU{{Index: 0, Model: "NVIDIA H200", Used: 10 << 30, Total: 140 << 30, Processes: []metrics.GPUProcess{{PID: 77, Command: "python", Used: 9 << 30}}}},
		Agent: metrics.Agent{Running: 2, Ended: 1, Unreadable: 3},
	}
	for i := range s.Ranks { // a report's lists are never null
		r := &s.Ranks[i].Report
		r.Target.Argv, r.Findings, r.Notes = append([]string{}, r.Target.Argv...), append([]finding.Finding{}, r.Findings...), []string{}
		for j := range r.Findings {
			r.Findings[j].AllocatedAt, r.Findings[j].Calls = []finding.Frame{}, []finding.Frame{}
		}
	}
	return s
}

const table = `training          rank  pid    step  a step takes  memory  verdict  allocated  reserved  per step  full in
train\x1b[31m.py     1   77  12,345         20 ms  cuda:0  leak       6.0 GiB   8.0 GiB  +2.0 MiB   42 min
?                    0   78       3     has ended
  rank 1  TL101 kept-activation  train.py:57  feats.append(output)  (/w/a)

GPU 0  NVIDIA H200  10 GiB of 140 GiB in use
          9.0 GiB  77 python  train\x1b[31m.py
1 recording here is over: torchleak report shows it
3 recordings are not read, see above
`

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := WriteText(&b, state(), "en"); err != nil {
		t.Fatal(err)
	}
	if b.String() != table {
		t.Errorf("got\n%s\nwant\n%s", b.String(), table)
	}
}

func TestTextOfNothing(t *testing.T) {
	for want, s := range map[string]metrics.State{
		"no training runs here":                   {NoNVML: "no NVML: no driver"},
		"who holds their memory: no NVML":         {NoNVML: "no NVML: no driver"},
		"2 trainings run and have not made a":     {Agent: metrics.Agent{Running: 2}},
		"1 training runs and has not made a step": {Agent: metrics.Agent{Running: 1}},
	} {
		var b bytes.Buffer
		if err := WriteText(&b, s, "en"); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s, %v", b.String(), err)
		}
	}
	var b bytes.Buffer
	if err := WriteText(&b, state(), "zh"); err != nil || !strings.Contains(b.String(), "已用 10 GiB，共 140 GiB") || strings.Contains(b.String(), "has ended") {
		t.Errorf("%s, %v", b.String(), err)
	}
}

func TestJSON(t *testing.T) {
	for name, s := range map[string]metrics.State{"full": state(), "empty": {NoNVML: "none"}} {
		var b bytes.Buffer
		if err := WriteJSON(&b, s); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Schema    int
			Trainings []struct {
				Recording string
				Running   bool
				Verdict   string
				Memories  []struct{ Name string }
			}
			GPUs []struct {
				Used int64 `json:"used_bytes"`
			}
		}
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if got.Schema != 1 || len(got.Trainings) != len(s.Ranks) || len(got.GPUs) != len(s.GPUs) || strings.Contains(b.String(), "null") {
			t.Errorf("%s: %s", name, b.String())
		}
		if name == "full" && (!got.Trainings[0].Running || got.Trainings[0].Memories[1].Name != "cuda:0" || got.GPUs[0].Used != 10<<30) {
			t.Errorf("%+v", got)
		}
	}
}
