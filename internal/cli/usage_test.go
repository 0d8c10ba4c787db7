package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// said runs a command line and gives its exit status and what it wrote to standard error.
func said(t *testing.T, args ...string) (int, string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	status := Main(args, Stdio{In: os.Stdin, Out: file, Err: file})
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return status, string(text)
}

func TestWrongUsageNamesThePageOfItsCommand(t *testing.T) {
	for _, test := range []struct{ args, says, page string }{
		{"ui --no-browser", "unknown flag --no-browser", "torchleak ui --help"},
		{"snapshot show --frob x", "unknown flag --frob", "torchleak snapshot show --help"},
		{"attach 4242x", `<pid>: expected a whole number but got "4242x"`, "torchleak attach --help"},
		{"smoke --steps many -- true", `--steps: expected a whole number but got "many"`, "torchleak smoke --help"},
		{"snapshot simulate --fraction half x", `--fraction: expected a number but got "half"` + "\nTry", "torchleak snapshot simulate --help"},
		{"smoke --steps -1 -- true", `--steps: expected a whole number but got "-1", which is below zero`, "torchleak smoke --help"},
		{"attach --steps 99999999999999999999 1", `--steps: expected a whole number but got "99999999999999999999", which is too large`, "torchleak attach --help"},
		{"attach --steps 1e3 1", `--steps: expected a whole number but got "1e3"` + "\nTry", "torchleak attach --help"},
		{"attach --duration 5 1", `--duration: expected a time such as 90s, 10m or 1h30m but got "5"` + "\nTry", "torchleak attach --help"},
		{"attach --duration 1d 1", `--duration: expected a time such as 90s, 10m or 1h30m but got "1d"` + "\nTry", "torchleak attach --help"},
		{"ui --port 70000", `--port: expected a whole number from 0 to 65535 but got "70000"`, "torchleak ui --help"},
		{"snapshot simulate --fraction -.5 x", `--fraction: expected a number but got "-.5", which is below zero`, "torchleak snapshot simulate --help"},
		{"smoke --tolerance -3 -- true", `--tolerance: expected a value but got "-3", which is below zero`, "torchleak smoke --help"},
		{"smoke --timeout -3s -- true", `--timeout: expected a time such as 90s, 10m or 1h30m but got "-3s", which is below zero`, "torchleak smoke --help"},
		{"lint --select -3 .", "--select: expected a ", "torchleak lint --help"},
		{"smoke --steps=-1 -- true", "--steps -1: ", "torchleak smoke --help"},
		{"frobnicate", "there is no command frobnicate", "torchleak --help"},
		{"--frob", "unknown flag --frob", "torchleak --help"},
	} {
		status, text := said(t, strings.Fields(test.args)...)
		if status != exitUsage || !strings.Contains(text, "torchleak: "+test.says) || !strings.HasSuffix(text, "\nTry: "+test.page+"\n") {
			t.Errorf("torchleak %s: status %d, %q", test.args, status, text)
		}
	}
}

// A name that torchleak itself gives, and has not given, is wrong usage wherever it stands.
func TestUnknownNamesAreWrongUsage(t *testing.T) {
	for args, says := range map[string]string{
		"explain TL999":                      `there is no rule "TL999"`,
		"explain no-rule --lang zh":          `there is no rule "no-rule"`,
		"lint --isolated --select TL999 .":   `there is no rule "TL999"`,
		"lint --isolated --ignore no-rule .": `there is no rule "no-rule"`,
		"lint --output-format colourful .":   "--output-format must be one of",
		"init nosuch":                        `there is no skeleton "nosuch"`,
		"report --lang xx none":              "--lang must be one of",
		"run --fail-on sometimes -- true":    "--fail-on must be one of",
		"run --remote-write nowhere -- true": "--remote-write nowhere: it is no http or https address",
	} {
		if status, text := said(t, strings.Fields(args)...); status != exitUsage || !strings.Contains(text, says) {
			t.Errorf("torchleak %s: status %d, %q", args, status, text)
		}
	}
}

func TestMissingFilesAreNamedWithoutTheSystemCall(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	for _, args := range [][]string{
		{"report", none},
		{"verify", "--patch", none, "--", "true"},
	} {
		status, text := said(t, args...)
		if status != exitFailed || !strings.Contains(text, "torchleak: "+none+": no such file or directory\n") {
			t.Errorf("torchleak %v: status %d, %q", args, status, text)
		}
	}
}

// TestMessagesDoNotSteerTheTerminal names files and settings with what a terminal obeys: codes of one byte, of two, an order
// of writing, and bytes that are no text.
func TestMessagesDoNotSteerTheTerminal(t *testing.T) {
	const name, shown = "né\x1b[31m\u009b2J\u202e\xff", `né\x1b[31m\u009b2J\u202e\xff`
	for _, args := range [][]string{
		{"snapshot", "show", name},
		{"snapshot", "simulate", "--conf", name + ":1", "x"},
		{"explain", "oom", name},
		{"report", name},
		{"smoke", "--" + name, "--", "true"},
		{name},
	} {
		status, text := said(t, args...)
		if status != exitUsage && status != exitFailed {
			t.Errorf("%q ended with %d", args, status)
		}
		if strings.ContainsAny(text, "\x1b\u009b\u202e") || !utf8.ValidString(text) {
			t.Errorf("%q steers the terminal: %q", args, text)
		}
		if args[0] == "snapshot" && args[1] == "show" && !strings.Contains(text, shown) {
			t.Errorf("%q does not show the name as %s: %q", args, shown, text)
		}
	}
}
