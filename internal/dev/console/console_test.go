package console

import (
	"reflect"
	"strings"
	"testing"
)

func TestCommands(t *testing.T) {
	const text = "Words.\n```console\n$ first\nsays\n\nmore\n$ second \\\n  goes on\n```\n\n" +
		"<!-- not run: needs a device -->\n```console\n$ third\n```\n```python\n$ no command\n```\n```console\n$ fourth\n```\n"
	want := []Command{
		{Line: 3, Text: "first", Output: []string{"says", "", "more"}},
		{Line: 7, Text: "second \\\n  goes on"},
		{Line: 13, Text: "third", Skip: "needs a device"},
		{Line: 19, Text: "fourth"},
	}
	if got := Commands(text); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestMismatch(t *testing.T) {
	for _, c := range []struct{ name, want, got, mismatch string }{
		{"same", "a\nb", "a\nb\n", ""},
		{"other text", "a\nb", "a\nc\n", "b"},
		{"too short", "a\nb", "a\n", "b"},
		{"too long", "a", "a\nb\n", "the end, and not: b"},
		{"gap", "a\n…\nz", "a\nb\nc\nz\n", ""},
		{"gap without its end", "a\n…\nz", "a\nb\n", "z"},
		{"gap at the end", "a\n…", "a\nb\n", ""},
		{"figures differ", "step 64  412 MiB  +2.0 MiB/step", "step 1,200  9 KiB   +120 B/step", ""},
		{"curves differ", "▁▂▃ up", "▇▇ up", ""},
		{"lines of files do not", "train.py:57  x", "train.py:58  x", "train.py:57  x"},
		{"rules do not", "TL101 x", "TL102 x", "TL101 x"},
		{"the rest of a line", "holder …", "holder a.b (list, 3)", ""},
		{"a line the program was stopped in", "…\ntorchleak: 200 steps", "step 1\nstep  2 lotorchleak: 200 steps", ""},
		{"text before another line", "…\nloss 1", "a loss 1", "loss 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Mismatch(strings.Split(c.want, "\n"), c.got); got != c.mismatch {
				t.Errorf("got %q, want %q", got, c.mismatch)
			}
		})
	}
}
