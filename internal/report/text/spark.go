package text

import (
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/curve"
)

func last(values []int64) (int64, bool) {
	if len(values) == 0 {
		return 0, false
	}
	return values[len(values)-1], true
}

// spark draws what m is judged by in at most length bars, each the last value of its share. The lowest bar is the
// lowest value; a flat series is drawn flat.
func spark(m finding.Memory, length int) string {
	const bars = "▁▂▃▄▅▆▇█"
	values := curve.Judged(m)
	if len(values) == 0 {
		return ""
	}
	n := min(length, len(values))
	picked := make([]int64, n)
	for i := range picked {
		picked[i] = values[(i+1)*len(values)/n-1]
	}
	runes := []rune(bars)
	low, flat := slices.Min(picked), curve.Still(m, picked)
	span := float64(slices.Max(picked)) - float64(low)
	var out strings.Builder
	for _, v := range picked {
		level := 0
		if !flat {
			level = int((float64(v) - float64(low)) / span * float64(len(runes)-1))
		}
		out.WriteRune(runes[level])
	}
	return out.String()
}
