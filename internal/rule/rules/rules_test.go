package rules_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
	"github.com/torchleak/torchleak/internal/rule/rules"
)

func TestPages(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules.All {
		t.Run(r.Name, func(t *testing.T) {
			if seen[r.ID] || seen[r.Name] {
				t.Errorf("%s %s is used twice", r.ID, r.Name)
			}
			seen[r.ID], seen[r.Name] = true, true
			if want := "# " + r.ID + " " + r.Name + "\n"; !strings.HasPrefix(r.Doc, want) {
				t.Errorf("the page does not begin with %q", want)
			}
			if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(r.Name) || r.Title == "" || r.Why == nil || r.Fix == nil {
				t.Errorf("incomplete: %+v", r.Title)
			}
			var headings []string
			for _, line := range strings.Split(r.Doc, "\n") {
				if h, ok := strings.CutPrefix(line, "## "); ok {
					headings = append(headings, h)
				}
			}
			if got, want := strings.Join(headings, "|"), strings.Join(rule.Headings, "|"); got != want {
				t.Errorf("headings are %s, want %s", got, want)
			}
			for _, h := range rule.Headings {
				if r.Section(h) == "" {
					t.Errorf("section %q is empty", h)
				}
			}
			if !strings.Contains(r.Section("References"), "](https://") {
				t.Error("no reference")
			}
		})
	}
}

var marker = regexp.MustCompile(`# finding: (\S+)`)

// A rule about code shows it: the example is marked with the rule's name, and what is fine has a block without a mark.
func TestExamples(t *testing.T) {
	for _, r := range rules.All {
		if r.ID >= "TL130" {
			continue // seen in a run only
		}
		example := r.Section("Example")
		if marks := marker.FindAllStringSubmatch(example, -1); len(marks) == 0 {
			t.Errorf("%s: no statement of the example is marked", r.Name)
		} else {
			own := 0
			for _, m := range marks {
				if _, ok := rules.Find(m[1]); !ok {
					t.Errorf("%s: the example is marked %s", r.Name, m[1])
				}
				if m[1] == r.Name {
					own++
				}
			}
			if own == 0 {
				t.Errorf("%s: no statement of the example is marked with its own name", r.Name)
			}
		}
		for _, h := range []string{"Use instead", "When it is fine"} {
			if s := r.Section(h); !strings.Contains(s, "```py\n") || marker.MatchString(s) {
				t.Errorf("%s: section %q needs a block without a mark", r.Name, h)
			}
		}
	}
}

func TestFind(t *testing.T) {
	for _, name := range []string{"TL101", "tl101", "kept-activation", " Kept-Activation "} {
		if r, ok := rules.Find(name); !ok || r.ID != "TL101" {
			t.Errorf("Find(%q) = %q, %v", name, r.ID, ok)
		}
	}
	if _, ok := rules.Find("TL999"); ok {
		t.Error("Find(TL999) found something")
	}
}

// Every rule explains a case of which nothing is known, and one of which everything is, in whole sentences.
func TestExplain(t *testing.T) {
	length, rate := []int64{10, 22, 34}, int64(2<<20)
	for _, r := range rules.All {
		for _, c := range []*rule.Case{
			{Memory: finding.Memory{Name: "cuda:0"}},
			{
				Memory: finding.Memory{Name: "cuda:0", BytesPerStep: &rate, Period: ptr(10)},
				Holder: &evidence.Holder{Kind: "container", Path: "__main__.kept", Type: "list", Length: length, Elements: "Tensor"},
				Group:  &evidence.Group{Shape: []int64{16, 32}, DType: "float32", GradFn: "AddBackward0", StorageBytes: 4096, TensorBytes: 64, Shared: true},
				Cycle:  &evidence.Cycle{Type: "Fn", Sample: []string{"Fn.ctx", "y"}},
				Steps:  24, Tensors: 1, Elements: 1, Nodes: 12.5, TensorBytes: 2 << 20, GraphBytes: 100,
			},
		} {
			why, fix := r.Explain(c)
			if !strings.HasSuffix(why, ".") || strings.Contains(why, "%!") || strings.Contains(why, "  ") || len(why) < 60 {
				t.Errorf("%s: why is %q", r.Name, why)
			}
			if fix == nil || !strings.HasSuffix(fix.Summary, ".") || fix.Diff != "" {
				t.Errorf("%s: fix is %+v", r.Name, fix)
			}
			if c.Holder != nil {
				t.Log(r.ID, why)
			}
		}
	}
}

func ptr(n int64) *int64 { return &n }
