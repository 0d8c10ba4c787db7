package text

import (
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
)

// mainSeries are the series a memory is judged by, most telling first.
var mainSeries = []string{"allocated", "used", "reserved", "rss"}

// curve is the series a memory is shown by; nil when it has none.
func curve(m finding.Memory) []int64 {
	for _, name := range mainSeries {
		if values := m.Series[name]; len(values) > 0 {
			return values
		}
	}
	if len(m.Series) == 1 {
		for _, values := range m.Series {
			return values
		}
	}
	return nil
}

func last(values []int64) (int64, bool) {
	if len(values) == 0 {
		return 0, false
	}
	return values[len(values)-1], true
}

// spark draws values in at most length bars, each the last value of its share. The lowest bar is the
// lowest value; a series that moves by less than a thousandth is drawn flat, so that noise does not
// look like growth.
func spark(values []int64, length int) string {
	const bars = "▁▂▃▄▅▆▇█"
	if len(values) == 0 {
		return ""
	}
	n := min(length, len(values))
	picked := make([]int64, n)
	for i := range picked {
		picked[i] = values[(i+1)*len(values)/n-1]
	}
	low, high := picked[0], picked[0]
	for _, v := range picked {
		low, high = min(low, v), max(high, v)
	}
	runes := []rune(bars)
	span := float64(high) - float64(low)
	flat := span <= 0 || span < float64(high)/1000
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
