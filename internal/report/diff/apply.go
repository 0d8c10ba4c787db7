package diff

import (
	"errors"
	"fmt"
	"strings"
)

// ErrApart says that a file is not what a diff takes it for.
var ErrApart = errors.New("the file is not as the diff says")

// Apply returns what a diff makes of the file called path. Lines that are added end as the file's lines do.
func Apply(text, path string, source []byte) ([]byte, error) {
	if !Fits(text, path, source) {
		return nil, fmt.Errorf("%s: %w", path, ErrApart)
	}
	old := strings.SplitAfter(string(source), "\n")
	end := "\n"
	if strings.Contains(old[0], "\r\n") {
		end = "\r\n"
	}
	var out strings.Builder
	at := 1 // the next line of the file
	in := false
	upTo := func(line int) {
		for ; at < line && at <= len(old); at++ {
			out.WriteString(old[at-1])
		}
	}
	for _, line := range Lines(text) {
		if line.Kind == File {
			in = line.Path == path
			continue
		}
		switch {
		case !in:
		case line.Kind == Hunk:
			first, count, _ := head(line.Text)
			if count == 0 { // nothing is taken out: it comes behind that line
				first++
			}
			upTo(first)
		case line.Kind == Added:
			out.WriteString(line.Source() + end)
		case line.Kind == Context:
			upTo(line.Old + 1)
		case line.Kind == Removed:
			upTo(line.Old)
			at++
		}
	}
	upTo(len(old) + 1)
	return []byte(out.String()), nil
}
