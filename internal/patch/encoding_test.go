package patch

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// What is written into a file that is not UTF-8 is in its encoding, where that is known; people read UTF-8.
func TestEncodings(t *testing.T) {
	for _, c := range []struct{ name, source, put, want, shown string }{
		{"Latin-1", "# coding: latin-1\n# caf\xe9\nmod\xe8le = 1\n", "modèle.detach()", "# coding: latin-1\n# caf\xe9\nmod\xe8le = modèle.detach()\n", "+modèle = modèle.detach()"},
		{"ISO-8859-1", "#!/usr/bin/python3\n# vim: set fileencoding=iso-8859-1 :\n# caf\xe9\nx = 1\n", "y", "x = y\n", " # café"},
		{"not known, ASCII put in", "# coding: koi8-r\n# \xc4\xc1\nx = 1\n", "y", "# \xc4\xc1\nx = y\n", " # \ufffd"},
		{"not known, other letters put in", "# coding: koi8-r\n# \xc4\xc1\nx = 1\n", "да", "", ""},
		{"not in Latin-1", "# coding: latin-1\n# caf\xe9\nx = 1\n", "да", "", ""},
		{"UTF-8", "# café\nx = 1\n", "да", "# café\nx = да\n", "+x = да"},
	} {
		f, err := pysyntax.Parse("étude.py", []byte(c.source))
		if err != nil {
			t.Fatal(err)
		}
		at := uint32(strings.LastIndex(c.source, "1"))
		p, err := Apply(f, []Edit{{at, at + 1, c.put}})
		if c.want == "" {
			if err == nil {
				t.Errorf("%s: it wrote %q", c.name, p.Source)
			}
			continue
		}
		want := c.want
		if !utf8.ValidString(c.source) { // it is spelled as people do above
			want = strings.ReplaceAll(want, "è", "\xe8")
		}
		if err != nil || !strings.HasSuffix(string(p.Source), want) {
			t.Errorf("%s: %q, %v, want %q", c.name, p.Source, err, want)
		}
		if !utf8.ValidString(p.Diff) || !strings.Contains(p.Diff, c.shown) || !strings.HasPrefix(p.Diff, "--- a/étude.py\n") {
			t.Errorf("%s: shown as %s", c.name, p.Diff)
		}
		applied(t, []string{"patch", "-s", "-p1", "--binary", "-i", "d"}, "m.py", c.source, string(p.Source), strings.ReplaceAll(p.Raw, "étude.py", "m.py"))
	}
}
