package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

// misused says what is wrong with the command line and where the right way stands: the page of the command that was
// named, as the one of torchleak has no command's flags.
func misused(ctx *kong.Context, err error, w io.Writer) int {
	msg, page := inWords(err.Error()), "torchleak"
	var wrong *kong.ParseError
	if ctx == nil && errors.As(err, &wrong) {
		ctx = wrong.Context
	}
	if ctx != nil {
		if named := ctx.Selected(); named != nil {
			page = named.FullPath()
		} else if other, ok := strings.CutPrefix(msg, "unexpected argument "); ok {
			msg = "there is no command " + other
		}
	}
	fmt.Fprintln(w, "torchleak:", printable(msg))
	fmt.Fprintln(w, "Try:", page, "--help")
	return exitUsage
}

// otherValue is what kong says of values that are no numbers: their kind, and "value" where they have a type of their own.
var otherValue = regexp.MustCompile(`expected (value|string|bool|path) value\b`)

// machineNumber is what it says of numbers, and of times behind which Go says more.
var (
	machineNumber = regexp.MustCompile(`expected (?:a valid \d+ bit (?:u?int|float)|a float|(?:u?int|float) value)\b`)
	machineTime   = regexp.MustCompile(`expected duration(?: value)? but got ("[^"]*")(?:: time: .*)?`)
)

// belowZero is what kong takes for a flag, and says how to give it all the same: no number here is below zero.
var belowZero = regexp.MustCompile(`but got ("-[\d.][^"]*") \(short flag\).*`)

// tooLarge is a whole number of more digits than any can have.
var tooLarge = regexp.MustCompile(`expected a whole number but got "\d{19,}"`)

// inWords says what kong says of a number without the words of Go: its width in bits, its kind of token.
func inWords(msg string) string {
	msg = belowZero.ReplaceAllString(msg, "but got $1, which is below zero")
	msg = machineNumber.ReplaceAllStringFunc(msg, func(found string) string {
		switch {
		case strings.Contains(found, "float"):
			return "expected a number"
		case strings.Contains(found, "16 bit uint"):
			return "expected a whole number from 0 to 65535"
		}
		return "expected a whole number"
	})
	msg = tooLarge.ReplaceAllString(msg, "$0, which is too large")
	msg = machineTime.ReplaceAllString(msg, "expected a time such as 90s, 10m or 1h30m but got $1")
	msg = otherValue.ReplaceAllString(msg, "expected a $1")
	return strings.TrimSuffix(msg, " (string)")
}

// withoutCall is what err says, less the name of the system call that a missing or closed file was met by.
func withoutCall(err error) string {
	msg := err.Error()
	var path *fs.PathError
	if errors.As(err, &path) {
		switch path.Op {
		case "stat", "lstat", "open":
			msg = strings.Replace(msg, path.Error(), path.Path+": "+path.Err.Error(), 1)
		}
	}
	return msg
}

// printable writes out what would steer the terminal, as Go writes it in a string: a file may be named with anything, and
// its name reaches messages as it is. Lines stay lines.
func printable(msg string) string {
	var b strings.Builder
	for len(msg) > 0 {
		r, size := utf8.DecodeRuneInString(msg)
		switch part := msg[:size]; {
		case r == '\n' || r == '\t', strconv.IsPrint(r) && (r != utf8.RuneError || size > 1):
			b.WriteString(part)
		default:
			quoted := strconv.Quote(part)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		msg = msg[size:]
	}
	return b.String()
}
