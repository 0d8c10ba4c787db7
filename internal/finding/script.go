package finding

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Script is what the target's command line is known by, as it stands there: the script or module that Python runs, by itself or for a
// launcher; else the program.
func (t Target) Script() string {
	script, _ := t.script()
	return script
}

// Launches reports whether the target's command line is that of a launcher, such as torchrun, whose children train.
func (t Target) Launches() bool {
	_, by := t.script()
	return by == launcher
}

// script returns what runs the script as well.
func (t Target) script() (string, runner) {
	by := other
	for i := 0; i < len(t.Argv); i++ {
		word := t.Argv[i]
		switch {
		case by != other && (word == "-m" || word == "--module") && i+1 < len(t.Argv):
			i++
			if runnerOf(t.Argv[i]) != launcher {
				return t.Argv[i], by
			}
			by = launcher
		case strings.HasSuffix(word, ".py"):
			return word, by
		case by == python && (word == "-c" || word == "-"):
			return t.Argv[0], by
		case by == python && (word == "-W" || word == "-X"):
			i++ // its value
		case by == python && !strings.HasPrefix(word, "-") && runnerOf(word) == other:
			return word, by
		case runnerOf(word) != other:
			by = runnerOf(word)
		}
	}
	if len(t.Argv) == 0 {
		return "", by
	}
	return t.Argv[0], by
}

// runner is a program that runs Python's scripts and modules.
type runner int

const (
	other    runner = iota
	python          // the next word that is no flag is the script
	launcher        // … or the value of a flag
)

var pythonName = regexp.MustCompile(`^i?(python|pypy)[\d.]*t?$`)

// launchers are commands, and modules of Python.
var launchers = []string{
	"torchrun", "torch.distributed.run", "torch.distributed.launch", "accelerate", "accelerate.commands.launch",
	"deepspeed", "deepspeed.launcher.runner", "uv",
}

func runnerOf(word string) runner {
	switch name := filepath.Base(word); {
	case pythonName.MatchString(name):
		return python
	case slices.Contains(launchers, name):
		return launcher
	}
	return other
}
