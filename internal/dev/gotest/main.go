// Command gotest runs `go test` with the arguments it is given, shows what failed and what was skipped
// with the reason, and ends with a count. A run in which no test passed is a failure: a filter that
// matches nothing must not look like success.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = stderr
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(stderr, "gotest:", err)
		return 3
	}
	counts, readErr := relay(pipe, stdout)
	err = cmd.Wait()
	fmt.Fprintln(stdout, counts)
	if err != nil || readErr != nil || counts.failed > 0 || counts.passed == 0 {
		return 1
	}
	return 0
}
