package ranks

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
)

// When a rank differs from the others: by so much of their median. Two ranks can differ in what is a matter of speed, but
// for what grows or is held it takes three to say which is the odd one.
const (
	slowBy   = 1.5
	behindBy = 0.9
	growthBy = 2
	onsetBy  = 10       // steps
	levelBy  = 0.25     // of the usual
	levelMin = 64 << 20 // bytes
	several  = 3
)

// odd says in what single ranks differ from the others.
func odd(reports []finding.Report) []finding.Odd {
	out := ends(reports)
	for _, same := range byKind(reports) {
		if !grave(same[0].Verdict) || len(same) < several {
			continue
		}
		out = append(out, compare(same, finding.OddGrowth, bytesPerStep, func(v, usual float64) bool {
			return v > growthBy*usual || usual > growthBy*v
		})...)
		out = append(out, compare(same, finding.OddOnset, since, func(v, usual float64) bool {
			return math.Abs(v-usual) > max(onsetBy, usual/2)
		})...)
	}
	out = append(out, compare(reports, finding.OddSlow, secondsPerStep, func(v, usual float64) bool { return v > slowBy*usual })...)
	out = append(out, compare(reports, finding.OddBehind, finalSteps, func(v, usual float64) bool { return v < behindBy*usual })...)
	if len(reports) >= several {
		for _, kind := range []string{"device", "host"} {
			for _, o := range compare(reports, finding.OddLevel, level(kind), differs) {
				o.Memory = kind
				out = append(out, o)
			}
		}
	}
	return append(out, strangers(reports)...)
}

func differs(v, usual float64) bool {
	return math.Abs(v-usual) > max(levelBy*usual, levelMin)
}

// compare returns the ranks whose figure is odd against the median of the others'.
func compare(reports []finding.Report, kind finding.OddKind, of func(finding.Report) (float64, bool), isOdd func(v, usual float64) bool) []finding.Odd {
	var values []float64
	for _, r := range reports {
		if v, ok := of(r); ok {
			values = append(values, v)
		}
	}
	if len(values) < 2 {
		return nil
	}
	slices.Sort(values)
	var out []finding.Odd
	for _, r := range reports {
		v, ok := of(r)
		if !ok {
			continue
		}
		if usual := medianWithout(values, v); isOdd(v, usual) {
			out = append(out, finding.Odd{Rank: r.Target.Rank, PID: r.Target.PID, Kind: kind, Value: &v, Usual: &usual})
		}
	}
	return out
}

// medianWithout is the median of sorted values but for one v of them.
func medianWithout(sorted []float64, v float64) float64 {
	at := sort.SearchFloat64s(sorted, v)
	without := func(i int) float64 {
		if i >= at {
			i++
		}
		return sorted[i]
	}
	n := len(sorted) - 1
	return (without((n-1)/2) + without(n/2)) / 2
}

func secondsPerStep(r finding.Report) (float64, bool) {
	if r.Steps.SecondsPerStep == nil {
		return 0, false
	}
	return *r.Steps.SecondsPerStep, true
}

// finalSteps is how many steps a rank made that is over and was not ended.
func finalSteps(r finding.Report) (float64, bool) {
	by, ended := r.Target.End, r.Target.End != nil || r.Target.Exit != nil
	return float64(r.Steps.Seen), ended && (by == nil || by.How == finding.Ended)
}

// level is what a rank holds of one kind of memory. One that grows is no level.
func level(kind string) func(r finding.Report) (float64, bool) {
	return func(r finding.Report) (float64, bool) {
		sum, any := 0.0, false
		for _, m := range r.Memories {
			if m.Kind != kind {
				continue
			}
			if grave(m.Verdict) || m.LastBytes == nil {
				return 0, false
			}
			sum, any = sum+float64(*m.LastBytes), true
		}
		return sum, any
	}
}

// endKinds are the ends worth telling.
var endKinds = map[string]finding.OddKind{finding.Killed: finding.OddKilled, finding.Failed: finding.OddFailed, finding.Vanished: finding.OddVanished}

// terminate is what launchers send to the ranks that are left, once one has failed.
const terminate = "SIGTERM"

// ends lists the ranks that were killed, failed or vanished, the first to go first.
func ends(reports []finding.Report) []finding.Odd {
	var gone []finding.Report
	for _, r := range reports {
		if r.Target.End != nil && endKinds[r.Target.End.How] != "" {
			gone = append(gone, r)
		}
	}
	first := int64(0)
	for _, r := range gone {
		if n := r.Target.End.Nanos; n != 0 && (first == 0 || n < first) {
			first = n
		}
	}
	slices.SortStableFunc(gone, func(a, b finding.Report) int {
		return cmp.Or(slices.Compare(turn(a.Target.End, first), turn(b.Target.End, first)), cmp.Compare(a.Target.End.Nanos, b.Target.End.Nanos))
	})
	out := []finding.Odd{}
	for _, r := range gone {
		step := float64(r.Steps.Seen)
		out = append(out, finding.Odd{Rank: r.Target.Rank, PID: r.Target.PID, Kind: endKinds[r.Target.End.How], Value: &step, Signal: r.Target.End.Signal})
	}
	return out
}

// atOnce is how far apart two ends are seen, in nanoseconds, that may have been in either order: those who look do so now and
// then, and clocks of machines differ.
const atOnce = 200e6

// turn is the place of an end among the others, the first of which was seen at a time. Of those that were seen at once a signal
// that no launcher sends is the cause, and an error that broke a connection is not.
func turn(e *finding.End, first int64) []int64 {
	switch {
	case e.Signal == terminate:
		return []int64{1}
	case e.Nanos == 0:
		return []int64{0, math.MaxInt64}
	case e.How == finding.Killed:
		return []int64{0, (e.Nanos - first) / atOnce, 0}
	}
	return []int64{0, (e.Nanos - first) / atOnce, 1}
}

// strangers lists the ranks that use a device which is another rank's on the same machine: that is whose only one it is.
// Where all have but one of the same name, each sees another one under it.
func strangers(reports []finding.Report) []finding.Odd {
	type device struct{ host, name string }
	owners, hosts := map[device]int{}, map[string]map[string]bool{}
	for _, r := range reports {
		own := devices(r)
		if hosts[r.Target.Host] == nil {
			hosts[r.Target.Host] = map[string]bool{}
		}
		hosts[r.Target.Host][strings.Join(own, " ")] = true
		if len(own) == 1 {
			owners[device{r.Target.Host, own[0]}]++
		}
	}
	var out []finding.Odd
	for _, r := range reports {
		own := devices(r)
		others := slices.DeleteFunc(slices.Clone(own), func(name string) bool {
			of := owners[device{r.Target.Host, name}]
			return len(own) == 1 && of < 2 || of < 1
		})
		if len(hosts[r.Target.Host]) > 1 && len(others) > 0 {
			out = append(out, finding.Odd{Rank: r.Target.Rank, PID: r.Target.PID, Kind: finding.OddDevices, Devices: others})
		}
	}
	return out
}

func devices(r finding.Report) []string {
	var names []string
	for _, m := range r.Memories {
		if m.Kind == "device" && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}
