package leaks

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/torchleak/torchleak/internal/units"
)

// Command is what the commands that score torchleak on the cases have in common.
type Command struct {
	Name      string // its folder: "bisectscore"
	Page      string // the page that it makes: "docs/accuracy-bisect.md"
	Python    string // the last Python named
	Pythons   []string
	Jobs      int
	Torchleak string // the binary

	only, write, dir string
	scratch          string
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// Parse reads the command line, with the flags that only this command has. Close what it returns.
func Parse(name, page string, args []string, own ...func(*flag.FlagSet)) (*Command, error) {
	c := &Command{Name: name, Page: page}
	flags := flag.NewFlagSet(name, flag.ExitOnError)
	flags.Var((*list)(&c.Pythons), "python", "a Python with torch; may be given several times (default python3)")
	flags.StringVar(&c.only, "only", "", "cases whose name matches this `GLOB`")
	flags.IntVar(&c.Jobs, "jobs", 1, "how many cases run at the same time")
	flags.StringVar(&c.write, "write", "", "write the page to this `FILE`")
	flags.StringVar(&c.Torchleak, "torchleak", "", "the `BINARY` to score (default: built from this module)")
	flags.StringVar(&c.dir, "leaks", "leaks", "the `FOLDER` of the cases")
	for _, add := range own {
		add(flags)
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if len(c.Pythons) == 0 {
		c.Pythons = list{"python3"}
	}
	for i, python := range c.Pythons {
		if !strings.ContainsRune(python, filepath.Separator) {
			continue // it is looked for on PATH
		}
		path, err := filepath.Abs(python) // cases run in folders of their own
		if err != nil {
			return nil, err
		}
		c.Pythons[i] = path
	}
	c.Python = c.Pythons[len(c.Pythons)-1]
	return c, nil
}

// Cases loads the cases asked for that keep takes, and builds torchleak where no binary was named; said takes what
// the compiler says.
func (c *Command) Cases(keep func(*Case) bool, said io.Writer) ([]*Case, error) {
	cases, err := Load(c.dir, c.only)
	if err != nil {
		return nil, err
	}
	if cases = slices.DeleteFunc(cases, func(one *Case) bool { return !keep(one) }); len(cases) == 0 {
		return nil, fmt.Errorf("no case to run in %s matches %q", c.dir, c.only)
	}
	if c.Torchleak != "" {
		c.Torchleak, err = filepath.Abs(c.Torchleak)
		return cases, err
	}
	if c.scratch, err = os.MkdirTemp("", c.Name); err != nil {
		return nil, err
	}
	c.Torchleak, err = Build(c.scratch, said)
	return cases, err
}

// Close removes the binary that Cases built.
func (c *Command) Close() {
	if c.scratch != "" {
		os.RemoveAll(c.scratch)
	}
}

// Write writes the page where one is wanted. Where the interpreters stand on this machine is nobody's business.
func (c *Command) Write(page func(io.Writer, Origin) error) error {
	if c.write == "" {
		return nil
	}
	command := "go run ./leaks/" + c.Name + strings.Repeat(" --python PYTHON", len(c.Pythons))
	if c.only != "" {
		command += " --only '" + c.only + "'"
	}
	command += fmt.Sprintf(" --jobs %d --write %s", c.Jobs, c.Page)
	file, err := os.Create(c.write)
	if err != nil {
		return err
	}
	if err := page(file, Origin{Command: command, Machine: Machine(), Date: time.Now().UTC().Format(time.DateOnly)}); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// Each calls one for every number below n, jobs at a time, and said, never two at once, when it has come back.
func Each(n, jobs int, one, said func(int)) {
	var wait sync.WaitGroup
	var turn sync.Mutex
	next := make(chan int)
	for range max(1, jobs) {
		wait.Go(func() {
			for i := range next {
				one(i)
				turn.Lock()
				said(i)
				turn.Unlock()
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}

// Rate is growth per step as pages say it.
func Rate(rate float64, unit string) string {
	n := int64(math.Round(rate))
	if unit == "bytes" {
		return units.SignedBytes(n)
	}
	return units.Count(n) + " " + unit
}
