package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRelay(t *testing.T) {
	const stream = `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"quiet\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB/sub","Output":"    b_test.go:3: loud\n"}
{"Action":"fail","Package":"p","Test":"TestB/sub"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:9: no device\n"}
{"Action":"skip","Package":"p","Test":"TestC"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
{"Action":"fail","Package":"p"}
{"ImportPath":"q","Action":"build-output","Output":"q.go:1: syntax error\n"}
{"Action":"fail","Package":"q"}
not json
`
	var out strings.Builder
	got, err := relay(strings.NewReader(stream), &out)
	if err != nil {
		t.Fatal(err)
	}
	// TestB and its subtest, and package q that does not build.
	if got.passed != 1 || got.failed != 3 || got.skipped != 1 {
		t.Errorf("tally %+v, want 1 passed, 3 failed, 1 skipped", got)
	}
	if again := got.again(); again != nil {
		t.Errorf("would run %v again, though a package does not build", again)
	}
	if want := "1 passed, 3 failed, 1 skipped"; got.String() != want {
		t.Errorf("said %q, want %q", got, want)
	}
	for _, want := range []string{"loud", "no device", "FAIL\tp", "syntax error", "not json"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "quiet") {
		t.Errorf("output shows a test that passed:\n%s", out.String())
	}
}

func TestRunWithoutAnyTestFails(t *testing.T) {
	var out, errs strings.Builder
	if code := run([]string{"-run", "NoSuchTest", "."}, &out, &errs); code != 1 {
		t.Errorf("exit %d, want 1: %s%s", code, out.String(), errs.String())
	}
}

func TestATestThatPassesAloneIsForgiven(t *testing.T) {
	const flaky = `package flaky

import (
	"os"
	"testing"
)

func TestNeedsCalm(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		if os.WriteFile("met", nil, 0o600); len(first) == 0 {
			t.Error("not calm")
		}
	})
}

func TestOther(t *testing.T) {}

var first, _ = os.ReadFile("met.before")
`
	for _, c := range []struct {
		name, before string
		code         int
		said         []string
	}{
		{"always fails", "", 1, []string{"1 passed, 2 failed"}},
		{"passes the second time", "os.Rename(\"met\", \"met.before\")", 0, []string{"FLAKY TestNeedsCalm/sub of flaky", "3 passed, 0 failed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			source := strings.Replace(flaky, "func TestOther(t *testing.T) {}", "func TestOther(t *testing.T) { "+c.before+" }", 1)
			source = strings.Replace(source, "WriteFile(\"met\", nil", "WriteFile(\"met\", []byte{1}", 1)
			for name, text := range map[string]string{"go.mod": "module flaky\n\ngo 1.21\n", "flaky_test.go": source} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(dir)
			var out, errs strings.Builder
			if code := run([]string{"-timeout", "5m", "./..."}, &out, &errs); code != c.code {
				t.Errorf("exit %d, want %d", code, c.code)
			}
			for _, want := range c.said {
				if !strings.Contains(out.String(), want) {
					t.Errorf("output lacks %q:\n%s%s", want, out.String(), errs.String())
				}
			}
		})
	}
}

func TestAlone(t *testing.T) {
	got := test{"p/q", "TestA/torch-2.15/b"}.alone([]string{"-timeout", "35m", "-race", "-run", "CUDA", "-skip=TestB", "./..."})
	if want := `-timeout 35m -race -count=1 -run ^TestA$/^torch-2\.15$/^b$ p/q`; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}

// TestForgive checks that what a forgiven subtest is under fails as long as something else under it does.
func TestForgive(t *testing.T) {
	stream := ""
	for _, name := range []string{"TestA/x/1", "TestA/x/2", "TestA/x", "TestA/y", "TestA"} {
		stream += `{"Action":"fail","Package":"p","Test":"` + name + `"}` + "\n"
	}
	got, err := relay(strings.NewReader(stream), &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	var failed []int
	for _, one := range got.again() {
		got.forgive(one)
		failed = append(failed, got.failed)
	}
	if want := []int{4, 2, 0}; !slices.Equal(failed, want) || got.passed != 5 {
		t.Errorf("%v failed and %d passed in the end, want %v and 5", failed, got.passed, want)
	}
}
