package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// event is one line of `go test -json`; the format is `go doc test2json`.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// tally counts tests and subtests. A package that fails without a failed test, because it does not
// build, panics or runs out of time, counts as one failure.
type tally struct{ passed, failed, skipped int }

func (t tally) String() string {
	if t.skipped == 0 {
		return fmt.Sprintf("%d passed, %d failed", t.passed, t.failed)
	}
	return fmt.Sprintf("%d passed, %d failed, %d skipped", t.passed, t.failed, t.skipped)
}

// relay reads events from r until it ends. To w it writes what go test says of packages, and the whole
// output of each test that failed or was skipped.
func relay(r io.Reader, w io.Writer) (tally, error) {
	var t tally
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
