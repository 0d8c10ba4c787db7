package units

import (
	"math"
	"strconv"
	"strings"
)

var byteNames = [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// byteFactors holds the units ParseBytes knows, in lower case. Bare letters are powers of 1024, as in
// ulimit and Kubernetes; names ending in B alone are powers of 1000.
var byteFactors = map[string]float64{
	"": 1, "b": 1,
	"k": 1 << 10, "ki": 1 << 10, "kib": 1 << 10, "kb": 1e3,
	"m": 1 << 20, "mi": 1 << 20, "mib": 1 << 20, "mb": 1e6,
	"g": 1 << 30, "gi": 1 << 30, "gib": 1 << 30, "gb": 1e9,
	"t": 1 << 40, "ti": 1 << 40, "tib": 1 << 40, "tb": 1e12,
	"p": 1 << 50, "pi": 1 << 50, "pib": 1 << 50, "pb": 1e15,
	"e": 1 << 60, "ei": 1 << 60, "eib": 1 << 60, "eb": 1e18,
}

// Bytes prints n with the largest unit that leaves at least 1: "512 B", "2.0 MiB", "412 MiB".
func Bytes(n int64) string {
	sign := ""
	size := float64(n)
	if n < 0 {
		sign, size = "-", -size
	}
	if size < 1024 {
		return sign + strconv.FormatFloat(size, 'f', 0, 64) + " B"
	}
	unit := 0
	for unit+1 < len(byteNames) && size >= 1023.5 {
		size /= 1024
		unit++
	}
	return sign + digits(size) + " " + byteNames[unit]
}

// digits prints two significant digits below ten and whole numbers from there.
func digits(x float64) string {
	if x < 9.95 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// SignedBytes prints n as Bytes does, with its sign: "+2.0 MiB". Zero has none.
func SignedBytes(n int64) string {
	if n > 0 {
		return "+" + Bytes(n)
	}
	return Bytes(n)
}

// Rate prints n bytes per step with its sign: "+2.0 MiB/step".
func Rate(n int64) string { return SignedBytes(n) + "/step" }

// ParseBytes reads a size such as "2.0 MiB", "512", "80G" or "1.5 GB".
func ParseBytes(s string) (int64, error) {
	number, unit := splitNumber(s)
	factor, known := byteFactors[strings.ToLower(strings.TrimSpace(unit))]
	clean, ok := plain(number)
	if !known || !ok {
		return 0, &SyntaxError{s, "a size such as 512 MiB"}
	}
	if whole, err := strconv.ParseInt(clean, 10, 64); err == nil && factor == 1 {
		return whole, nil
	}
	x, err := strconv.ParseFloat(clean, 64)
	if err != nil {
		return 0, &SyntaxError{s, "a size such as 512 MiB"}
	}
	if x = math.Round(x * factor); math.Abs(x) >= 1<<63 {
		return 0, &SyntaxError{s, "a size below 8 EiB"}
	}
	return int64(x), nil
}

// ParseRate reads what Rate prints; the "/step" may be left out.
func ParseRate(s string) (int64, error) {
	return ParseBytes(strings.TrimSuffix(strings.TrimSpace(s), "/step"))
}
