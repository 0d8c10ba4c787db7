package simulate

import "testing"

func mustParse(t testing.TB, conf string) Settings {
	t.Helper()
	s, err := Parse(conf)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Below 512 B all is 512 B; multiples of 512 B stay. With d divisions a size between two powers of two goes up
// to the next of d steps, but only from 512 B times d on: 2300 with 4 lies between 2048 and 4096, where steps
// are 512, so 2560; 9 MiB lies between 8 and 16, where steps are 2 MiB, so 10 MiB.
func TestRound(t *testing.T) {
	for _, c := range []struct {
		conf          string
		request, want uint64
	}{
		{"", 1, 512}, {"", 511, 512}, {"", 512, 512}, {"", 513, 1024}, {"", 1200, 1536},
		{"", 1 << 20, 1 << 20}, {"", 1<<20 + 1, 1049088},
		{"roundup_power2_divisions:4", 1200, 1536}, {"roundup_power2_divisions:4", 2049, 2560},
		{"roundup_power2_divisions:4", 2300, 2560}, {"roundup_power2_divisions:4", 5000, 5120},
		{"roundup_power2_divisions:4", 9 * mib, 10 * mib}, {"roundup_power2_divisions:4", 100*mib + 1, 112 * mib},
		{"roundup_power2_divisions:4", 8 * mib, 8 * mib},
		{"roundup_power2_divisions:8", 4097, 4608}, {"roundup_power2_divisions:8", 5000, 5120},
		{"roundup_power2_divisions:8", 9 * mib, 9 * mib}, {"roundup_power2_divisions:8", 33 * mib, 36 * mib},
		{"roundup_power2_divisions:1", 5000, 5120},
		// Steps of a list: 4 up to 64 MiB, none for 64 to 128 MiB, where none is named, 8 from 256 MiB on.
		{"roundup_power2_divisions:[32:4,128:0,>:8]", 9 * mib, 10 * mib},
		{"roundup_power2_divisions:[32:4,128:0,>:8]", 100*mib + 1, 100*mib + 512},
		{"roundup_power2_divisions:[32:4,128:0,>:8]", 257 * mib, 288 * mib},
	} {
		s := mustParse(t, c.conf)
		if got := s.Round(c.request); got != c.want {
			t.Errorf("%q: %d is rounded to %d, want %d", c.conf, c.request, got, c.want)
		}
	}
}

func TestSegmentSize(t *testing.T) {
	for _, c := range []struct {
		conf       string
		size, want uint64
	}{
		{"", 512, 2 * mib}, {"", mib, 2 * mib}, {"", mib + 512, 20 * mib}, {"", 10*mib - 512, 20 * mib},
		{"", 10 * mib, 10 * mib}, {"", 10*mib + 512, 12 * mib}, {"", 21 * mib, 22 * mib},
		{"large_segment_size_mb:40", mib + 512, 40 * mib}, {"large_segment_size_mb:40", mib, 2 * mib},
	} {
		s := mustParse(t, c.conf)
		if got := s.SegmentSize(c.size); got != c.want {
			t.Errorf("%q: a block of %d comes from a segment of %d, want %d", c.conf, c.size, got, c.want)
		}
	}
}
