package units

import (
	"errors"
	"math"
	"testing"
	"time"
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

func TestParseBytes(t *testing.T) {
	for s, want := range map[string]int64{
		"512": 512, "2.0 MiB": 2 << 20, "2MiB": 2 << 20, " 80G ": 80 << 30, "1.5 GB": 1_500_000_000, "64Ki": 64 << 10,
		"1,024 B": 1024, "+2.0 KiB": 2048, "-1 k": -1024, "9223372036854775807": math.MaxInt64,
	} {
		if got, err := ParseBytes(s); err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "MiB", "1 XB", "1.2.3", "1,02 B", ",1", "1 MiB x", "8 EiB", "9e99", "nan", "0x10", "--1"} {
		var syntax *SyntaxError
		if got, err := ParseBytes(s); !errors.As(err, &syntax) {
			t.Errorf("ParseBytes(%q) = %d, %v, want a SyntaxError", s, got, err)
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
		if got, err := ParseCount(want); err != nil || got != n {
			t.Errorf("ParseCount(%q) = %d, %v, want %d", want, got, err, n)
		}
	}
	for _, s := range []string{"", "1.5", "1,00", "1 000", "x", "1x", "99999999999999999999"} {
		if got, err := ParseCount(s); err == nil {
			t.Errorf("ParseCount(%q) = %d, want an error", s, got)
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

func TestParseDuration(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"41 min": 41 * time.Minute, "3 h 20 min": 200 * time.Minute, "1h30m": 90 * time.Minute, "2.5s": 2500 * time.Millisecond,
		"30": 30 * time.Second, "4 d 4 h": 100 * time.Hour, "12 µs": 12 * time.Microsecond, "-2 s": -2 * time.Second, "0 s": 0,
	} {
		if got, err := ParseDuration(s); err != nil || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-", "min", "3 x", "1 h 5", "1..2 s", "+3 s", "500 y", "1 h,2 min"} {
		if got, err := ParseDuration(s); err == nil {
			t.Errorf("ParseDuration(%q) = %v, want an error", s, got)
		}
	}
}

// What is printed reads back as a value that prints the same.
func TestRoundTrip(t *testing.T) {
	for shift := range 63 {
		for _, spread := range []int64{-3, -1, 0, 1, 5} {
			n := int64(1)<<shift + spread<<max(shift-5, 0)
			for _, n := range []int64{n, -n} {
				text := Bytes(n)
				back, err := ParseBytes(text)
				if err != nil || Bytes(back) != text {
					t.Errorf("%d prints as %q, which reads back as %d, %v", n, text, back, err)
				}
				if math.Abs(float64(back-n)) > 0.051*math.Abs(float64(n)) {
					t.Errorf("%d printed as %q reads back as %d: more than 5 %% off", n, text, back)
				}
				text = Duration(time.Duration(n))
				d, err := ParseDuration(text)
				if err != nil || Duration(d) != text {
					t.Errorf("%v prints as %q, which reads back as %v, %v", time.Duration(n), text, d, err)
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"2.0 MiB", "3 h 20 min", "71,720", "1e5", "µs", "-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := ParseBytes(s); err == nil && n < 1<<62 && n > -1<<62 {
			if _, err := ParseBytes(Bytes(n)); err != nil {
				t.Errorf("%q is %d, whose print %q does not read", s, n, Bytes(n))
			}
		}
		ParseDuration(s)
		ParseCount(s)
	})
}
