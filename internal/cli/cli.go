// Package cli is the command line: one file a command, each a struct whose Run does the work. Exit codes are
// made in one place, here.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"github.com/torchleak/torchleak/internal/report/phrase"
)

// Version is the tool's version.
const Version = "0.1.0"

// Exit codes, docs/cli.md.
const (
	exitOK       = 0
	exitFindings = 1
	exitUsage    = 2
	exitFailed   = 3
)

// Stdio is what a command reads and writes. The streams are files since the target inherits them.
type Stdio struct {
	In, Out, Err *os.File
}

// OS is the process's own streams.
func OS() Stdio { return Stdio{os.Stdin, os.Stdout, os.Stderr} }

// UserError is an error with the next step to take.
type UserError struct {
	Err  error
	Hint string
}

func (e *UserError) Error() string { return e.Err.Error() }
func (e *UserError) Unwrap() error { return e.Err }

// exitStatus is an error that only carries an exit code; what there was to say has been said.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

type commands struct {
	Run      runCommand      `cmd:"" help:"Run a training, watch its memory, name the line that leaks."`
	Smoke    smokeCommand    `cmd:"" set:"fail_on=leak" help:"Run some steps of a training as a gate: fail when memory leaks."`
	Attach   attachCommand   `cmd:"" help:"Do the same for a training that runs already."`
	Bisect   bisectCommand   `cmd:"" help:"Find the statements that make memory grow by switching them off."`
	Verify   verifyCommand   `cmd:"" help:"Prove a patch: run the training with and without it, compare memory and losses."`
	Report   reportCommand   `cmd:"" help:"Make any report again from a recording."`
	UI       uiCommand       `cmd:"" name:"ui" help:"Show a recording in a browser, renewed while the training runs."`
	Lint     lintCommand     `cmd:"" help:"Find leak patterns in Python source without running it."`
	Snapshot snapshotCommand `cmd:"" help:"Read PyTorch memory snapshots: who holds memory, what grew."`
	Profile  profileCommand  `cmd:"" help:"Show where inside a step memory goes: the peak by category, operator, line and module."`
	NCCL     ncclCommand     `cmd:"" name:"nccl" help:"Find repeated set-ups of communicators in NCCL_DEBUG=INFO logs."`
	Watch    watchCommand    `cmd:"" help:"Watch all trainings and GPUs of this machine; serve Prometheus metrics."`
	Explain  explainCommand  `cmd:"" help:"Show the page of a rule, such as TL101; or what an out-of-memory message says."`
	Doctor   doctorCommand   `cmd:"" help:"Say what works on this machine and why the rest does not."`
	Init     initCommand     `cmd:"" help:"Write a training that does not leak, to start from."`
	Version  versionFlag     `help:"Show the version."`
}

type versionFlag bool

func (versionFlag) BeforeReset(app *kong.Kong) error {
	fmt.Fprintln(app.Stdout, "torchleak", Version)
	app.Exit(exitOK)
	return nil
}

// Main runs the command line and returns the exit code.
func Main(args []string, io Stdio) int {
	var c commands
	args, c.Lint.Training = lintedTraining(args)
	exit := -1
	parser, err := kong.New(&c,
		kong.Name("torchleak"),
		kong.Description("Finds memory leaks in PyTorch trainings: what grows, who holds it, the statement to change."),
		kong.UsageOnError(),
		kong.Writers(io.Out, io.Err),
		kong.Exit(func(code int) { exit = code; panic(errExit) }),
		kong.BindTo(context.Background(), (*context.Context)(nil)),
		kong.Bind(io),
		kong.KindMapper(reflect.String, kong.MapperFunc(asGiven)),
	)
	if err != nil {
		panic(err) // the command structs are wrong: a test would have seen it
	}
	ctx, err := parse(parser, args)
	if exit >= 0 {
		return exit
	}
	if err == nil {
		err = check(ctx)
	}
	if err != nil {
		return misused(ctx, err, io.Err)
	}
	err = ctx.Run()
	var usage *usageError
	if errors.As(err, &usage) {
		return misused(ctx, err, io.Err)
	}
	return code(err, io.Err, language(ctx))
}

// language is that of the command's --lang.
func language(ctx *kong.Context) *phrase.Catalogue {
	for _, flag := range ctx.Selected().Flags {
		if lang, ok := ctx.FlagValue(flag).(string); ok && flag.Name == "lang" {
			return phrase.In(lang)
		}
	}
	return phrase.In("")
}

// asGiven takes an argument byte for byte: file names need not be UTF-8, and kong's own way replaces what is not.
func asGiven(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("string")
	if err == nil {
		target.SetString(token.String())
	}
	return err
}

var errExit = errors.New("exit")

// parse turns kong's early exits (--help, --version), which it makes in the middle of parsing, into a return.
func parse(parser *kong.Kong, args []string) (ctx *kong.Context, err error) {
	defer func() {
		if r := recover(); r != nil && r != errExit {
			panic(r)
		}
	}()
	return parser.Parse(args)
}

// code prints err, with its next step, and is the only place that makes exit codes of errors.
func code(err error, w io.Writer, say *phrase.Catalogue) int {
	if err == nil {
		return exitOK
	}
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	explain(err, w, say)
	return exitFailed
}

// explain prints err, with its next step.
func explain(err error, w io.Writer, say *phrase.Catalogue) {
	hint := ""
	var user *UserError
	if errors.As(err, &user) {
		hint = user.Hint
	}
	advise(withoutCall(err), hint, w, say)
}

// advise says what went wrong, and what to do about it where that is known.
func advise(msg, hint string, w io.Writer, say *phrase.Catalogue) {
	fmt.Fprintln(w, "torchleak:", printable(say.Words(msg)))
	if hint != "" {
		fmt.Fprintln(w, "          ", printable(say.Text(hint)))
	}
}

type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

// isTerminal reports whether f is a terminal.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

func width(f *os.File) int {
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 40 {
		return w
	}
	return 100
}
