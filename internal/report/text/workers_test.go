package text

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

// A job with many loader workers is not read line by line; the one that leaks is.
func TestManyWorkers(t *testing.T) {
	r := finding.Report{Verdict: finding.Leak, Steps: finding.Steps{Seen: 100}, Memories: []finding.Memory{{Name: "host", Kind: "host", Verdict: finding.Healthy}}}
	for _, name := range []string{"worker:0", "worker:1", "worker:2", "worker:3", "worker:4", "worker:5", "worker:6"} {
		m := finding.Memory{Name: name, Kind: "worker", Verdict: finding.Healthy}
		if name == "worker:5" {
			m.Verdict = finding.Leak
		}
		r.Memories = append(r.Memories, m)
	}
	for lang, more := range map[string]string{"en": "2 more loader workers are in the report", "zh": "报告中还有 2 个加载器工作进程"} {
		var out strings.Builder
		if err := Write(&out, r, Options{Lang: lang}); err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]bool{"host": true, "worker:0": true, "worker:3": true, "worker:4": false, "worker:5": true, "worker:6": false, more: true} {
			if strings.Contains(out.String(), text) != want {
				t.Errorf("%s: %q is there: %v\n%s", lang, text, !want, out.String())
			}
		}
	}
}

func TestCopies(t *testing.T) {
	first, last := int64(7<<20), int64(19<<20)
	r := finding.Report{Verdict: finding.Bounded, Steps: finding.Steps{Seen: 100}, Memories: []finding.Memory{{
		Name: "worker:0", Kind: "worker", Verdict: finding.Bounded, Copies: true, FirstBytes: &first, LastBytes: &last,
		Why: "takes nothing itself: each page that is read or written becomes its own; at most 147 MiB are left",
	}}}
	for lang, want := range map[string]string{"en": "7.0 MiB of its own at first, now 19 MiB", "zh": "读写到的每一页都变为自有；最多还剩 147 MiB"} {
		var out strings.Builder
		if err := Write(&out, r, Options{Lang: lang, Width: 200}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: no %q in\n%s", lang, want, out.String())
		}
	}
}
