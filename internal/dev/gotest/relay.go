package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// event is one line of `go test -json`; the format is `go doc test2json`.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// test is a top-level test.
type test struct{ pkg, name string }

// tally counts tests and subtests. A package that fails without a failed test, because it does not
// build, panics or runs out of time, counts as one failure.
type tally struct {
	passed, failed, skipped int
	in                      map[test]int // how many failures are a test's own and its subtests'
}

func (t tally) ok() bool { return t.failed == 0 && t.passed > 0 }

// again is the tests to run once more, in order: all that failed, or none where something other than a test did.
func (t tally) again() []test {
	var names []test
	own := 0
	for name, failures := range t.in {
		names = append(names, name)
		own += failures
	}
	if own != t.failed {
		return nil
	}
	slices.SortFunc(names, func(a, b test) int {
		return cmp.Or(strings.Compare(a.pkg, b.pkg), strings.Compare(a.name, b.name))
	})
	return names
}

// forgive counts what failed in the test as passed.
func (t *tally) forgive(one test) {
	t.passed += t.in[one]
	t.failed -= t.in[one]
	delete(t.in, one)
}

func (t tally) String() string {
	if t.skipped == 0 {
		return fmt.Sprintf("%d passed, %d failed", t.passed, t.failed)
	}
	return fmt.Sprintf("%d passed, %d failed, %d skipped", t.passed, t.failed, t.skipped)
}

// relay reads events from r until it ends. To w it writes what go test says of packages, and the whole
// output of each test that failed or was skipped.
func relay(r io.Reader, w io.Writer) (tally, error) {
	t := tally{in: map[test]int{}}
	output := map[string]*strings.Builder{} // by package and test, until the test has ended
	failed := map[string]bool{}             // packages in which a test failed
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return t, nil
		}
		if err != nil && err != io.EOF {
			return t, err
		}
		var e event
		if json.Unmarshal(line, &e) != nil {
			fmt.Fprintf(w, "%s", line) // the go command's own words
			continue
		}
		t.count(e, failed)
		show(e, output, w)
	}
}

func (t *tally) count(e event, failed map[string]bool) {
	if e.Test == "" {
		if e.Action == "fail" && !failed[e.Package] {
			t.failed++
		}
		return
	}
	switch e.Action {
	case "pass":
		t.passed++
	case "skip":
		t.skipped++
	case "fail":
		t.failed++
		failed[e.Package] = true
		top, _, _ := strings.Cut(e.Test, "/")
		t.in[test{e.Package, top}]++
	}
}

func show(e event, output map[string]*strings.Builder, w io.Writer) {
	key := e.Package + "\x00" + e.Test
	switch {
	case e.Test == "" || e.Action == "build-output":
		fmt.Fprint(w, e.Output)
	case e.Action == "output":
		if output[key] == nil {
			output[key] = &strings.Builder{}
		}
		output[key].WriteString(e.Output)
	case e.Action == "fail" || e.Action == "skip":
		if output[key] != nil {
			fmt.Fprint(w, output[key])
		}
		delete(output, key)
	case e.Action == "pass":
		delete(output, key)
	}
}
