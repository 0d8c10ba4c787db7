package attach

import (
	"bytes"
	"cmp"
	"debug/elf"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/process"
)

//go:embed call.py
var call string

// debugger is a way by a program that stops a process at a place of its choice, into any Python whose functions can be found.
type debugger struct {
	name    string
	needs   []string // programs
	dialect string   // what stands behind call.py
	near    bool     // it takes its own stops for another's in a process of another PID namespace, which would stay stopped
	command []string // has Python run plan
}

// plan is what call.py and the dialect come by.
const plan = "exec(open(0, closefd=False).read())"

var debuggers = []debugger{gdb, lldb}

func (d debugger) Name() string { return d.name }

func (d debugger) Available(pid int) error {
	if err := d.here(); err != nil {
		return err
	}
	found, err := findFunctions(pid)
	if err != nil {
		return err
	}
	if d.near && elsewhere(pid) {
		return ErrElsewhere
	}
	return fits(runtime.GOARCH, found.machine)
}

// here returns why the debugger cannot be used on this machine.
func (d debugger) here() error {
	if machines[runtime.GOARCH] == elf.EM_NONE {
		return ErrMachine
	}
	for _, program := range d.needs {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%s %w", program, ErrNotFound)
		}
	}
	return yama(Scope(), os.Geteuid() == 0)
}

// machines are those whose calls call.py makes, by Go's names.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// fits returns why a program for a machine cannot be asked on this one, as one of 32 bits.
func fits(here string, program elf.Machine) error {
	if known := machines[here]; known == elf.EM_NONE || known != program {
		return ErrMachine
	}
	return nil
}

// Scope is kernel.yama.ptrace_scope, whom the kernel lets look at another process: 0 who has the same user, 1 parents, 2 root, 3
// nobody until the next start of the machine. Empty where there is no such rule.
func Scope() string {
	text, _ := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	return strings.TrimSpace(string(text))
}

func yama(scope string, root bool) error {
	if scope == "" || scope == "0" || scope != "3" && root {
		return nil
	}
	return fmt.Errorf("%w (kernel.yama.ptrace_scope is %s)", ErrRefused, scope)
}

// findFunctions is locate in the words of those who attach.
func findFunctions(pid int) (functions, error) {
	found, named, err := locate(pid)
	switch {
	case found.complete():
		return found, nil
	case !process.Alive(pid):
		return found, ErrGone
	case errors.Is(err, os.ErrPermission) && shielded(pid):
		return found, ErrShielded
	case errors.Is(err, os.ErrPermission):
		return found, ErrRefused
	case named || found.add != 0:
		return found, ErrSymbols
	}
	return found, ErrNotPython
}

// How long a thread may take to enter malloc, the debugger to let go behind that, or to heed anything, and what one that was killed has
// started to end.
const (
	reachTime  = 10 * time.Second
	letGoTime  = 10 * time.Second
	giveUpTime = 30 * time.Second
	restTime   = 2 * time.Second
)

func (d debugger) Ask(pid int, file string) (time.Duration, error) {
	found, err := findFunctions(pid)
	if err != nil {
		return 0, err
	}
	before := readEntries(pid, found.mallocs)
	out, end := d.run(pid, reading(file), found)
	stopped, err := d.outcome(pid, out, end)
	if err != nil {
		before.restore(pid)
	}
	if end != nil || errors.Is(err, ErrFailed) { // the stop by which it came may be on the way still
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	return stopped, err
}

// reading is code that runs a file. It leaves no name in the program, and raises nothing: an interrupt that comes within is
// asked for once more. Before anything of it is called, our bells fall silent: one that rings within, since the collector
// runs there, is a call asked for within such a call, and CPython 3.11 then stands still for ever where calls are traced.
func reading(file string) string {
	inner := "with open(" + literal(file) + ") as f: code=f.read()\nexec(code,{})"
	builtins := "__import__('builtins')."
	bell := func(word string) string {
		return "getattr(__import__('sys').modules.get('_torchleak.bell'),'" + word + "'," + builtins + "int)()\n"
	}
	return "try:\n " + bell("hush") + " " + builtins + "exec(" + strconv.Quote(inner) + ",{})\n" +
		"except " + builtins + "KeyboardInterrupt: __import__('_thread').interrupt_main()\n" +
		"except " + builtins + "BaseException: pass\n" +
		"finally: " + bell("heed")
}

// run has the debugger make the call, and returns what it said, and an error where it did not end by itself.
func (d debugger) run(pid int, code string, found functions) ([]byte, error) {
	cmd := exec.Command(d.command[0], d.command[1:]...)
	cmd.Dir, cmd.Stdin = "/", strings.NewReader(call+d.dialect)
	addresses := fmt.Sprintf("%x %x", found.add, found.run)
	for _, malloc := range found.mallocs {
		addresses += fmt.Sprintf(" %x", malloc)
	}
	cmd.Env = append(plainEnviron(), "TORCHLEAK_PID="+strconv.Itoa(pid), "TORCHLEAK_CODE="+code, "TORCHLEAK_ADDRESSES="+addresses)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, restTime
	// A Ctrl-C is for us. Should we be killed, the debugger is told, and lets go: it ends with the thread that started it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGINT}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done, killed := make(chan struct{}), make(chan bool, 1)
	go func() { killed <- hurry(pid, cmd.Process, done) }()
	err := cmd.Wait()
	close(done)
	if err != nil { // one that was killed may leave what it has started, gdb a child that it tries ptrace with
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	if <-killed {
		err = ErrBlocked
	}
	return out.Bytes(), err
}

// hurry interrupts a debugger that waits for too long, from when it is at the process. One that does not heed that stands before a
// thread that does not stop, as in a system call for a disk that is gone, and has changed nothing yet: it is killed, and that reported.
func hurry(pid int, debugger *os.Process, done <-chan struct{}) (killed bool) {
	arrival := time.NewTicker(lookEvery)
	defer arrival.Stop()
	for !traces(debugger.Pid, pid) {
		select {
		case <-done:
			return false
		case <-arrival.C:
		}
	}
	for _, step := range []struct {
		wait   time.Duration
		signal syscall.Signal
	}{{reachTime, syscall.SIGINT}, {letGoTime, syscall.SIGINT}, {giveUpTime, syscall.SIGKILL}} {
		select {
		case <-done:
			return false
		case <-time.After(step.wait):
			_ = debugger.Signal(step.signal)
		}
	}
	return true
}

// traces reports whether a debugger, or what it has started for that, is at a process.
func traces(debugger, pid int) bool {
	s, err := process.ReadStatus(pid)
	if err != nil || s.Tracer == 0 || s.Tracer == debugger {
		return s.Tracer != 0
	}
	parent, err := process.Parent(s.Tracer)
	return err == nil && parent == debugger
}

// plainEnviron is ours without what is meant for the user's Python: debuggers have one of their own.
func plainEnviron() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "PYTHON") })
}

var said = regexp.MustCompile(`(?m)^torchleak:(\d+):(.*)$`)

// outcome reads what the debugger said, and how it ended: how long the process stood, and what became of the call.
func (d debugger) outcome(pid int, out []byte, end error) (time.Duration, error) {
	found := said.FindSubmatch(out)
	if found == nil {
		switch {
		case !process.Alive(pid):
			return 0, ErrGone
		case bytes.Contains(out, []byte("Python scripting is not supported")):
			return 0, ErrNoPython
		case errors.Is(end, ErrBlocked):
			return 0, end
		}
		return 0, fmt.Errorf("%s %w (%w)%s", d.name, ErrFailed, cmp.Or(end, errSilent), lastWords(out))
	}
	nanos, _ := strconv.ParseInt(string(found[1]), 10, 64)
	word := string(found[2])
	stopped := time.Duration(nanos)
	switch {
	case word == "asked":
		return stopped, nil
	case !process.Alive(pid):
		return stopped, ErrGone
	case strings.HasPrefix(word, "refused:"):
		return stopped, fmt.Errorf("%w (%s)", ErrRefused, strings.TrimSpace(strings.TrimPrefix(word, "refused:")))
	case word == "blocked", word == "full":
		return stopped, ErrBlocked
	}
	return stopped, fmt.Errorf("%s %w: %s", d.name, ErrFailed, strings.TrimPrefix(word, "failed: "))
}

// errSilent is how a debugger ended that has let go without a word, as one that was told to end.
var errSilent = errors.New("without a word")

// lastWords is the last line that a program said, to be put behind an error; empty where it said nothing.
func lastWords(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return ": " + last
	}
	return ""
}
