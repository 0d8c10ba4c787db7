package rule

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
)

// What a run shows to grow is bounded as far as it is read, and left alone where an old entry may be asked for.
func TestBounded(t *testing.T) {
	for name, c := range map[string]struct {
		typ, source string
		line        int
		want        string // the lines added or taken out; empty: no patch
	}{
		"a cache":               {"dict", "class C:\n    def at(self, k):\n        if k not in self.kept:\n            self.kept[k] = make(k)\n        return self.kept[k]\n", 4, "+            if len(self.kept) > 8:+                del self.kept[next(iter(self.kept))]"},
		"entries by name":       {"OrderedDict", "class C:\n    def put(self, k, v):\n        self.kept[k] = v\n\n    def get(self, k):\n        return self.kept[k]\n", 3, ""},
		"the newest few":        {"list", "def main():\n    kept = []\n    while True:\n        kept.append(f())\n        print(kept[-20:])\n", 4, "+        del kept[:-20]"},
		"all, in a program":     {"list", "def main():\n    kept = []\n    for x in data:\n        kept.extend(f(x).tolist())\n    print(sum(kept))\n", 4, "+        del kept[:-8]"},
		"gathered, returned":    {"list", "def run():\n    kept = []\n    for x in data:\n        kept.extend(f(x).tolist())\n    return join(kept)\n", 4, ""},
		"nobody reads it":       {"list", "def main():\n    kept = []\n    for x in data:\n        kept.append(x)\n", 4, "-        kept.append(x)+        pass"},
		"the best":              {"list", "class C:\n    def put(self, v):\n        self.kept.append(v)\n\n    def best(self):\n        return min(self.kept, key=lambda t: t[0])\n", 3, "+        self.kept[:] = [min(self.kept, key=lambda t: t[0])]"},
		"an argument of others": {"list", "def put(kept, v):\n    kept.append(v)\n", 2, ""},
	} {
		l := locate.New(func(string) ([]byte, error) { return []byte(c.source), nil }, "/train")
		place, ok := l.At([]finding.Frame{{File: "/train/t.py", Line: c.line, Function: "f"}})
		if !ok || !place.Readable() {
			t.Fatalf("%s: the statement was not found", name)
		}
		one := &Case{Place: place, Holder: &evidence.Holder{Path: "kept", Type: c.typ}}
		fix, got := Bounded(one, "words", FewEntries), ""
		if fix.Summary != "words" || fix.Diff != "" {
			t.Errorf("%s: %+v", name, *fix)
		}
		if fix.Else != nil {
			for _, line := range strings.Split(fix.Else.Diff, "\n")[2:] {
				if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
					got += line
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
