package phrase

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

var placeholder = regexp.MustCompile(`\{\w+\}`)

func names(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return found
}

// Every sentence is there in every language and fills in the same names.
func TestLanguagesAreComplete(t *testing.T) {
	for key, text := range english {
		other, known := chinese[key]
		if !known || other == "" || text == "" {
			t.Errorf("%s is missing in one language", key)
		}
		if !slices.Equal(names(text), names(other)) {
			t.Errorf("%s fills in %v in English and %v in Chinese", key, names(text), names(other))
		}
	}
	for key := range chinese {
		if _, known := english[key]; !known {
			t.Errorf("%s is Chinese only", key)
		}
	}
}

// Every key the code asks for exists, and every key that exists is asked for somewhere.
func TestKeysAreUsed(t *testing.T) {
	used := map[string]bool{}
	prefixes := []string{}
	for _, file := range sources(t) {
		for _, text := range literals(t, file) {
			used[text] = true
			if strings.HasSuffix(text, ".") {
				prefixes = append(prefixes, text)
			}
		}
	}
	for key := range english {
		composed := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(string(key), p) })
		if !used[string(key)] && !composed {
			t.Errorf("nothing says %s", key)
		}
	}
	groups := regexp.MustCompile(`^(label|verdict|growth|bounded|oom|clock|headline|nosteps|live|text|measured|confidence|phase|page|mark|trial|snap|hold|sim|profile|shortage|stopping|smoke|lint|nccl|doctor|init|ranks)\.[a-z_.]+$`)
	for text := range used {
		if _, known := english[Key(text)]; groups.MatchString(text) && !known && !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ".html") && !strings.HasSuffix(text, ".js") && !strings.HasSuffix(text, ".css") {
			t.Errorf("the code says %s, which no language knows", text)
		}
	}
}

// catalogues are the files in which sentences stand: they ask for none.
var catalogues = []string{"english.go", "chinese.go", "chinese_rules.go", "chinese_texts.go", "commands.go", "snapshot.go", "profile.go"}

// sources lists the Go files and templates that may say something.
func sources(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.go", "../[^p]*/*.go", "../p[^h]*/*.go", "../*/*.html", "../../cli/*.go", "../../sentinel/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			if !strings.HasSuffix(file, "_test.go") && !slices.Contains(catalogues, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

// literals returns the string literals of a Go file, or the quoted texts of a template.
func literals(t *testing.T, path string) []string {
	t.Helper()
	var out []string
	if strings.HasSuffix(path, ".html") {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"([a-z_.]+)"`).FindAllStringSubmatch(string(source), -1) {
			out = append(out, m[1])
		}
		return out
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

func TestSay(t *testing.T) {
	en := In("en")
	if got := en.Say("live.step", "step", "{step}"); got != "step {step}" {
		t.Errorf("a value was searched for names: %q", got)
	}
	if got := en.Say("no.such.key"); got != "no.such.key" {
		t.Errorf("an unknown key says %q", got)
	}
	for lang, want := range map[string]string{"": "en", "en": "en", "de": "en", "zh": "zh", "zh_CN.UTF-8": "zh", "ZH-tw": "zh", "zhx": "en"} {
		if got := In(lang).Lang; got != want {
			t.Errorf("In(%q) speaks %s, want %s", lang, got, want)
		}
	}
	if got := en.Sentences("a", "", "b.", "c?"); got != "a. b. c?" {
		t.Errorf("Sentences = %q", got)
	}
	if got := In("zh").Sentences("甲", "乙。", "丁？", "an English one", "丙"); got != "甲。乙。丁？an English one. 丙。" {
		t.Errorf("Sentences = %q", got)
	}
}

// Chinese words close up, and what is filled in stays as it is: paths may hold Chinese words that stand apart.
func TestFillChinese(t *testing.T) {
	for _, c := range []struct{ text, a, b, want string }{
		{"在 {a} 中", "x.py", "", "在 x.py 中"},
		{"在 {a} 中", "循环", "", "在循环中"},
		{"在 {a} 中", "/家/我的 模型/训 练.py", "", "在 /家/我的 模型/训 练.py 中"},
		{"在 {a} {b} 中", "循环", "语句", "在循环语句中"},
		{"在 {a} {b} 中", "循环", "x", "在循环 x 中"},
		{"在 {a} {b} 中", "x", "循环", "在 x 循环中"},
		{"在 {a}中", "", "", "在中"},
		{"{a} {b}", "{b} 中 的", "我 的", "{b} 中 的我 的"},
		{"{c} 在", "", "", "{c} 在"},
	} {
		if got := fillChinese(c.text, []string{"{a}", c.a, "{b}", c.b}); got != c.want {
			t.Errorf("%q with %q and %q says %q, want %q", c.text, c.a, c.b, got, c.want)
		}
	}
	path := "/家/我的 模型/训练.py"
	if got := In("zh").Say("watch.changed", "script", path); !strings.Contains(got, path) {
		t.Errorf("%q is not in %q", path, got)
	}
}

// Of memories that grow the one that is full first is spoken of first, whatever grows it: a new process group in every step takes 485 MiB of a
// device and 35 MiB of the host.
func TestWorst(t *testing.T) {
	memory := func(name string, verdict finding.Verdict, grows, ends int64) finding.Memory {
		m := finding.Memory{Name: name, Verdict: verdict}
		if grows > 0 {
			m.BytesPerStep = &grows
		}
		if ends > 0 {
			m.StepsToOOM = &ends
		}
		return m
	}
	for want, memories := range map[string][]finding.Memory{
		"full first":   {memory("host", finding.Leak, 35<<20, 7263), memory("full first", finding.Outside, 485<<20, 231), memory("shm", finding.Undecided, 1<<30, 0)},
		"gravest":      {memory("cuda:0", finding.Bounded, 1<<30, 0), memory("gravest", finding.Leak, 1, 0), memory("pinned", finding.Fragmentation, 1<<30, 0)},
		"has an end":   {memory("has an end", finding.Outside, 9, 5), memory("host", finding.Leak, 1, 0)},
		"of three":     {memory("shm", finding.Leak, 5, 0), memory("host", finding.Leak, 9, 20), memory("of three", finding.Outside, 1, 10)},
		"grows most":   {memory("host", finding.Leak, 1, 0), memory("grows most", finding.Leak, 2, 0)},
		"first":        {memory("first", finding.Healthy, 0, 0), memory("cuda:0", finding.Healthy, 0, 0)},
		"at one time":  {memory("host", finding.Leak, 1, 7), memory("at one time", finding.Leak, 2, 7)},
		"with an end,": {memory("host", finding.Leak, 9, 700), memory("with an end,", finding.Leak, 2, 7)},
	} {
		if got := Worst(memories); got == nil || got.Name != want {
			t.Errorf("%q: %+v", want, got)
		}
	}
	if Worst(nil) != nil {
		t.Error("there is one of none")
	}
}

// A report of a target whose end was not seen says how far it has come, the other one that it is the last word.
func TestState(t *testing.T) {
	exit := 0
	running := finding.Report{Steps: finding.Steps{Seen: 1064}}
	ended := running
	ended.Target.Exit = &exit
	killed := running
	killed.Target.Attached, killed.Target.End = &finding.Attached{}, &finding.End{How: finding.Killed}
	if got := In("en").State(killed); got != "final" {
		t.Errorf("of a process that was attached to and killed: %q", got)
	}
	letGo := running
	letGo.Target.Attached = &finding.Attached{LetGo: true}
	if got := In("en").State(letGo); got != "let go at step 1,064" {
		t.Errorf("of a process that was let go: %q", got)
	}
	if got := In("en").State(running); got != "so far, step 1,064" {
		t.Errorf("while it runs: %q", got)
	}
	if got := In("en").State(ended) + In("en").State(finding.Report{}); got != "final" {
		t.Errorf("at the end: %q", got)
	}
}

// Of two findings for one growth the second says that the first fix is enough; a place that does not exist says nothing.
func TestSameGrowth(t *testing.T) {
	first, none := 0, 7
	all := []finding.Finding{{Rule: "TL108", Name: "carried-state", Location: &finding.Location{File: "a.py", Line: 3}}, {SameGrowthAs: &first}}
	if got := In("en").Same(all[1], all); !strings.Contains(got, "TL108 carried-state at a.py:3: one fix is enough") {
		t.Errorf("said %q", got)
	}
	if got := In("en").Same(all[0], all) + In("en").Same(finding.Finding{SameGrowthAs: &none}, all); got != "" {
		t.Errorf("said %q", got)
	}
}

// Every verdict has its own sentence in every language, whatever is known of the memory.
func TestEveryVerdictSpeaks(t *testing.T) {
	n, seconds := int64(5), 60.0
	full := finding.Memory{BytesPerStep: &n, Period: &n, SinceStep: &n, UntilStep: &n, FirstBytes: &n, LastBytes: &n,
		LimitBytes: &n, StepsToOOM: &n, SecondsToOOM: &seconds, NeedSteps: &n}
	for _, lang := range []string{"en", "zh"} {
		c := In(lang)
		seen := map[string]finding.Verdict{}
		for _, v := range finding.Verdicts {
			for _, m := range []finding.Memory{{}, full} {
				m.Verdict = v
				text := c.Verdict(m) + c.OutOfMemory(m) + c.Label(v)
				if placeholder.MatchString(text) || c.Verdict(m) == "" || strings.Contains(text, "verdict.") || strings.Contains(text, "label.") {
					t.Errorf("%s %s says %q", lang, v, text)
				}
				if other, twice := seen[c.Verdict(m)]; twice && other != v {
					t.Errorf("%s: %s and %s say the same", lang, v, other)
				}
				seen[c.Verdict(m)] = v
			}
		}
	}
}

// A memory that grows by too little to matter is not called flat, also where others are watched beside it.
func TestSlowGrowthIsNotFlat(t *testing.T) {
	perStep, last := int64(75), int64(138<<20)
	slow := finding.Memory{Name: "host", Verdict: finding.Healthy, BytesPerStep: &perStep, LastBytes: &last}
	r := finding.Report{Verdict: finding.Healthy, Memories: []finding.Memory{{Name: "cuda:0", Verdict: finding.Healthy}, slow}}
	r.Steps.Seen = 1e6
	for _, said := range []string{In("en").Verdict(slow), In("en").Headline(r)} {
		if !strings.Contains(said, "grows by 75 B a step") {
			t.Errorf("said %q", said)
		}
	}
}

// What stopped growing names its levels only where they can be told apart.
func TestBoundedNamesLevelsThatDiffer(t *testing.T) {
	c, until := In("en"), int64(2)
	for _, test := range []struct {
		first, last int64
		want        string
	}{
		{65 << 20, 73 << 20, "grew from 65 MiB to 73 MiB, then stopped"},
		{143 << 20, 143<<20 + 4096, "grew, then stopped"},
		{143 << 20, 100 << 20, "grew, then stopped"},
	} {
		got := c.bounded(finding.Memory{FirstBytes: &test.first, LastBytes: &test.last, UntilStep: &until})
		if !strings.HasPrefix(got, test.want+" ") {
			t.Errorf("from %d to %d bytes: %q, want %q", test.first, test.last, got, test.want)
		}
	}
}
