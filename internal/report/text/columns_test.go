package text

import (
	"github.com/torchleak/torchleak/internal/finding"
	"slices"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/report/plain"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		room int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"ab cd", 4, "ab…"}, {"内存泄漏", 6, "内存…"}, {"内存泄漏", 5, "内存…"}, {"", 1, ""}} {
		if got := cut(c.text, c.room); got != c.want || plain.Columns(got) > c.room {
			t.Errorf("cut(%q, %d) = %q, want %q", c.text, c.room, got, c.want)
		}
	}
	for _, c := range []struct {
		text string
		room int
		want string
	}{{"a/b.py:3", 8, "a/b.py:3"}, {"long/a/b.py:3", 9, "…a/b.py:3"}, {"abc", 1, "…"}} {
		if got := cutLeft(c.text, c.room); got != c.want || plain.Columns(got) > c.room {
			t.Errorf("cutLeft(%q, %d) = %q", c.text, c.room, got)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text        string
		room, first int
		want        []string
	}{
		{"", 20, 20, []string{""}},
		{"one two three four", 13, 13, []string{"one two three", "four"}},
		{"one two three four", 18, 12, []string{"one two", "three four"}},
		{"abcdefghijklmnop q", 12, 12, []string{"abcdefghijkl", "mnop q"}},
		{"内存一直在增长，请检查", 12, 12, []string{"内存一直在增", "长，请检查"}},
		{"内存一直在增，请检查", 12, 12, []string{"内存一直在", "增，请检查"}}, // no line begins with a comma
		{"内存一直在（增长）", 12, 12, []string{"内存一直在", "（增长）"}},   // … or ends with an opening bracket
	} {
		if got := wrap(c.text, c.room, c.first); !slices.Equal(got, c.want) {
			t.Errorf("wrap(%q, %d, %d) = %q, want %q", c.text, c.room, c.first, got, c.want)
		}
	}
}

func TestChanges(t *testing.T) {
	diff := "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@\n     def f():\n-        a\n-\n+        with g():\n+            a\r\n"
	if got, want := changes(diff), []string{"-a", "-", "+with g():", "+    a"}; !slices.Equal(got, want) {
		t.Errorf("changes = %q, want %q", got, want)
	}
	if got := changes("garbage"); got != nil {
		t.Errorf("changes of garbage = %q", got)
	}
}

func TestSpark(t *testing.T) {
	for _, c := range []struct {
		values []int64
		length int
		want   string
	}{
		{nil, 8, ""},
		{[]int64{5}, 8, "▁"},
		{[]int64{0, 1, 2, 3, 4, 5, 6, 7}, 8, "▁▂▃▄▅▆▇█"},
		{[]int64{0, 0, 1, 1, 2, 2, 3, 3}, 4, "▁▃▅█"},
		{[]int64{1_000_000, 1_000_500, 1_000_000}, 8, "▁▁▁"}, // less than a thousandth
		{[]int64{-5, 0, 5}, 8, "▁▄█"},
	} {
		if got := spark(finding.Memory{Series: map[string][]int64{"used": c.values}}, c.length); got != c.want {
			t.Errorf("spark(%v, %d) = %s, want %s", c.values, c.length, got, c.want)
		}
	}
}

// Wrapping loses nothing but spaces and keeps to the width.
func FuzzWrap(f *testing.F) {
	f.Add("one two three four", 20)
	f.Add("内存一直在增长，请检查 x", 14)
	f.Fuzz(func(t *testing.T, text string, room int) {
		if room < 12 || room > 200 {
			return
		}
		text = strings.ToValidUTF8(text, "?")
		lines := wrap(text, room, room)
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(strings.Join(lines, "")) != bare(text) {
			t.Errorf("wrap(%q, %d) = %q", text, room, lines)
		}
		for _, line := range lines {
			if plain.Columns(line) > room {
				t.Errorf("wrap(%q, %d) has a line of %d columns: %q", text, room, plain.Columns(line), line)
			}
		}
	})
}

// What is said to be flat is drawn flat where it moves by little; what grows is drawn as it grows.
func TestSparkOfFlat(t *testing.T) {
	perStep := int64(180)
	for want, m := range map[string]finding.Memory{
		"▁▁▁": {Verdict: finding.Healthy},
		"▁▄█": {Verdict: finding.Leak},
		"▁▃█": {Verdict: finding.Healthy, BytesPerStep: &perStep},
	} {
		m.Series = map[string][]int64{"used": {1000, 1010, 1020}}
		if m.Verdict == finding.Healthy && m.BytesPerStep != nil {
			m.Series["used"][1] = 1006
		}
		if got := spark(m, 3); got != want {
			t.Errorf("%s, %v per step: %s, want %s", m.Verdict, m.BytesPerStep, got, want)
		}
	}
}
