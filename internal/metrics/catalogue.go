package metrics

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
)

// Labels that name what a series is about. A series has those of its subject, then its own.
var (
	rankLabels    = []string{"recording", "rank", "pid"}
	memoryLabels  = append(rankLabels[:len(rankLabels):len(rankLabels)], "memory")
	gpuLabels     = []string{"gpu", "uuid"}
	processLabels = append(gpuLabels[:len(gpuLabels):len(gpuLabels)], "pid", "command")
)

// family is one metric of things of type T: what it is called, and how it is read from one of them.
type family[T any] struct {
	name, help string
	kind       prometheus.ValueType
	read       func(*T) (v float64, ok bool)
	labels     []string // its own
	values     func(*T) []string
}

// always is the value of series whose labels say all.
func always[T any](*T) (float64, bool) { return 1, true }

func number[T ~int | ~int64 | ~uint64](v T) (float64, bool) { return float64(v), true }

func known(v *int64) (float64, bool) {
	if v == nil {
		return 0, false
	}
	return float64(*v), true
}

func truth(b bool) (float64, bool) {
	if b {
		return 1, true
	}
	return 0, true
}

func moment(t time.Time) (float64, bool) { return float64(t.UnixMilli()) / 1000, !t.IsZero() }

var rankFamilies = []family[Rank]{
	{name: "torchleak_rank_info", help: "A training process that is or was watched; always 1.", kind: prometheus.GaugeValue, read: always[Rank],
		labels: []string{"world_size", "script", "python", "torch"}, values: func(r *Rank) []string {
			t := r.Report.Target
			return []string{strconv.Itoa(t.WorldSize), t.Script(), t.Python, t.Torch}
		}},
	{name: "torchleak_rank_running", help: "Whether the process still runs; of one that attach has let go of, whether it ran then.", kind: prometheus.GaugeValue,
		read: func(r *Rank) (float64, bool) { return truth(r.Running) }},
	{name: "torchleak_rank_verdict", help: "The gravest verdict on the process's memories stands in the label; always 1.", kind: prometheus.GaugeValue, read: always[Rank],
		labels: []string{"verdict"}, values: func(r *Rank) []string { return []string{string(r.Report.Verdict)} }},
	{name: "torchleak_rank_steps_total", help: "Steps of the training that were seen.", kind: prometheus.CounterValue,
		read: func(r *Rank) (float64, bool) { return number(r.Report.Steps.Seen) }},
	{name: "torchleak_rank_last_step_timestamp_seconds", help: "When the newest step ended, in seconds since the epoch.", kind: prometheus.GaugeValue,
		read: func(r *Rank) (float64, bool) { return moment(r.LastStep) }},
	{name: "torchleak_rank_step_seconds", help: "How long a step took, over the newest ones.", kind: prometheus.GaugeValue,
		read: func(r *Rank) (float64, bool) { return r.StepTime.Seconds(), r.StepTime > 0 }},
	{name: "torchleak_rank_probe_seconds_total", help: "Time that the training has spent in the probe.", kind: prometheus.CounterValue,
		read: func(r *Rank) (float64, bool) { return r.Probe.Seconds(), true }},
}

var memoryFamilies = []family[Memory]{
	{name: "torchleak_memory_verdict", help: "The verdict on a memory stands in the label; always 1.", kind: prometheus.GaugeValue, read: always[Memory],
		labels: []string{"kind", "verdict"}, values: func(m *Memory) []string { return []string{m.Kind, string(m.Verdict)} }},
	{name: "torchleak_memory_growth_bytes_per_step", help: "How fast a memory grows or grew; absent where it does not grow.", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) { return known(m.BytesPerStep) }},
	{name: "torchleak_memory_oom_forecast_seconds", help: "Time until a memory reaches the nearest of its limits if it goes on growing; absent where that is not to be expected.", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) {
			if m.SecondsToOOM == nil {
				return 0, false
			}
			return *m.SecondsToOOM, true
		}},
	{name: "torchleak_memory_allocated_bytes", help: "Live bytes: of tensors on a device, of the C heap on the host.", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) { return known(m.LastBytes) }},
	{name: "torchleak_memory_reserved_bytes", help: "What the allocator holds from the driver, or the C heap from the system.", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) {
			v, ok := m.Reserved()
			return float64(v), ok
		}},
	{name: "torchleak_memory_peak_bytes", help: "The most live bytes that were seen.", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) { return known(m.PeakBytes) }},
	{name: "torchleak_memory_limit_bytes", help: "How large a memory may grow: the device, the memory fraction, or the control group.", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) { return known(m.LimitBytes) }},
	{name: "torchleak_memory_fragmentation_ratio", help: "Share of a device's reserved bytes that lie free in pieces of segments in use (inactive split).", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) {
			split, ok := m.value("device", memory.DeviceInactiveSplit)
			reserved, ok2 := m.value("device", memory.DeviceReserved)
			return split / reserved, ok && ok2 && reserved > 0
		}},
	{name: "torchleak_memory_driver_used_bytes", help: "Bytes of the whole device that are in use, by all processes.", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) { return m.value("device", memory.DeviceDriverUsed) }},
	{name: "torchleak_memory_allocation_retries_total", help: "Times that the allocator had to give its cache back to serve a request.", kind: prometheus.CounterValue,
		read: func(m *Memory) (float64, bool) { return m.value("device", memory.DeviceRetries) }},
	{name: "torchleak_memory_ooms_total", help: "Times that the allocator ran out of memory.", kind: prometheus.CounterValue,
		read: func(m *Memory) (float64, bool) { return m.value("device", memory.DeviceOOMs) }},
	{name: "torchleak_memory_resident_bytes", help: "Pages of the process that are in memory.", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) { return m.value("host", memory.HostRSS) }},
	{name: "torchleak_memory_anonymous_bytes", help: "Pages of the process that no file stands behind.", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) { return m.value("host", memory.HostAnon) }},
	{name: "torchleak_memory_shared_bytes", help: "Pages of shared memory that the process has mapped.", kind: prometheus.GaugeValue,
		read: func(m *Memory) (float64, bool) { return m.value("host", memory.HostShm) }},
}

var findingFamilies = []family[finding.Finding]{
	{name: "torchleak_finding_info", help: "A fault that was found, by rule and by the statement to change; always 1.", kind: prometheus.GaugeValue, read: always[finding.Finding],
		labels: []string{"memory", "rule", "name", "verdict", "confidence", "file", "line"}, values: func(f *finding.Finding) []string {
			file, line := "", ""
			if l := f.Location; l != nil {
				file, line = l.File, strconv.Itoa(l.Line)
			}
			return []string{f.Memory, f.Rule, f.Name, string(f.Verdict), string(f.Confidence), file, line}
		}},
}

var gpuFamilies = []family[GPU]{
	{name: "torchleak_gpu_info", help: "A GPU of this machine; always 1.", kind: prometheus.GaugeValue, read: always[GPU],
		labels: []string{"model"}, values: func(g *GPU) []string { return []string{g.Model} }},
	{name: "torchleak_gpu_memory_used_bytes", help: "Memory of a GPU that is in use, by all processes.", kind: prometheus.GaugeValue,
		read: func(g *GPU) (float64, bool) { return number(g.Used) }},
	{name: "torchleak_gpu_memory_total_bytes", help: "Memory that a GPU has.", kind: prometheus.GaugeValue,
		read: func(g *GPU) (float64, bool) { return number(g.Total) }},
}

var gpuProcessFamilies = []family[GPUProcess]{
	{name: "torchleak_gpu_process_memory_bytes", help: "Memory of a GPU that one process holds.", kind: prometheus.GaugeValue,
		read: func(p *GPUProcess) (float64, bool) { return number(p.Used) }},
}

var stateFamilies = []family[State]{
	{name: "torchleak_build_info", help: "The version of the agent; always 1.", kind: prometheus.GaugeValue, read: always[State],
		labels: []string{"version"}, values: func(s *State) []string { return []string{s.Version} }},
	{name: "torchleak_nvml_up", help: "Whether the driver's library tells of GPUs.", kind: prometheus.GaugeValue,
		read: func(s *State) (float64, bool) { return truth(s.NoNVML == "") }},
	{name: "torchleak_watch_running_recordings", help: "Recordings of trainings that run.", kind: prometheus.GaugeValue,
		read: func(s *State) (float64, bool) { return number(s.Agent.Running) }},
	{name: "torchleak_watch_ended_recordings", help: "Recordings that were met and are over.", kind: prometheus.GaugeValue,
		read: func(s *State) (float64, bool) { return number(s.Agent.Ended) }},
	{name: "torchleak_watch_unreadable_recordings", help: "Recordings that cannot be read, or belong to another user.", kind: prometheus.GaugeValue,
		read: func(s *State) (float64, bool) { return number(s.Agent.Unreadable) }},
	{name: "torchleak_watch_lost_records_total", help: "Records that a training wrote faster than they were read.", kind: prometheus.CounterValue,
		read: func(s *State) (float64, bool) { return number(s.Agent.Lost) }},
	{name: "torchleak_watch_errors_total", help: "Reads of recordings that failed.", kind: prometheus.CounterValue,
		read: func(s *State) (float64, bool) { return number(s.Agent.Errors) }},
	{name: "torchleak_watch_last_look_timestamp_seconds", help: "When the recordings were last read, in seconds since the epoch.", kind: prometheus.GaugeValue,
		read: func(s *State) (float64, bool) { return moment(s.Agent.Looked) }},
}
