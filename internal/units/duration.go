package units

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Lengths of the units in seconds. A year is 365 days: it only tells "soon" from "not in this life".
const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	year   = 365 * day
)

var durationFactors = map[string]float64{
	"ns": 1e-9, "µs": 1e-6, "μs": 1e-6, "us": 1e-6, "ms": 1e-3, "s": 1,
	"m": minute, "min": minute, "h": hour, "d": day, "y": year,
}

// Duration prints d with at most two units: "340 ms", "2.5 s", "41 min", "3 h 20 min".
func Duration(d time.Duration) string { return Seconds(d.Seconds()) }

// Seconds prints s seconds as Duration does; it takes the centuries a time.Duration cannot hold.
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

// ParseDuration reads what Duration prints and what Go prints: "41 min", "3 h 20 min", "1h30m".
// A bare number is seconds.
func ParseDuration(s string) (time.Duration, error) {
	bad := &SyntaxError{s, "a duration such as 3 h 20 min"}
	rest := strings.TrimSpace(s)
	negative := strings.HasPrefix(rest, "-")
	rest = strings.TrimPrefix(rest, "-")
	if rest == "" {
		return 0, bad
	}
	total := 0.0
	for rest != "" {
		var number string
		number, rest = splitNumber(rest)
		clean, ok := plain(number)
		x, err := strconv.ParseFloat(clean, 64)
		if !ok || err != nil || strings.ContainsAny(clean, "+-") {
			return 0, bad
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
		if end < 0 {
			end = len(rest)
		}
		factor, known := durationFactors[rest[:end]]
		if rest[:end] == "" && rest == "" && total == 0 {
			factor, known = 1, true
		}
		if !known {
			return 0, bad
		}
		total += x * factor
		rest = strings.TrimSpace(rest[end:])
	}
	nanos := math.Round(total * 1e9)
	if nanos >= 1<<63 {
		return 0, &SyntaxError{s, "a duration below 292 years"}
	}
	if negative {
		nanos = -nanos
	}
	return time.Duration(nanos), nil
}
