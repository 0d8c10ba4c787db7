package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

// check refuses what no command can use, before any of them begins: a training of a day must not end with a report that
// has nowhere to go. Flags are known by their kind: no number is below zero, or below one where its field is tagged
// fromone, and a field tagged output names a file to write.
func check(ctx *kong.Context) error {
	printed := "" // the flag whose file is standard output
	for _, part := range ctx.Path {
		flag := part.Flag
		if flag == nil { // defaults are none of these: --device is -1 where it is not given
			continue
		}
		err := number(flag.Target)
		if flag.Tag.Has("fromone") && flag.Target.Int() < 1 {
			err = errors.New("it is a number from 1 on")
		}
		if flag.Tag.Has("output") {
			if err = writable(flag.Target.String()); flag.Target.String() == "-" {
				err = alone(flag.Name, printed)
				printed = flag.Name
			}
		}
		if err != nil {
			return fmt.Errorf("--%s %v: %w", flag.Name, flag.Target, err)
		}
	}
	return nil
}

// alone says why standard output cannot be a flag's file, if another flag's is it already.
func alone(flag, printed string) error {
	if printed == "" || printed == flag {
		return nil
	}
	return fmt.Errorf("standard output is taken by --%s; name a file for one of them", printed)
}

// number says why a value that is a number cannot be used.
func number(v reflect.Value) error {
	span := v.Type() == reflect.TypeFor[time.Duration]()
	switch {
	case span && v.Int() < 0:
		return errors.New("it is a time from 0 on")
	case v.CanInt() && v.Int() < 0:
		return errors.New("it is a number from 0 on")
	case v.CanFloat() && !(v.Float() >= 0 && v.Float() <= math.MaxFloat64):
		return errors.New("it is a finite number from 0 on")
	}
	return nil
}

// writable says why no file can be written at path. What is there and no file is written into, so that it counts itself;
// else the folder does, in which the file is made.
func writable(path string) error {
	if path == "-" {
		return nil
	}
	asked := path
	switch st, err := os.Stat(path); {
	case err == nil && st.IsDir():
		return errors.New("it is a folder; name a file")
	case err != nil || st.Mode().IsRegular():
		asked = filepath.Dir(path)
	}
	st, err := os.Stat(asked)
	if err == nil && asked != path && !st.IsDir() {
		err = syscall.ENOTDIR
	}
	if err == nil {
		err = syscall.Access(asked, mayWrite)
	}
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("there is no folder %s; make it, or name a file in another", asked)
	case err != nil:
		return fmt.Errorf("%s cannot be written (%w); name a file in another folder", asked, err)
	}
	return nil
}

// leastFiles is how many files must be able to be open at a time to watch a training of one process in full.
const leastFiles = 64

// fewFiles warns where that is less; empty where it is not.
func fewFiles() string {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur >= leastFiles {
		return ""
	}
	return fmt.Sprintf("only %d files may be open at a time: evidence may be missing. Raise it: %s", limit.Cur, moreFiles)
}

const moreFiles = "ulimit -n 1024"

// unstarted says what to do where a command could not be started.
func unstarted(err error) string {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return "More files must be able to be open at a time: " + moreFiles
	}
	return "The command must be a program that can be executed."
}

// mayWrite is W_OK of access(2).
const mayWrite = 2
