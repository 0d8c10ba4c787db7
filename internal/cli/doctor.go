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

	"github.com/torchleak/torchleak/internal/attach"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
)

//go:embed doctor.py
var doctorScript string

type doctorCommand struct {
	colourless
	Python string `default:"python3" env:"TORCHLEAK_PYTHON" help:"Interpreter of the training, such as .venv/bin/python."`
	Lang   string `enum:"en,zh" default:"en" help:"Language of the text: en or zh."`
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
	say := phrase.In(c.Lang)
	line := func(ok bool, what phrase.Key, detail string) {
		mark := phrase.Key("doctor.yes")
		if !ok {
			mark = "doctor.no"
		}
		fmt.Fprintf(stdio.Out, "%s  %s %s\n", say.Say(mark), plain.Pad(say.Say(what), 12), detail)
	}
	line(true, "python", f.Python+"  "+f.Executable)
	line(f.TorchError == "", "torch", f.Torch+f.TorchError)
	line(f.Heap != "", "doctor.heap", orElse(f.Heap, say.Say("doctor.no_heap")))
	line(len(f.Devices) > 0, "doctor.devices", orElse(strings.Join(f.Devices, ", "), say.Say("doctor.no_devices")))
	way, err := attach.Way(f.Python)
	if err == nil {
		line(true, "doctor.attach", say.Say("doctor.attach_by", "method", way))
	} else {
		line(false, "doctor.attach", err.Error())
	}
	dir, err := os.MkdirTemp(".", ".torchleak-doctor-")
	if err == nil {
		os.Remove(dir)
		line(true, "doctor.recordings", say.Say("doctor.writable"))
	} else {
		line(false, "doctor.recordings", say.Say("doctor.unwritable", "error", err.Error()))
	}
	if f.TorchError != "" {
		fmt.Fprintf(stdio.Out, "\n%s\n", say.Say("doctor.other"))
		return exitStatus(exitFailed)
	}
	if c.Python == unnamed {
		fmt.Fprintf(stdio.Out, "\n%s\n", say.Say("doctor.unnamed", "python", unnamed))
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

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return ": " + last
	}
	return ""
}
