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
	"github.com/torchleak/torchleak/internal/rule/rules"
)

func TestEveryRuleSpeaksChinese(t *testing.T) {
	for _, r := range rules.All {
		if c := chineseRules[r.ID]; c.title == "" || c.why == "" {
			t.Errorf("%s %s is missing in chinese_rules.go", r.ID, r.Name)
		}
	}
}

// Whatever the packages that judge and diagnose can say, as it stands in their sources, is known in Chinese.
func TestEveryTextSpeaksChinese(t *testing.T) {
	texts := append(goTexts(t), pythonTexts(t)...)
	if len(texts) < 200 { // 300 and more: nothing found would prove nothing
		t.Fatalf("only %d texts were found", len(texts))
	}
	for _, text := range texts {
		said := strings.NewReplacer("%d", "7", "%s", "x.y", "%v", "x.y", "%w", "x.y", "%q", "x.y", "%[1]s", "x.y").Replace(text)
		got, left := "", said
		for length := 1; left != "" && length > 0; {
			var sentence string
			sentence, length = retold(left)
			got, left = got+sentence, left[length:]
		}
		if left != "" || !regexp.MustCompile(`\p{Han}`).MatchString(got) || strings.Contains(got, "{") || verb.MatchString(got) {
			t.Errorf("no Chinese is known for %q of %q: %q", left, text, got)
		}
	}
}

// all stands for every place.
const all = -1

// spoken says which calls, fields, variables, lists (without a type: "") and returns of which packages carry texts: the place of the text.
var spoken = map[string]map[string]int{
	"../../rule/*.go":             {"Advice": 0, "Alone": 0, "WrapStored": 1, "summary": 0, "Summary": 0, "Cut": 5},
	"../../rule/rules/*/*.go":     {"Advice": 0, "Bounded": 1, "Alone": 0, "WrapStored": 1, "Loosened": 1, "summary": 0, "Summary": 0, "Suffixed": 3, "Cut": 5, "Loosen": 3},
	"../../detect/*.go":           {"why": 0, "Why": 0},
	"../../diagnose/sites.go":     {"add": 0},
	"../../analysis/*.go":         {"append": 1},
	"../../oom/*.go":              {"why": 0, "unknown": 0, "next": 0},
	"../../locate/source.go":      {"warn": 0, "Errorf": 0},
	"../../verify/verify.go":      {"Reason": 0, "run": 0},
	"../../verify/losses.go":      {"Sprintf": 0, "noLosses": 0, "run": 0},
	"../../cli/verify.go":         {"Try": 0, "hint": 0},
	"../../cli/ui.go":             {"hint": 0},
	"../../cli/snapshot.go":       {"hint": 0},
	"../../cli/*.go":              {"UserError": all},
	"../../cli/silence.go":        {"return": all, "msg": 0},
	"../../cli/report.go":         {"Words": 0},
	"../../cli/smoke.go":          {"Words": 0},
	"../../cli/attach_refusal.go": {"": 1, "return": 0},
	"../../attach/*.go":           {"New": 0},
	"../../nvml/nvml.go":          {"New": 0, "fault": 0},
	"../../session/neighbours.go": {"strangers": 0},
	"../../ranks/ranks.go":        {"append": 1},
	"../../snapshot/read.go":      {"append": 1},
	"../../simulate/notes.go":     {"say": 0},
	"../../residence/*.go":        {"By": 0, "what": 0},
}

func goTexts(t *testing.T) []string {
	t.Helper()
	var out []string
	for pattern, names := range spoken {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				for name, value := range named(n) {
					at, ok := names[name]
					for i, v := range value {
						if text := literal(v); ok && (i == at || at == all) && strings.Contains(strings.Trim(text, "%sdqvw:. \n"), " ") {
							out = append(out, text)
						}
					}
				}
				return true
			})
		}
	}
	return out
}

// named is what a node gives to a function, a field, a variable or a constant of that name.
func named(n ast.Node) map[string][]ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch f := n.Fun.(type) {
		case *ast.Ident:
			return map[string][]ast.Expr{f.Name: n.Args}
		case *ast.SelectorExpr:
			return map[string][]ast.Expr{f.Sel.Name: n.Args}
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok {
			return map[string][]ast.Expr{key.Name: {n.Value}}
		}
	case *ast.AssignStmt:
		if n.Tok == token.ADD_ASSIGN { // what is added is no sentence
			return nil
		}
		switch to := n.Lhs[0].(type) {
		case *ast.SelectorExpr:
			return map[string][]ast.Expr{to.Sel.Name: n.Rhs}
		case *ast.Ident:
			return map[string][]ast.Expr{to.Name: n.Rhs}
		}
	case *ast.CompositeLit:
		name, _ := n.Type.(*ast.Ident)
		if name == nil {
			return map[string][]ast.Expr{"": n.Elts}
		}
		return map[string][]ast.Expr{name.Name: n.Elts}
	case *ast.ReturnStmt:
		return map[string][]ast.Expr{"return": n.Results}
	case *ast.ValueSpec:
		return map[string][]ast.Expr{n.Names[0].Name: n.Values}
	}
	return nil
}

// literal is the text that an expression makes, with %s for what is not known before.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Sprintf" || f.Sel.Name == "Errorf" || f.Sel.Name == "New") && len(e.Args) > 0 {
			return literal(e.Args[0])
		}
	}
	return "%s"
}

// note is how the probe makes a note, or names a text that becomes one.
var note = regexp.MustCompile(`(?:note\(|_notes\.append\(|\n_[A-Z]+ =)\s*"([a-z][^"\n]+ [^"\n]+)"(\s*\+)?`)

func pythonTexts(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("../../probe/py", func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".py" {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range note.FindAllStringSubmatch(string(source), -1) {
			text := m[1]
			if m[2] != "" {
				text += "%s"
			}
			out = append(out, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestText(t *testing.T) {
	zh := In("zh")
	for english, want := range map[string]string{
		"": "",
		"the heap grows since step 5, and what is born in a step is still alive many steps later": "从第 5 步起堆内存增长，某一步中产生的内存在许多步之后仍然存活。",
		"Run the evaluation under `torch.no_grad()`. And something new.":                          "在 `torch.no_grad()` 下运行评估。And something new.",
		"reading a.py: permission denied":                                                         "读取 a.py：permission denied。",
		"Nothing that is known":                                                                   "Nothing that is known.",
	} {
		if got := zh.Text(english); got != want {
			t.Errorf("Text(%q) = %q, want %q", english, got, want)
		}
	}
	if got := In("en").Text("as it is"); got != "as it is" {
		t.Errorf("in English it is %q", got)
	}
	if got := zh.Words("hook save registered on model.block"); got != "注册在 model.block 上的钩子 save" {
		t.Errorf("a hook is %q", got)
	}
	f := finding.Finding{Rule: "TL999", Why: "as the rule says"}
	if got := zh.Why(f); got != f.Why || zh.Title("TL999") != "" {
		t.Errorf("an unknown rule says %q", got)
	}
}

// A reason that only says the verdict once more is left out, as the detector words it.
func TestReason(t *testing.T) {
	texts := goTexts(t)
	for why, verdict := range echoes {
		if !slices.Contains(texts, why) {
			t.Errorf("nothing says %q any more", why)
		}
		if got := In("en").Reason(finding.Memory{Verdict: verdict, Why: why}); got != "" {
			t.Errorf("%s: %q", verdict, got)
		}
	}
	until := int64(98)
	for _, text := range texts {
		if !strings.HasPrefix(text, "grew from step %d on and stopped") {
			continue
		}
		got := In("en").Reason(finding.Memory{Verdict: finding.Bounded, UntilStep: &until, Why: strings.ReplaceAll(text, "%d", "98")})
		if echo := strings.HasSuffix(text, "at step %d"); echo != (got == "") {
			t.Errorf("%q says %q", text, got)
		}
	}
	if got := In("en").Reason(finding.Memory{Verdict: finding.Leak, Why: "the heap grows"}); got != "the heap grows" {
		t.Errorf("a reason is %q", got)
	}
}
