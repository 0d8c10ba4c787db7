package analysis

import (
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

// growing is a memory that leaks, and reaches its own limit after so many steps; 0 has none.
func growing(name string, perStep, steps int64) finding.Memory {
	m := finding.Memory{Name: name, Kind: Kind(name), Verdict: finding.Leak, BytesPerStep: &perStep}
	if steps > 0 {
		m.Fills(float64(steps), "")
	}
	return m
}

// The nearest limit makes the forecast: the memory's own, what others have left of the machine or the group, what the process may
// map. The host as a whole ends when the first of its memories does.
func TestForecastByTheNearestLimit(t *testing.T) {
	const mib = 1 << 20
	group := &process.Group{By: "cgroup v2", Path: "/a", Limit: 1000 * mib, Working: 400 * mib} // 600 MiB are left
	trainer := recording.HostPages{Name: recording.Trainer, Step: 90}
	limited := trainer
	limited.Limits = []process.Limit{{By: "address space", Used: 3900 * mib, Limit: 4000 * mib}}
	data := trainer
	data.Limits = []process.Limit{{By: "data size", Used: 900 * mib, Limit: 1000 * mib}}
	worker := recording.HostPages{Name: "worker:0", Step: 90, Limits: []process.Limit{{By: "address space", Used: 3980 * mib, Limit: 4000 * mib}}}
	for name, c := range map[string]struct {
		group    *process.Group
		pages    []recording.HostPages
		memories []finding.Memory
		steps    []int64 // of each memory, -1 for none
		by       finding.Bound
	}{
		"its own is nearer":                {group, []recording.HostPages{trainer}, []finding.Memory{growing("host", mib, 50)}, []int64{50}, ""},
		"others use much":                  {group, []recording.HostPages{trainer}, []finding.Memory{growing("host", mib, 900)}, []int64{590}, finding.GroupV2}, // 600 less the 10 steps since
		"a worker grows beside":            {group, []recording.HostPages{trainer}, []finding.Memory{growing("host", mib, 900), growing("worker:0", 2*mib, 0)}, []int64{190, 190}, finding.GroupV2},
		"a device has nothing to do here":  {group, []recording.HostPages{trainer}, []finding.Memory{growing("host", mib, 900), growing("cuda:0", mib, 7)}, []int64{590, 7}, finding.GroupV2},
		"addresses":                        {group, []recording.HostPages{limited}, []finding.Memory{growing("host", mib, 900)}, []int64{90}, finding.AddressSpace},
		"addresses, of shared memory too":  {group, []recording.HostPages{limited}, []finding.Memory{growing("host", mib, 0), growing("shm", mib, 0)}, []int64{40, 40}, finding.AddressSpace},
		"data, and shared memory is none":  {group, []recording.HostPages{data}, []finding.Memory{growing("host", mib, 0), growing("shm", mib, 0)}, []int64{90, 290}, finding.DataSize},
		"each process has its own":         {nil, []recording.HostPages{trainer, worker}, []finding.Memory{growing("host", mib, 900), growing("worker:0", mib, 0)}, []int64{900, 10}, finding.AddressSpace},
		"reached already":                  {nil, []recording.HostPages{worker}, []finding.Memory{growing("worker:0", 8*mib, 0)}, []int64{0}, finding.AddressSpace},
		"nobody has looked":                {nil, nil, []finding.Memory{growing("host", mib, 900), growing("shm", mib, 0)}, []int64{900, -1}, ""},
		"what is bounded ends at no limit": {group, []recording.HostPages{trainer}, []finding.Memory{{Name: "host", Kind: "host", Verdict: finding.Bounded}}, []int64{-1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := New(recording.Hello{}, Options{})
			for step := int64(1); step <= 100; step++ { // half a second each
				p.pace.add(1, step*5e8)
			}
			p.lastStep = 100
			if c.pages != nil {
				p.Pages(recording.Host{Group: c.group, Processes: c.pages})
			}
			p.forecast(c.memories)
			first, seconds := int64(-1), 0.0
			for i, m := range c.memories {
				got := int64(-1)
				if m.StepsToOOM != nil {
					got, seconds = *m.StepsToOOM, *m.SecondsToOOM
					if want := float64(got) / 2; seconds != want {
						t.Errorf("%s ends in %d steps, %g seconds", m.Name, got, seconds)
					}
				}
				if got != c.steps[i] {
					t.Errorf("%s ends in %d steps, want %d", m.Name, got, c.steps[i])
				}
				if m.Kind != "device" && got >= 0 && (first < 0 || got < first) {
					first = got
				}
			}
			if c.pages == nil {
				return
			}
			h := p.host(c.memories)
			if got := h.StepsToOOM; (got == nil) != (first < 0) || got != nil && (*got != first || h.EndsBy != c.by || *h.SecondsToOOM != float64(first)/2) {
				t.Errorf("the host ends in %v steps by %q, want %d by %q", got, h.EndsBy, first, c.by)
			}
		})
	}
}

// Ranks of one machine take its memory together; one that was killed takes none any more, and what each may map is its own.
func TestForecastOfRanks(t *testing.T) {
	const mib = 1 << 20
	ranks := make([]*Process, 3)
	for i := range ranks {
		p := New(recording.Hello{}, Options{})
		for step := int64(1); step <= 100; step++ {
			p.pace.add(1, step*1e9*int64(i+1)) // steps of one, two and three seconds
		}
		p.Pages(recording.Host{Group: &process.Group{By: "cgroup v2", Limit: 1100 * mib, Working: 0}, Processes: []recording.HostPages{{Name: recording.Trainer}}})
		ranks[i] = p
	}
	forecast := func(p *Process) int64 {
		memories := []finding.Memory{growing("host", mib, 0)}
		p.forecast(memories)
		return *memories[0].StepsToOOM
	}
	if got := forecast(ranks[0]); got != 1100 {
		t.Errorf("alone it lasts %d steps", got)
	}
	for _, p := range ranks {
		forecast(p)
	}
	Together(ranks) // 1 + 1/2 + 1/3 MiB a second: 600 seconds
	for i, want := range []int64{600, 300, 200} {
		if got := forecast(ranks[i]); got != want {
			t.Errorf("rank %d lasts %d steps, want %d", i, got, want)
		}
	}
	for _, p := range ranks { // they were made one behind the other, and the last two at one time
		p.header.StartMono, p.asks.now = 1, 60e9
	}
	ranks[0].header.StartWall, ranks[0].hello.StartWall = 1, 1
	for _, p := range ranks[1:] {
		p.header.StartWall, p.hello.StartWall = 100e9, 100e9
	}
	Together(ranks)
	for i, want := range []int64{1100, 660, 440} {
		if got := forecast(ranks[i]); got != want {
			t.Errorf("rank %d of those at one time lasts %d steps, want %d", i, got, want)
		}
	}
	ranks[0].Ended(recording.End{Status: 137, Signal: 9})
	Together(ranks) // 1/2 + 1/3 MiB a second: 1320 seconds
	if got := forecast(ranks[1]); got != 660 {
		t.Errorf("behind one that was killed it lasts %d steps", got)
	}
}
