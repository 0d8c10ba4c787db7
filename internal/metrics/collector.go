package metrics

import (
	"io"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"github.com/torchleak/torchleak/internal/finding"
)

// Described is a family as documents name it.
type Described struct {
	Name, Type, Help string
	Labels           []string
}

// Catalogue lists all families, those of one subject together.
func Catalogue() []Described {
	var all []Described
	all = describe(all, rankFamilies, rankLabels)
	all = describe(all, memoryFamilies, memoryLabels)
	all = describe(all, findingFamilies, rankLabels)
	all = describe(all, gpuFamilies, gpuLabels)
	all = describe(all, gpuProcessFamilies, processLabels)
	return describe(all, stateFamilies, nil)
}

func describe[T any](all []Described, families []family[T], subject []string) []Described {
	for _, f := range families {
		kind := "gauge"
		if f.kind == prometheus.CounterValue {
			kind = "counter"
		}
		all = append(all, Described{f.name, kind, f.help, f.allLabels(subject)})
	}
	return all
}

func (f *family[T]) allLabels(subject []string) []string {
	return append(subject[:len(subject):len(subject)], f.labels...)
}

// Collector shows a state that is asked for at every scrape.
type Collector struct {
	state        func() State
	ranks        emitter[Rank]
	memories     emitter[Memory]
	findings     emitter[finding.Finding]
	gpus         emitter[GPU]
	gpuProcesses emitter[GPUProcess]
	agent        emitter[State]
}

// NewCollector returns a collector of what state returns, which is called from any goroutine.
func NewCollector(state func() State) *Collector {
	return &Collector{
		state: state,
		ranks: newEmitter(rankFamilies, rankLabels), memories: newEmitter(memoryFamilies, memoryLabels), findings: newEmitter(findingFamilies, rankLabels),
		gpus: newEmitter(gpuFamilies, gpuLabels), gpuProcesses: newEmitter(gpuProcessFamilies, processLabels), agent: newEmitter(stateFamilies, nil),
	}
}

// Describe sends no description: the labels of a series are checked where it is made, and there are none at first.
func (c *Collector) Describe(chan<- *prometheus.Desc) {}

// Collect sends the series of the state now.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	s := c.state()
	c.agent.emit(out, &s)
	for i := range s.Ranks {
		r := &s.Ranks[i]
		who := []string{r.Recording, strconv.Itoa(r.Report.Target.Rank), strconv.Itoa(r.Report.Target.PID)}
		c.ranks.emit(out, r, who...)
		for j := range r.Memories {
			m := &r.Memories[j]
			c.memories.emit(out, m, append(who[:len(who):len(who)], m.Name)...)
		}
		for _, f := range distinct(r.Report.Findings) {
			c.findings.emit(out, f, who...)
		}
	}
	for i := range s.GPUs {
		g := &s.GPUs[i]
		which := []string{strconv.Itoa(g.Index), g.UUID}
		c.gpus.emit(out, g, which...)
		for j := range g.Processes {
			p := &g.Processes[j]
			c.gpuProcesses.emit(out, p, append(which[:len(which):len(which)], strconv.Itoa(p.PID), p.Command)...)
		}
	}
}

// maxFindings bounds the findings of a rank that are shown; they are sorted by what they cost.
const maxFindings = 8

// distinct returns the first findings, without those that have the labels of an earlier one.
func distinct(findings []finding.Finding) []*finding.Finding {
	var out []*finding.Finding
	seen := map[string]bool{}
	for i := range findings {
		key := strings.Join(findingFamilies[0].values(&findings[i]), "\x00")
		if !seen[key] && len(out) < maxFindings {
			seen[key] = true
			out = append(out, &findings[i])
		}
	}
	return out
}

// emitter makes the series of one kind of thing.
type emitter[T any] struct {
	families []family[T]
	descs    []*prometheus.Desc
}

func newEmitter[T any](families []family[T], subject []string) emitter[T] {
	e := emitter[T]{families: families}
	for _, f := range families {
		e.descs = append(e.descs, prometheus.NewDesc(f.name, f.help, f.allLabels(subject), nil))
	}
	return e
}

func (e *emitter[T]) emit(out chan<- prometheus.Metric, thing *T, subject ...string) {
	for i, f := range e.families {
		v, ok := f.read(thing)
		if !ok {
			continue
		}
		labels := subject
		if f.values != nil {
			labels = append(subject[:len(subject):len(subject)], f.values(thing)...)
		}
		for i := range labels {
			labels[i] = strings.ToValidUTF8(labels[i], "\uFFFD")
		}
		out <- prometheus.MustNewConstMetric(e.descs[i], f.kind, v, labels...)
	}
}

// Series is one series with its value now.
type Series struct {
	Name   string
	Labels [][2]string // name and value
	Value  float64
}

// Gather returns the series of a state.
func Gather(state func() State) ([]Series, error) {
	families, err := gather(state)
	var all []Series
	for _, f := range families {
		for _, m := range f.Metric {
			s := Series{Name: f.GetName(), Value: m.GetGauge().GetValue() + m.GetCounter().GetValue()} // it is one of the two
			for _, l := range m.Label {
				s.Labels = append(s.Labels, [2]string{l.GetName(), l.GetValue()})
			}
			all = append(all, s)
		}
	}
	return all, err
}

func gather(state func() State) ([]*dto.MetricFamily, error) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(NewCollector(state))
	return registry.Gather()
}

// WriteText writes the series of a state as Prometheus reads them.
func WriteText(w io.Writer, state func() State) error {
	families, err := gather(state)
	if err != nil {
		return err
	}
	encoder := expfmt.NewEncoder(w, expfmt.NewFormat(expfmt.TypeTextPlain))
	for _, f := range families {
		if err := encoder.Encode(f); err != nil {
			return err
		}
	}
	return nil
}
