package phrase

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
	"github.com/torchleak/torchleak/internal/rule/rules"
)

// diagnosed are the lines of a kind in what the cases of internal/diagnose expect: what real and made trainings are told.
func diagnosed(t *testing.T, kind string) []string {
	t.Helper()
	files, err := filepath.Glob("../../diagnose/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^ +` + kind + ` +(.*)$`)
	var all []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, want, _ := strings.Cut(string(text), "\n-- want --\n")
		for _, m := range line.FindAllStringSubmatch(want, -1) {
			all = append(all, m[1])
		}
	}
	if len(all) < 50 { // 90 and more: nothing found would prove nothing
		t.Fatalf("only %d lines of %s were found", len(all), kind)
	}
	return all
}

var (
	code   = regexp.MustCompile("`[^`]*`")
	words  = regexp.MustCompile(`\b[A-Za-z]+(?:'s)? [a-z]{2,}\b`)
	figure = regexp.MustCompile(`\d[\d.,]*\d|\d`)
)

// local is a name within a function, which is a name in all languages.
var local = regexp.MustCompile(`(?:[\w.]+\(\) )?local \w+`)

// foreign are English words in a Chinese text that are neither code nor names: two in a row, the second no name.
func foreign(text string) string {
	return words.FindString(code.ReplaceAllString(text, "，"))
}

// A finding's reason is as specific in Chinese as in English: with the same figures, and none of its sentences in English.
func TestWhySpeaksChinese(t *testing.T) {
	zh := In("zh")
	whys := diagnosed(t, "why")
	for _, r := range rules.All {
		if strings.HasPrefix(r.ID, "TL3") { // of the source alone: the reason is always the rule's
			continue
		}
		for _, c := range cases() {
			why, _ := r.Explain(c)
			whys = append(whys, why)
		}
	}
	for _, why := range whys {
		said, ok := zh.chineseWhy(why)
		if !ok || foreign(said) != "" || strings.ContainsAny(said, "{}") {
			t.Errorf("chinese_why.go does not know %q: %q (%s)", why, said, foreign(said))
			continue
		}
		for _, n := range figure.FindAllString(code.ReplaceAllString(why, ""), -1) {
			if !strings.Contains(said, n) {
				t.Errorf("%q lacks the figure %s of %q", said, n, why)
			}
		}
	}
}

// cases are faults of which much and of which nothing is known.
func cases() []*rule.Case {
	perStep, period := int64(2<<20), int64(10)
	full := func() *rule.Case {
		c := &rule.Case{Memory: finding.Memory{Name: "cuda:0", Kind: "device", BytesPerStep: &perStep, LimitBytes: &perStep},
			Holder: &evidence.Holder{Path: "__main__.kept", Type: "list", Kind: "container", Elements: "Tensor", Length: []int64{3, 110}},
			Group:  &evidence.Group{DType: "torch.float32", Shape: []int64{16, 32}, TensorBytes: 2048, StorageBytes: 1 << 20, GradFn: "AddBackward0"},
			Cycle:  &evidence.Cycle{Sample: []string{"Node", "Tensor"}, Count: 3, Bytes: 4096},
			Steps:  24, Tensors: 1, Nodes: 9, TensorBytes: 2048, GraphBytes: 512}
		c.Place.Location.Code = "kept.append(x)"
		return c
	}
	periodic := full()
	periodic.Memory.Period, periodic.Retained, periodic.GradInEval, periodic.Holder.Elements = &period, true, true, "tuple"
	entries := full()
	entries.Tensors, entries.Nodes, entries.TensorBytes, entries.GraphBytes, entries.Elements, entries.Group, entries.Holder.Kind = 0, 0, 0, 0, 1.5, nil, "cache"
	waiting := full()
	waiting.Tensors, waiting.Nodes, waiting.TensorBytes, waiting.GraphBytes, waiting.Holder, waiting.Steps = 0, 0, 0, 0, nil, 0
	worker := full()
	worker.Memory.Name, worker.Memory.Kind, worker.Steps = "worker:0", "worker", 0
	return []*rule.Case{{Memory: finding.Memory{Name: "host", Kind: "host"}}, full(), periodic, entries, waiting, worker}
}

// So is its advice, and what holds the memory where no name says it.
func TestAdviceSpeaksChinese(t *testing.T) {
	zh := In("zh")
	for _, fix := range diagnosed(t, "fix") {
		fix = regexp.MustCompile(` \(safe: (?:true|false)\)$`).ReplaceAllString(fix, "")
		if said := zh.Text(fix); foreign(said) != "" {
			t.Errorf("%q is %q (%s)", fix, said, foreign(said))
		}
	}
	for _, path := range diagnosed(t, "holder") {
		path, _, _ = strings.Cut(path, " (")
		if said := zh.Holder(finding.Holder{Path: path}); foreign(local.ReplaceAllString(said, "")) != "" {
			t.Errorf("%q is %q", path, said)
		}
	}
}
