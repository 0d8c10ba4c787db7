package plain

import "testing"

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"feats.append(x)":     "feats.append(x)",
		"a\tb\r\nc\u2028d":    "a b c d",
		"\x1b[31mred\x07\x00": `\x1b[31mred\x07\x00`,
		"\u202egnp.exe\u200b": `\u202egnp.exe\u200b`,
		"\u009b31m\x7f":       `\x9b31m\x7f`,
		"latin \xe9":          `latin \xe9`,
		"kept \uFFFD":         "kept \uFFFD",
		"\ufeffbom \ue000":    `\ufeffbom \ue000`,
		"Grüße 张量 🔥 e\u0301":  "Grüße 张量 🔥 e\u0301",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Line("\tpass\x1b"); got != "\tpass\\x1b" {
		t.Errorf("Line = %q", got)
	}
	for in, want := range map[string]string{"": "", "out of": "Out of", "éa": "Éa", "再过": "再过", "9 x": "9 x", "cuda:0: grows": "cuda:0: grows", "host:": "Host:", "gmod.py is gone": "gmod.py is gone", "gc.freeze() hides": "gc.freeze() hides"} {
		if got := Upper(in); got != want {
			t.Errorf("Upper(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "内存": 4, "e\u0301": 1, "▁▂": 2, "a，b": 4, "🔥": 2} {
		if got := Columns(text); got != want {
			t.Errorf("Columns(%q) = %d, want %d", text, got, want)
		}
	}
}
