package cli

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

//go:embed doctor.py
var doctorScript string

type doctorCommand struct {
	Python string `default:"python3" env:"TORCHLEAK_PYTHON" help:"Interpreter of the training, such as .venv/bin/python."`
}

// facts is what doctor.py prints.
type facts struct {
	Python     string   `json:"python"`
	Executable string   `json:"executable"`
	Torch      string   `json:"torch"`
	TorchError string   `json:"torch_error"`
	Heap       string   `json:"heap"`
	Devices    []string `json:"devices"`
}

// importTimeout is long because a cold import of torch from a network disk takes minutes.
const importTimeout = 3 * time.Minute

// Run asks the training's interpreter and says what works.
func (c *doctorCommand) Run(stdio Stdio) error {
	python, _, _ := strings.Cut(c.Python, ":")
	ctx, cancel := context.WithTimeout(context.Background(), importTimeout)
	defer cancel()
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(ctx, python, "-c", doctorScript)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		return &UserError{fmt.Errorf("running %s: %w%s", python, err, lastLine(errOut.String())), "Name the training's interpreter with --python."}
	}
	var f facts
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		return fmt.Errorf("%s did not answer as a Python 3: %w", python, err)
	}
	line := func(ok bool, what, detail string) {
		mark := "ok  "
		if !ok {
			mark = "no  "
		}
		fmt.Fprintf(stdio.Out, "%s%-12s %s\n", mark, what, detail)
	}
	line(true, "python", f.Python+"  "+f.Executable)
	line(f.TorchError == "", "torch", f.Torch+f.TorchError)
	line(f.Heap != "", "host heap", orElse(f.Heap, "neither mallinfo2 nor mallinfo: host growth is judged by resident memory alone"))
	line(len(f.Devices) > 0, "devices", orElse(strings.Join(f.Devices, ", "), "none: the host heap is the memory that is judged"))
	dir, err := os.MkdirTemp(".", ".torchleak-doctor-")
	line(err == nil, "recordings", orElse(errText(err), "this directory can be written"))
	if err == nil {
		os.Remove(dir)
	}
	if f.TorchError != "" {
		fmt.Fprintf(stdio.Out, "\nThis is not the Python of a training, or its PyTorch is broken. Name the right one: torchleak doctor --python .venv/bin/python\n")
		return exitStatus(exitFailed)
	}
	if c.Python == unnamed {
		fmt.Fprintf(stdio.Out, "\nThis was the %s on PATH. If the training runs with another one: torchleak doctor --python .venv/bin/python\n", unnamed)
	}
	return nil
}

// unnamed is the interpreter that is asked where none is named; the default above.
const unnamed = "python3"

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error() + "; recordings go to a temporary directory"
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return ": " + last
	}
	return ""
}
