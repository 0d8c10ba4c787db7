package snapshotpage

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/snapshot"
	"github.com/torchleak/torchleak/internal/units"
)

// names says what places, moments and pools are called.
type names struct {
	say   *phrase.Catalogue
	strip func(file string) string // the program's folder is left out
}

func newNames(s Snapshot, say *phrase.Catalogue) names {
	seen := map[string]bool{}
	var all []string
	for _, p := range s.Devices {
		for _, site := range p.Curve.Bands {
			seen[site.File] = true
		}
		for _, m := range p.Moments {
			for _, row := range m.Sites {
				seen[row.File] = true
			}
		}
	}
	for file := range seen {
		all = append(all, file)
	}
	return names{say, residence.Strip(all)}
}

// packages are folders whose name says nothing more where a file of a package is named.
var packages = regexp.MustCompile(`^.*[/\\](site-packages|dist-packages)[/\\]`)

// place names a line of a file.
func (n names) place(file string, line int) string {
	return plain.Text(fmt.Sprintf("%s:%d", packages.ReplaceAllString(n.strip(file), ""), line))
}

func (n names) site(s residence.Site) string {
	if !s.Known() {
		return n.say.Say("snap.noframes")
	}
	name := n.place(s.File, s.Line) + " " + plain.Text(s.Function)
	if s.Backward {
		return n.say.Say("snap.backward", "site", name)
	}
	return name
}

func (n names) moment(s residence.Summary) string {
	at := units.Count(int64(s.Moment.Event))
	switch what := s.Moment.What; {
	case s.Events == 0:
		return n.say.Say("snap.only")
	case what == "peak":
		return n.say.Say("snap.peak")
	case s.Moment.Event == s.Events:
		return n.say.Say("snap.end")
	case what == "last":
		return n.say.Say("snap.last")
	case strings.HasPrefix(what, "step:"):
		return n.say.Say("snap.step", "step", strings.TrimPrefix(what, "step:"))
	}
	return n.say.Say("snap.entry", "entry", at)
}

func (n names) lane(l snapshot.Lane) string {
	text := n.say.Say("snap.stream", "stream", fmt.Sprint(l.Stream))
	if l.Pool != (snapshot.Pool{}) {
		text = n.say.List(text, n.say.Say("snap.pool", "pool", fmt.Sprintf("(%d, %d)", l.Pool[0], l.Pool[1])))
	}
	return text
}
