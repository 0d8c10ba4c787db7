package session

import (
	"os"

	"golang.org/x/sys/unix"
)

// foreground reports whether we are in the foreground process group of a terminal, whose key strokes then
// reach the target without our help.
func foreground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
