package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRotations(t *testing.T) {
	for _, c := range []struct {
		name  string
		given []string
		want  [][]string
	}{
		{"the oldest first", []string{"a.log", "a.log.1", "a.log.2.gz"}, [][]string{{"a.log.2.gz", "a.log.1", "a.log"}}},
		{"numbered from 0 on", []string{"s", "s.0", "s.1"}, [][]string{{"s.1", "s.0", "s"}}},
		{"dated", []string{"a.log-20260102", "a.log", "a.log-20260101.gz"}, [][]string{{"a.log-20260101.gz", "a.log-20260102", "a.log"}}},
		{"a number a rank", []string{"rank.0", "rank.1"}, [][]string{{"rank.1"}, {"rank.0"}}},
		{"given twice", []string{"a.log", "./a.log"}, [][]string{{"a.log"}}},
		{"a file called as standard input is", []string{"./-"}, [][]string{{"./-"}}},
		{"a name of two lines", []string{"a\nb"}, [][]string{{"a\nb"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, rotations(c.given)); d != "" {
				t.Error(d)
			}
		})
	}
}
