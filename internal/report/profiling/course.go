package profiling

import (
	"slices"

	"github.com/torchleak/torchleak/internal/profile"
	"github.com/torchleak/torchleak/internal/report/page"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// pageData is what the page's script draws. No list in it is ever null, so the script need not ask.
type pageData struct {
	Words    map[string]string `json:"words"`
	Frames   []frameData       `json:"frames"`
	Memories []courseData      `json:"memories"`
}

type frameData struct {
	Place    string `json:"place"`
	Function string `json:"function"`
}

// courseData is a memory over the steps. An entry is a change of it, counted from the first that an operator of the window
// preceded; what was there before is made at entry 0.
type courseData struct {
	Name    string       `json:"name"`
	Entries int          `json:"entries"`
	Unit    int64        `json:"unit"`
	Older   int64        `json:"older"`
	Bands   []page.Band  `json:"bands"`
	Parts   []partData   `json:"parts"` // of steps
	Steps   []partData   `json:"steps"`
	Peak    int          `json:"peak"`
	Origins []originData `json:"origins"`
	Sites   []stackData  `json:"sites"` // of what is there at the peak
	Pack    string       `json:"pack"`  // the curve, then of each of its changes the origin
}

// partData is a part of the time that begins with an entry.
type partData struct {
	Entry int    `json:"entry"`
	Name  string `json:"name"`
}

type originData struct {
	Operator string `json:"operator"`
	Place    string `json:"place"`
}

type stackData struct {
	Bytes  int64 `json:"bytes"`
	Frames []int `json:"frames"` // outermost first
}

// words are the sentences the script says itself.
var words = append(slices.Clone(page.CourseWords), "profile.all", "profile.share", "profile.peakword", "profile.older", "snap.oldbrowser", "snap.floor")

func (n names) data(of *profile.Process) (pageData, error) {
	d := pageData{Words: map[string]string{}, Frames: []frameData{}, Memories: []courseData{}}
	for _, key := range words {
		d.Words[string(key)] = n.say.Say(key)
	}
	number := map[frameData]int{}
	for i := range of.Memories {
		c, err := n.course(of, &of.Memories[i])
		if err != nil {
			return d, err
		}
		c.Sites = n.sites(of, &of.Memories[i], func(f frameData) int {
			at, known := number[f]
			if !known {
				at = len(d.Frames)
				number[f] = at
				d.Frames = append(d.Frames, f)
			}
			return at
		})
		d.Memories = append(d.Memories, c)
	}
	return d, nil
}

// sites are the stacks of what is there at the peak; operators and owners end them.
func (n names) sites(of *profile.Process, m *profile.Memory, number func(frameData) int) []stackData {
	sites := []stackData{}
	for _, r := range of.Rows(m) {
		if r.Bytes == 0 {
			continue
		}
		s := stackData{Bytes: r.Bytes, Frames: []int{}}
		for _, c := range stackOf(&r) {
			f := frameData{Place: plain.Text(c.name)}
			if c.file != "" {
				f = frameData{n.short(profile.Place{File: c.file, Line: c.line}), f.Place}
			}
			s.Frames = append(s.Frames, number(f))
		}
		sites = append(sites, s)
	}
	return sites
}

// colors are the classes of the style that have the colours of the categories, in their order.
var colors = []string{"c0", "c4", "c2", "c3", "c1", "c5", "c6", "before"}

func (n names) course(of *profile.Process, m *profile.Memory) (courseData, error) {
	before := 0
	for before < len(m.Changes) && m.Changes[before].Op < 0 {
		before++
	}
	entry := func(change int) int { return max(0, change-before+1) }
	c := courseData{Name: plain.Text(m.Name), Entries: entry(len(m.Changes)), Unit: 1, Bands: []page.Band{}, Peak: entry(m.PeakAt),
		Parts: []partData{}, Steps: []partData{}, Origins: []originData{}, Sites: []stackData{}}
	for i, category := range profile.Categories {
		c.Bands = append(c.Bands, page.Band{Name: n.say.Category(string(category)), Class: colors[i]})
	}
	var pack page.Pack
	pack.Curve(len(m.Changes), func(i int) page.Change {
		change := m.Changes[i]
		return page.Change{Entry: uint32(entry(i)), Band: band(m.Blocks[change.Block].Category), Bytes: change.Bytes}
	}, c.Unit)
	c.origins(n, of, m, &pack)
	for i, change := range m.Changes {
		if change.Op < 0 {
			continue
		}
		if name := n.say.Phase(of.Calls[change.Op].Phase); len(c.Parts) == 0 || c.Parts[len(c.Parts)-1].Name != name {
			c.Parts = append(c.Parts, partData{entry(i), name})
		}
		if step := of.StepOf(change.Op); step < len(of.StepEnds) && step >= len(c.Steps) {
			c.Steps = append(c.Steps, partData{entry(i), n.say.Say("snap.step", "step", n.step(of, change.Op))})
		}
	}
	var err error
	c.Pack, err = pack.Text()
	return c, err
}

// band is the number of a category; one that is not known counts as other.
func band(c profile.Category) uint8 {
	if i := slices.Index(profile.Categories, c); i >= 0 {
		return uint8(i)
	}
	return uint8(slices.Index(profile.Categories, profile.Other))
}

// origins numbers the operators that ran last at each change, 0 is none.
func (c *courseData) origins(n names, of *profile.Process, m *profile.Memory, pack *page.Pack) {
	number := map[profile.Origin]int{}
	for _, change := range m.Changes {
		if change.Op < 0 {
			pack.Number(0)
			continue
		}
		o := of.Calls[change.Op].Origin()
		at, known := number[o]
		if !known {
			c.Origins = append(c.Origins, originData{n.operator(o), n.say.List(n.place(o.Site, o.Inside), n.module(profile.Share{Origin: o}))})
			at = len(c.Origins)
			number[o] = at
		}
		pack.Number(uint64(at))
	}
}
