package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/lint"
	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/trials"
	"github.com/torchleak/torchleak/internal/verify"
)

// next is what is to be mended after a change that is not enough.
type next struct {
	finding.Finding
	Patch string // file with the change and this finding's, empty where it has none that can be applied
}

// nextOf finds what makes memory grow with a change, nil where nothing is known to.
func nextOf(b *verify.Bench, o verify.Outcome) *next {
	if len(o.Left) == 0 {
		return nil
	}
	cwd := b.Base.Report.Target.Cwd
	lint.Offer(o.Left[:1], cwd, changedText(o.Files))
	n := &next{Finding: o.Left[0]}
	if n.Fix == nil || n.Fix.Diff == "" {
		return n
	}
	files, err := verify.Onto(o.Files, []byte(cmp.Or(n.Fix.Raw, n.Fix.Diff)), cwd)
	if err != nil {
		return n
	}
	path := filepath.Join(b.Lab.Dir, "next.patch")
	if text := unified(files, cwd); text != "" && recording.WriteFile(path, []byte(text)) == nil {
		n.Patch = relative(path)
	}
	return n
}

// changedText is what runs in the place of files, by their real paths.
func changedText(files []verify.File) map[string][]byte {
	texts := map[string][]byte{}
	for _, f := range files {
		if path, err := filepath.EvalSymlinks(f.Path); err == nil {
			if path, err = filepath.Abs(path); err == nil {
				texts[path] = f.After
			}
		}
	}
	return texts
}

// unified is one diff of all files, with paths that begin at dir where they lie below it; empty where one cannot be read.
func unified(files []verify.File, dir string) string {
	var text strings.Builder
	for _, f := range files {
		name := f.Path
		if rel, err := filepath.Rel(dir, name); filepath.IsAbs(name) && err == nil && filepath.IsLocal(rel) {
			name = rel
		}
		before, err := pysyntax.Parse(name, f.Before)
		if err != nil {
			return ""
		}
		text.WriteString(patch.Unified(before, bytes.TrimPrefix(f.After, []byte("\ufeff"))))
	}
	return text.String()
}

// facts say in short what is next, and how to go on.
func (n *next) facts(argv []string, say *phrase.Catalogue) []trials.Fact {
	what := n.Rule + " " + n.Name
	if l := n.Location; l != nil {
		what = fmt.Sprintf("%s:%d %s  %s", l.File, l.Line, l.Code, what)
	}
	facts := []trials.Fact{{Name: say.Say(phrase.TrialNext), Value: what}}
	if n.Patch != "" {
		prove := append([]string{"torchleak", "verify", "--patch", n.Patch, "--"}, argv...)
		facts = append(facts, trials.Fact{Name: say.Say(phrase.TrialGoOn), Value: quoted(prove...)})
	}
	return facts
}
