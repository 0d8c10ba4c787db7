package lint

import (
	"testing"
)

func TestSuppress(t *testing.T) {
	set := `import os, torch
`
	const nothing = "m.py:2: this comment ignores nothing: " + spelling
	for _, c := range []struct{ name, text, want, note string }{
		{"none", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"`, "m.py:2 TL305", ""},
		{"all", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: ignore`, "", ""},
		{"number", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: ignore[TL305]`, "", ""},
		{"name, other comments", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # noqa # torchleak:ignore[TL305,  allocator-conf-against-leak] tuned`, "", ""},
		{"beginning", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: ignore[TL3]`, "", ""},
		{"another rule", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: ignore[TL101]`, "m.py:2 TL305", "m.py:2: TL101 is not found here to ignore"},
		{"first line", "os.environ.setdefault(  # torchleak: ignore\n    'PYTORCH_CUDA_ALLOC_CONF',\n    'max_split_size_mb:64')", "", ""},
		{"last line", "os.environ.setdefault(\n    'PYTORCH_CUDA_ALLOC_CONF',\n    'max_split_size_mb:64')  # torchleak: ignore", "", ""},
		{"in the middle", "os.environ.setdefault(\n    'PYTORCH_CUDA_ALLOC_CONF',  # torchleak: ignore\n    'max_split_size_mb:64')", "m.py:2 TL305", "m.py:3: nothing is found here to ignore"},
		{"the line above", "# torchleak: ignore\nos.environ[\"PYTORCH_CUDA_ALLOC_CONF\"] = \"max_split_size_mb:64\"", "m.py:3 TL305", "m.py:2: nothing is found here to ignore"},
		{"file", "x = 1\nos.environ[\"PYTORCH_CUDA_ALLOC_CONF\"] = \"max_split_size_mb:64\"\n# torchleak: ignore-file", "", ""},
		{"file, one rule", "# torchleak: ignore-file[TL101]\nos.environ[\"PYTORCH_CUDA_ALLOC_CONF\"] = \"max_split_size_mb:64\"", "m.py:3 TL305", "m.py:2: TL101 is not found here to ignore"},
		{"in a string", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64 # torchleak: ignore"`, "m.py:2 TL305", ""},
		{"another word", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: ignored`, "m.py:2 TL305", ""},
		{"no such directive", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: ignore-next-line`, "m.py:2 TL305", nothing},
		{"empty", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: ignore[]`, "m.py:2 TL305", nothing},
		{"capitals", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # Torchleak: Ignore`, "m.py:2 TL305", nothing},
		{"another tool's word", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: noqa`, "m.py:2 TL305", nothing},
		{"no end", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: ignore[TL305`, "m.py:2 TL305", nothing},
		{"no brackets", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: ignore TL305`, "", "m.py:2: this comment ignores every rule, not TL305 alone: write ignore[TL305]"},
		{"other brackets", `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # torchleak: ignore(TL305)`, "", "m.py:2: this comment ignores every rule, not TL305 alone: write ignore[TL305]"},
		{"no such rule", `x = 1  # torchleak: ignore[TL999]`, "", "m.py:2: there is no rule \"TL999\" to ignore"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tree(t, "-- m.py --\n"+set+c.text+"\n")
			found, r := lint(t, dir, Options{WarnUnused: true})
			if c.want == "" {
				want(t, found)
			} else {
				want(t, found, c.want)
			}
			if c.note == "" {
				want(t, r.Report.Notes)
			} else if len(r.Report.Notes) == 0 || r.Report.Notes[0] != c.note {
				t.Errorf("notes are %q, want %q", r.Report.Notes, c.note)
			}
		})
	}
}
