package units

import (
	"math"
	"testing"
)

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want string
	}{
		{0, "0 B"}, {1, "1 B"}, {512, "512 B"}, {1023, "1023 B"}, {1024, "1.0 KiB"},
		{10_400, "10 KiB"},                  // 10.16
		{10_188, "9.9 KiB"},                 // 9.949: still below ten with one digit
		{10_189, "10 KiB"},                  // 9.9502 would print as 10.0
		{2 << 20, "2.0 MiB"},                // the sample of the manual
		{1<<20 - 1, "1.0 MiB"},              // 1023.999 KiB must not print as 1024 KiB
		{1<<20 - 600, "1023 KiB"},           // 1023.41
		{431_996_928, "412 MiB"},            // 411.98
		{150_754_820_096, "140 GiB"},        // 140.4
		{-2 << 20, "-2.0 MiB"},              //
		{math.MaxInt64, "8.0 EiB"},          // 2^63-1
		{math.MinInt64, "-8.0 EiB"},         // has no positive counterpart
		{1023 << 50, "1023 PiB"},            //
		{1<<60 - 1<<40, "1.0 EiB"},          // 1023.999 PiB
		{3 << 40, "3.0 TiB"},                //
		{int64(2.5 * (1 << 30)), "2.5 GiB"}, //
	} {
		if got := Bytes(c.n); got != c.want {
			t.Errorf("Bytes(%d) = %q, want %q", c.n, got, c.want)
		}
	}
	for n, want := range map[int64]string{2 << 20: "+2.0 MiB/step", -512: "-512 B/step", 0: "0 B/step"} {
		if got := Rate(n); got != want {
			t.Errorf("Rate(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", 71_720: "71,720", -1: "-1", -999: "-999", -1000: "-1,000", 1_000_000: "1,000,000",
		math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for _, c := range []struct {
		s    float64
		want string
	}{
		{0, "0 s"}, {7e-7, "700 ns"}, {12e-6, "12 µs"}, {1.5e-6, "1.5 µs"}, {0.0029, "2.9 ms"}, {0.34, "340 ms"},
		{0.9996, "1.0 s"}, {2.5, "2.5 s"}, {41, "41 s"}, {59.6, "1 min"}, {2510.2, "42 min"}, {2460, "41 min"},
		{3570, "1 h"}, // 59.5 min
		{12000, "3 h 20 min"},
		{86399, "1 d"},                                                                         // rounds up to a whole day
		{100 * 3600, "4 d 4 h"}, {20 * 86400, "20 d"}, {800 * 86400, "2 y"}, {5e10, "1,585 y"}, // 5e10 / (365 × 86,400) = 1585.49
		{1e30, "1,000,000 y"}, {-2.5, "-2.5 s"}, {math.NaN(), "?"}, {math.Inf(1), "?"},
	} {
		if got := Seconds(c.s); got != c.want {
			t.Errorf("Seconds(%g) = %q, want %q", c.s, got, c.want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 files", 1: "1 file", 2000: "2,000 files"} {
		if got := Plural(n, "file"); got != want {
			t.Errorf("Plural(%d) is %q, want %q", n, got, want)
		}
	}
}
