package patch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// The real tools make after of before by the diff, whatever was changed: byte order mark, line ends, no line end at
// the end, bytes that are no UTF-8.
func TestUnified(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cases := [][2]string{
		{"", "a = 1\n"}, {"a = 1", "a = 2"}, {"a = 1\n", ""}, {"a\nb\n", "a\nb"}, {"a\nb", "a\nb\n"},
		{"\ufeffa = 1\nb = 2\n", "\ufeffc = 3\na = 1\nb = 2\n"}, {"\ufeffa = 1\n", "\ufeffa = 2\n"},
		{"a = 1\r\nb = 2\r\n", "a = 1\r\nx\r\nb = 2\r\n"}, {"# caf\xe9\nb = 2\n", "# caf\xe9\nb = 3\n"},
		{"a = 1\rb = 2\r", "a = 1\rb = 3\r"}, {"a = 1\rb = 2\nc = 3\r\nd = 4\n", "a = 1\rb = 2\nc = 4\r\nd = 4\n"},
	}
	for range 40 {
		cases = append(cases, randomTexts(r))
	}
	for i, c := range cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			f, err := pysyntax.Parse("m.py", []byte(c[0]))
			if err != nil {
				t.Fatal(err)
			}
			diff := Unified(f, []byte(strings.TrimPrefix(c[1], "\ufeff")))
			if c[0] == c[1] {
				if diff != "" {
					t.Errorf("the same text differs: %s", diff)
				}
				return
			}
			for _, tool := range [][]string{{"git", "apply", "d"}, {"patch", "-s", "-p1", "--binary", "-i", "d"}} {
				applied(t, tool, "m.py", c[0], c[1], diff)
			}
		})
	}
}

// The real tools find the file, whatever it is called; a line end in a name only git can read.
func TestUnifiedNames(t *testing.T) {
	for _, name := range []string{"two words.py", "caf\u00e9.py", `back\slash "quoted".py`, "tab\there.py", "-dash.py", "line\nend.py"} {
		f, err := pysyntax.Parse(name, []byte("a = 1\n"))
		if err != nil {
			t.Fatal(err)
		}
		diff := Unified(f, []byte("a = 2\n"))
		applied(t, []string{"git", "apply", "d"}, name, "a = 1\n", "a = 2\n", diff)
		if !strings.Contains(name, "\n") {
			applied(t, []string{"patch", "-s", "-p1", "-i", "d"}, name, "a = 1\n", "a = 2\n", diff)
		}
	}
}

func applied(t *testing.T, tool []string, name, before, after, diff string) {
	t.Helper()
	if _, err := exec.LookPath(tool[0]); err != nil {
		t.Skipf("no %s", tool[0])
	}
	dir := t.TempDir()
	for file, text := range map[string]string{name: before, "d": diff} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(tool[0], tool[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v %s\n%s", tool, err, out, diff)
	}
	got, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && after != "" { // an emptied file may be removed
		t.Fatal(err)
	}
	if string(got) != after {
		t.Errorf("%v made %q, want %q\n%s", tool, got, after, diff)
	}
}

// randomTexts returns a text and the same with some lines changed, taken out and put in.
func randomTexts(r *rand.Rand) [2]string {
	var before, after []string
	for i := range r.IntN(30) {
		line := fmt.Sprintf("x%d = %d\n", i%7, r.IntN(3))
		before = append(before, line)
		switch r.IntN(8) {
		case 0:
		case 1:
			after = append(after, line, "new = 1\n")
		case 2:
			after = append(after, "changed = 1\n")
		default:
			after = append(after, line)
		}
	}
	return [2]string{strings.Join(before, ""), strings.Join(after, "")}
}

// generated is a file of 2 MB in which few lines are unlike others, and the same with every 50th of them changed.
func generated() (before, after string, changed int) {
	var was, is strings.Builder
	for i := range 100000 {
		line := fmt.Sprintf("    total = total + %d\n", i%7)
		was.WriteString(line)
		if i%50 == 49 {
			line = "    total = total + loss.item()\n"
			changed++
		}
		is.WriteString(line)
	}
	return was.String(), is.String(), changed
}

// TestUnifiedLarge fails where the work grows with the square of what was changed: it would take minutes.
func TestUnifiedLarge(t *testing.T) {
	before, after, changed := generated()
	f, err := pysyntax.Parse("m.py", []byte(before))
	if err != nil {
		t.Fatal(err)
	}
	diff := Unified(f, []byte(after))
	if added := strings.Count(diff, "\n+    "); added != changed {
		t.Errorf("%d lines are put in where %d were changed", added, changed)
	}
	applied(t, []string{"patch", "-s", "-p1", "--binary", "-i", "d"}, "m.py", before, after, diff)
}

func BenchmarkUnified(b *testing.B) {
	before, after, _ := generated()
	f, err := pysyntax.Parse("m.py", []byte(before))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(before)))
	for b.Loop() {
		Unified(f, []byte(after))
	}
}
