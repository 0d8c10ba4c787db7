package archtest

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// root is the module's folder, seen from this package.
const root = "../.."

func loadAll(t *testing.T) []source {
	t.Helper()
	files, err := load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func report(t *testing.T, wrong []string) {
	t.Helper()
	for _, w := range wrong {
		t.Error(w)
	}
}

func TestImports(t *testing.T) { report(t, checkImports(loadAll(t))) }

func TestSizes(t *testing.T) { report(t, checkSizes(loadAll(t))) }

func TestDocs(t *testing.T) { report(t, checkDocs(loadAll(t))) }

// TestLayersExist keeps the tables from outliving what they place.
func TestLayersExist(t *testing.T) {
	files := loadAll(t)
	for pattern := range layers {
		found := false
		for _, s := range files {
			found = found || covers(pattern, s.pkg)
		}
		if !found {
			t.Errorf("the layer table places %q, and there is no such package", pattern)
		}
	}
}

// TestExceptionsUsed keeps what is allowed to what is needed.
func TestExceptionsUsed(t *testing.T) {
	files := loadAll(t)
	imported := func(who string, is func(target string) bool) bool {
		for _, s := range files {
			if s.test || !covers(who, s.pkg) {
				continue
			}
			for target := range s.imports() {
				if is(target) {
					return true
				}
			}
		}
		return false
	}
	for _, r := range thirdParty {
		for _, who := range r.who {
			if !imported(who, func(target string) bool { return target == r.what || strings.HasPrefix(target, r.what+"/") }) {
				t.Errorf("%s may import %s and does not", who, r.what)
			}
		}
	}
	for from, allowed := range siblings {
		for _, to := range allowed {
			if !imported(from, func(target string) bool {
				own, ok := strings.CutPrefix(target, module)
				return ok && covers(to, own)
			}) {
				t.Errorf("%s may import %s and does not", from, to)
			}
		}
	}
}

// TestArchitectureNames keeps the page that newcomers read first complete.
func TestArchitectureNames(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range loadAll(t) {
		name, rest, _ := strings.Cut(s.pkg, "/")
		if name == "internal" {
			name, _, _ = strings.Cut(rest, "/")
		}
		if name != "" && !slices.Contains(strings.FieldsFunc(string(page), notName), name) {
			t.Errorf("docs/architecture.md does not name %s, of %s", name, s.pkg)
		}
	}
}

func notName(r rune) bool { return !unicode.IsLetter(r) }

func TestPlantedImports(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"internal/finding/x.go", `import "github.com/torchleak/torchleak/internal/flight"`, "internal/finding may not import internal/flight"},
		{"internal/detect/x.go", `import "github.com/torchleak/torchleak/internal/diagnose"`, "internal/detect may not import internal/diagnose"},
		{"internal/report/html/x.go", `import "github.com/torchleak/torchleak/internal/report/text"`, "may not import internal/report/text"},
		{"internal/newcomer/x.go", ``, `package "internal/newcomer" has no layer`},
		{"internal/locate/x.go", `import sitter "github.com/tree-sitter/go-tree-sitter"`, "one package knows the parser"},
		{"internal/cli/x.go", `import "example.org/unheard"`, "example.org/unheard is in no table"},
		{"internal/cli/y.go", `import "net/http"`, "internal/cli may not use net/http"},
		{"internal/report/text/x.go", `import "os/exec"`, "may not use os/exec"},
		{"internal/detect/x.go", "import clock \"time\"\nvar t = clock.Now()", "may not use time#Now"},
		{"internal/session/x.go", "import \"os\"\nvar w = os.Stdout", "may not use os#Stdout"},
		{"internal/detect/y.go", "import \"time\"\nvar t = time.Second", ""},
		{"internal/diagnose/x.go", `import "github.com/torchleak/torchleak/internal/rule"`, ""},
		{"internal/detect/x_test.go", `import "github.com/torchleak/torchleak/internal/session"`, ""},
	} {
		t.Run(c.path, func(t *testing.T) {
			s, err := parse(c.path, []byte("package p\n"+c.text+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			expect(t, checkImports([]source{s}), c.want)
		})
	}
}

func TestPlantedForm(t *testing.T) {
	long := "// Package p is long.\npackage p\n\nfunc f() {\n" + strings.Repeat("\n", maxFunctionLines) + "}\n"
	for _, c := range []struct{ name, text, want string }{
		{"long function", long, "f has 101 lines, more than 99"},
		{"no package comment", "package p\n", "has no doc comment"},
		{"function", "// Package p.\npackage p\n\nfunc Bare() {}\n", "x.go:4: Bare is exported"},
		{"method", "// Package p.\npackage p\n\n// T is.\ntype T int\n\nfunc (t *T) Bare() {}\n", "Bare is exported"},
		{"constant", "// Package p.\npackage p\n\nconst (\n\tA = 1 // one\n\tB = 2\n)\n", "B is exported"},
		{"documented", "// Package p.\npackage p\n\n// Kinds.\nconst (\n\tA = 1\n)\n\ntype t int\n\nfunc (t) Quiet() {}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := parse("p/x.go", []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			expect(t, append(checkSizes([]source{s}), checkDocs([]source{s})...), c.want)
		})
	}
}

// expect wants exactly one complaint that contains want, or none when want is empty.
func expect(t *testing.T, wrong []string, want string) {
	t.Helper()
	if want == "" {
		report(t, wrong)
		return
	}
	if len(wrong) != 1 || !strings.Contains(wrong[0], want) {
		t.Errorf("got %q, want one complaint with %q", wrong, want)
	}
}
