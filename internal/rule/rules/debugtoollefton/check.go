package debugtoollefton

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// tool is one kind of debugging aid: what starts it, and when it is left on.
type tool struct {
	names    []string
	left     func(p *rule.Pass, fn *pyflow.Function, c *pyflow.Call) bool
	severity rule.Severity
	why      string
	advice   string
}

var tools = []tool{
	{
		names: []string{"torch.profiler.profile", "torch.autograd.profiler.profile", "torch.profiler.profiler.profile"},
		left:  profilesAll, severity: rule.Light,
		why:    "The profiler runs around the whole loop without a schedule: it keeps every event of every step in the host's memory until it stops.",
		advice: "Give it a `schedule=torch.profiler.schedule(wait=…, warmup=…, active=…, repeat=1)` and call `profiler.step()` in each step.",
	},
	{
		names: []string{"torch.cuda.memory._record_memory_history", "torch.cuda._record_memory_history"},
		left:  recordsOn, severity: rule.Light,
		why:    "The allocation history is switched on without a bound and never off: an entry with its stack is kept in the host's memory for every allocation.",
		advice: "Give it `max_entries=100000`, and switch it off with `_record_memory_history(enabled=None)` once the snapshot is taken.",
	},
	{
		names: []string{"torch.autograd.set_detect_anomaly", "torch.autograd.detect_anomaly", "torch.autograd.anomaly_mode.set_detect_anomaly",
			"torch.autograd.anomaly_mode.detect_anomaly"},
		left: anomalyOn, severity: rule.Remark,
		why:    "Anomaly mode stores a stack trace with every graph node and slows each step down; a graph that is kept weighs more by it.",
		advice: "Switch anomaly mode on only while a NaN is hunted.",
	},
	{
		names: []string{"matplotlib.pyplot.figure", "matplotlib.pyplot.subplots", "matplotlib.pyplot.subplot_mosaic"},
		left:  figureOpen, severity: rule.Light,
		why:    "A figure is opened again and again and never closed: `pyplot` keeps each in a registry, however the variable ends.",
		advice: "Call `plt.close(figure)` once it is saved or logged.",
	},
}

func check(p *rule.Pass) {
	for _, fn := range p.Flow.Functions {
		for _, c := range fn.Calls {
			for _, t := range tools {
				if named(c.Name, t.names) && t.left(p, fn, c) {
					p.Report(rule.Mark{At: c.Node, Severity: t.severity, Why: t.why, Fix: &rule.Edit{Summary: t.advice, Edits: sooner(p.File, c)}})
				}
			}
		}
	}
}

func named(name string, names []string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// optional reports whether a flag decides whether the call is made, which is then off as a rule.
func optional(p *rule.Pass, c *pyflow.Call) bool {
	return len(rule.Conditions(p.File, c.Node, pysyntax.None)) > 0
}

// recordsOn: no bound is given, and no call in the file switches it off.
func recordsOn(p *rule.Pass, _ *pyflow.Function, c *pyflow.Call) bool {
	if _, bounded := rule.Keyword(c, "max_entries"); bounded || off(p.File, c) {
		return false
	}
	found := false
	rule.EachCall(p, func(other *pyflow.Call) {
		found = found || strings.HasSuffix(other.Name, "_record_memory_history") && off(p.File, other)
	})
	return !found && !optional(p, c)
}

// off reports whether a switch is switched off: by None or False, first or as enabled.
func off(f *pysyntax.File, c *pyflow.Call) bool {
	argument, ok := rule.Keyword(c, "enabled")
	if !ok {
		argument, ok = rule.Keyword(c, "mode")
	}
	if !ok {
		argument, ok = rule.Positional(c, 0)
	}
	return ok && f.Is(argument.Node, pysyntax.NoneValue, pysyntax.FalseValue)
}

// anomalyOn: the file trains, and nothing switches it off again.
func anomalyOn(p *rule.Pass, _ *pyflow.Function, c *pyflow.Call) bool {
	if optional(p, c) || off(p.File, c) {
		return false
	}
	set := strings.HasSuffix(c.Name, "set_detect_anomaly")
	if argument, ok := rule.Positional(c, 0); set && (!ok || p.File.Kind(argument.Node) != pysyntax.TrueValue) {
		return false // a flag decides
	}
	if with := p.File.Enclosing(c.Node, pysyntax.WithStatement); with != pysyntax.None && p.File.Within(c.Node, head(p.File, with)) {
		return loopsWithin(p.File, with)
	}
	found := false
	rule.EachCall(p, func(other *pyflow.Call) { found = found || other.Name == c.Name && off(p.File, other) })
	return set && !found && trains(p)
}

func trains(p *rule.Pass) bool {
	for _, fn := range p.Flow.Functions {
		for _, l := range fn.Loops {
			if l.Trains {
				return true
			}
		}
	}
	return false
}
