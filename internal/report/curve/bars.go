package curve

import "strings"

// Bars draws values in at most length bars between low and high, each the last value of its share, so that two series
// drawn with the same bounds can be compared.
func Bars(values []int64, low, high int64, length int) string {
	const bars = "▁▂▃▄▅▆▇█"
	runes := []rune(bars)
	n := min(length, len(values))
	span := max(1, float64(high)-float64(low))
	var out strings.Builder
	for i := range n {
		v := values[(i+1)*len(values)/n-1]
		part := (float64(v) - float64(low)) / span
		out.WriteRune(runes[int(min(1, max(0, part))*float64(len(runes)-1))])
	}
	return out.String()
}
