// Command gotest runs `go test` with the arguments it is given, shows what failed and what was skipped
// with the reason, and ends with a count. A run in which no test passed is a failure: a filter that
// matches nothing must not look like success.
//
// A few tests or subtests that fail are run once more, alone: many of them start real trainings and judge how those behave over
// time, which a machine busy with the other packages can upset. One that passes then counts as passed, and is named.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// few is the most failed tests that are run again: more are no accident.
const few = 3

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	counts, err := gotest(args, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "gotest:", err)
		return 3
	}
	if names := counts.again(); len(names) <= few {
		for _, test := range names {
			alone, err := gotest(test.alone(args), stdout, stderr)
			if err == nil && alone.ok() && alone.action[test] == "pass" {
				fmt.Fprintf(stdout, "FLAKY %s of %s failed among the others and passed alone\n", test.name, test.pkg)
				counts.forgive(test)
			}
		}
	}
	fmt.Fprintln(stdout, counts)
	if !counts.ok() {
		return 1
	}
	return 0
}

// gotest runs `go test` once. The error says why that could not be done; a test that fails is no error.
func gotest(args []string, stdout, stderr io.Writer) (tally, error) {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return tally{}, err
	}
	if err := cmd.Start(); err != nil {
		return tally{}, err
	}
	counts, err := relay(pipe, stdout)
	if wait := cmd.Wait(); wait != nil && counts.failed == 0 && err == nil {
		counts.failed++ // go test itself failed: packages that cannot be loaded
	}
	return counts, err
}

// alone is the arguments that run this test and no other: args without the packages and what to run.
func (t test) alone(args []string) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		switch name, _, whole := strings.Cut(strings.TrimLeft(args[i], "-"), "="); {
		case !strings.HasPrefix(args[i], "-"):
		case name == "run" || name == "skip":
			if !whole {
				i++
			}
		case name == "timeout" && !whole && i+1 < len(args):
			kept = append(kept, args[i], args[i+1])
			i++
		default:
			kept = append(kept, args[i])
		}
	}
	names := strings.Split(t.name, "/")
	for i, name := range names {
		names[i] = "^" + regexp.QuoteMeta(name) + "$"
	}
	return slices.Concat(kept, []string{"-count=1", "-run", strings.Join(names, "/"), t.pkg})
}
