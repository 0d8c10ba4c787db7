// Package curve chooses and thins the series the reports draw.
package curve

import (
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
)

// order lists the names of series, most telling first, by kind of memory. Others follow by name.
var order = map[string][]string{
	"reserved": {"reserved", "allocated"},
	"outside":  {"outside"},
	"pinned":   {"pinned"},
	"shm":      {"shm"},
}

// usual is the order for all other kinds.
var usual = []string{"allocated", "used", "reserved", "held", "rss"}

// Names lists the series of m that have figures, the one m is judged by first.
func Names(m finding.Memory) []string {
	rest := make([]string, 0, len(m.Series))
	for name, values := range m.Series {
		if len(values) > 0 {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	names := make([]string, 0, len(rest))
	first := order[m.Kind]
	if m.Copies {
		first = []string{"private"}
	}
	for _, name := range slices.Concat(first, usual, rest) {
		if slices.Contains(rest, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Judged returns the series m is judged by; nil when it has none.
func Judged(m finding.Memory) []int64 {
	if names := Names(m); len(names) > 0 {
		return m.Series[names[0]]
	}
	return nil
}

// Flat says whether values move by so little that drawing them full height would make noise look like
// growth: less than a thousandth.
func Flat(values []int64) bool {
	if len(values) == 0 {
		return true
	}
	low, high := slices.Min(values), slices.Max(values)
	span := float64(high) - float64(low)
	return span <= 0 || span < float64(high)/1000
}

// Still says whether m is to be drawn flat: its values hardly move, or by less than a twentieth, and it is said to be flat.
func Still(m finding.Memory, values []int64) bool {
	if Flat(values) {
		return true
	}
	low, high := slices.Min(values), slices.Max(values)
	return m.Verdict == finding.Healthy && m.BytesPerStep == nil && float64(high)-float64(low) < float64(high)/20
}

// Thin picks at most limit places of a series so that what is drawn keeps its first, last, lowest and
// highest figures: of each share the places of the lowest and the highest.
func Thin(values []int64, limit int) []int {
	n := len(values)
	if n <= limit || limit < 4 {
		places := make([]int, n)
		for i := range places {
			places[i] = i
		}
		return places
	}
	shares := (limit - 2) / 2
	places := []int{0}
	for s := range shares {
		low, high := s*n/shares, s*n/shares
		for i := s * n / shares; i < (s+1)*n/shares; i++ {
			if values[i] < values[low] {
				low = i
			}
			if values[i] > values[high] {
				high = i
			}
		}
		places = append(places, min(low, high), max(low, high))
	}
	return slices.Compact(append(places, n-1))
}
