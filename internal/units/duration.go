package units

import (
	"math"
	"strconv"
)

// Lengths of the units in seconds. A year is 365 days: it only tells "soon" from "not in this life".
const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	year   = 365 * day
)

// Seconds prints s seconds with at most two units: "340 ms", "2.5 s", "41 min", "3 h 20 min". They may be the centuries
// that a time.Duration cannot hold.
func Seconds(s float64) string {
	switch {
	case math.IsNaN(s) || math.IsInf(s, 0):
		return "?"
	case s < 0:
		return "-" + Seconds(-s)
	case s == 0:
		return "0 s"
	case s < 999.5e-9:
		return digits(s*1e9) + " ns"
	case s < 999.5e-6:
		return digits(s*1e6) + " µs"
	case s < 999.5e-3:
		return digits(s*1e3) + " ms"
	case s < 59.5:
		return digits(s) + " s"
	case s < 59.5*minute:
		return strconv.FormatFloat(math.Round(s/minute), 'f', 0, 64) + " min"
	case s < day-minute/2:
		return pair(s, hour, minute, "h", "min")
	case s < 10*day-hour/2:
		return pair(s, day, hour, "d", "h")
	case s < 2*year:
		return Count(int64(math.Round(s/day))) + " d"
	case s < 1e6*year:
		return Count(int64(math.Round(s/year))) + " y"
	}
	return "1,000,000 y"
}

// pair prints s in whole small units, the large ones first.
func pair(s, large, small float64, largeName, smallName string) string {
	n := int64(math.Round(s / small))
	per := int64(large / small)
	text := strconv.FormatInt(n/per, 10) + " " + largeName
	if n%per > 0 {
		text += " " + strconv.FormatInt(n%per, 10) + " " + smallName
	}
	return text
}
