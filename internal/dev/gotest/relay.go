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

// test is a test, or a subtest with the names it is under.
type test struct{ pkg, name string }

// under reports whether the test is a subtest of the other.
func (t test) under(other test) bool {
	return t.pkg == other.pkg && strings.HasPrefix(t.name, other.name+"/")
}

// tally counts tests and subtests. A package that fails without a failed test, because it does not
// build, panics or runs out of time, counts as one failure.
type tally struct {
	passed, failed, skipped int
	action                  map[test]string // of each that ended: pass, skip or fail
}

func (t tally) ok() bool { return t.failed == 0 && t.passed > 0 }

// again is the tests to run once more, in order: all that failed, or none where something other than a test did. Of those
// with subtests that failed it is these alone.
func (t tally) again() []test {
	var names []test
	own := 0
	for one, action := range t.action {
		if action != "fail" {
			continue
		}
		own++
		if !t.failedUnder(one) {
			names = append(names, one)
		}
	}
	if own != t.failed {
		return nil
	}
	slices.SortFunc(names, func(a, b test) int {
		return cmp.Or(strings.Compare(a.pkg, b.pkg), strings.Compare(a.name, b.name))
	})
	return names
}

// failedUnder reports whether a subtest of the test failed.
func (t tally) failedUnder(one test) bool {
	for other, action := range t.action {
		if action == "fail" && other.under(one) {
			return true
		}
	}
	return false
}

// forgive counts the test as passed, and those it is under where nothing else of theirs failed.
func (t *tally) forgive(one test) {
	if t.action[one] == "fail" {
		t.passed++
		t.failed--
		t.action[one] = "pass"
	}
	if end := strings.LastIndex(one.name, "/"); end >= 0 {
		if above := (test{one.pkg, one.name[:end]}); !t.failedUnder(above) {
			t.forgive(above)
		}
	}
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
	t := tally{action: map[test]string{}}
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
	if e.Action == "pass" || e.Action == "skip" || e.Action == "fail" {
		t.action[test{e.Package, e.Test}] = e.Action
	}
	switch e.Action {
	case "pass":
		t.passed++
	case "skip":
		t.skipped++
	case "fail":
		t.failed++
		failed[e.Package] = true
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
