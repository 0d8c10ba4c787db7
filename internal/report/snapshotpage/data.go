package snapshotpage

import (
	"fmt"
	"slices"

	"github.com/torchleak/torchleak/internal/report/page"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/snapshot"
)

// data is what the script draws. No list in it is ever null, so the script need not ask.
type data struct {
	Words   map[string]string `json:"words"`
	Frames  []frameData       `json:"frames"`
	Stacks  []stackData       `json:"stacks"`
	Devices []deviceData      `json:"devices"`
}

type frameData struct {
	Place    string `json:"place"`
	Function string `json:"function"`
}

type stackData struct {
	Site   string `json:"site"`
	Frames []int  `json:"frames"` // outermost first
}

type deviceData struct {
	Name    string       `json:"name"`
	Entries int          `json:"entries"`
	Every   int          `json:"every"` // entries that one point of the curve stands for
	Unit    int64        `json:"unit"`  // bytes that the curve counts in
	Older   int64        `json:"older"` // bytes in use when the trace began
	Bands   []page.Band  `json:"bands"`
	Steps   []int        `json:"steps"` // entries at which one ended
	OOM     []int        `json:"oom"`
	Clock   clockData    `json:"clock"`
	Lanes   []string     `json:"lanes"` // streams and pools of segments
	Asked   int          `json:"asked"`
	Moments []momentData `json:"moments"`
	Pack    string       `json:"pack"` // the curve, then the state of every moment
}

type clockData struct {
	Every int     `json:"every"`
	Micro []int64 `json:"micro"`
}

type momentData struct {
	Entry int    `json:"entry"`
	Name  string `json:"name"`
}

// words are the sentences the script says itself.
var words = append(slices.Clone(page.CourseWords), "snap.all", "snap.share", "snap.free", "snap.pending", "snap.asked", "snap.born", "snap.older",
	"snap.segment", "snap.expandable", "snap.keysmap", "snap.thinned", "snap.oldbrowser", "snap.nothing", "snap.point", "snap.floor")

func newData(s Snapshot, say *phrase.Catalogue) (data, error) {
	d := data{Words: map[string]string{}, Devices: []deviceData{}}
	for _, key := range words {
		d.Words[string(key)] = say.Say(key)
	}
	t := newTable(s, say)
	for i := range s.Devices {
		one, err := t.device(&s.Devices[i])
		if err != nil {
			return d, err
		}
		d.Devices = append(d.Devices, one)
	}
	d.Frames, d.Stacks = t.frames, t.stacks
	return d, nil
}

// table numbers frames and stacks.
type table struct {
	names
	frames  []frameData
	stacks  []stackData
	frameNo map[snapshot.Frame]int
}

func newTable(s Snapshot, say *phrase.Catalogue) *table {
	return &table{names: newNames(s, say), frames: []frameData{}, stacks: []stackData{}, frameNo: map[snapshot.Frame]int{}}
}

// maxFrames bounds the frames of a stack, the innermost are kept.
const maxFrames = 100

func (t *table) device(p *residence.Picture) (deviceData, error) {
	whole := p.Moments[p.Asked].Summary
	d := deviceData{Name: fmt.Sprintf("cuda:%d", whole.Index), Entries: whole.Events, Every: p.Curve.Every, Unit: quantum, Older: p.Curve.Older, Bands: []page.Band{}, Steps: []int{},
		OOM: append([]int{}, p.OutOfMemory...), Clock: clockData{p.Clock.Every, append([]int64{}, p.Clock.Micro...)}, Lanes: []string{}, Asked: p.Asked}
	for i, site := range p.Curve.Bands {
		d.Bands = append(d.Bands, page.Band{Name: t.site(site), Class: fmt.Sprintf("c%d", i)})
	}
	d.Bands = append(d.Bands, page.Band{Name: t.say.Say("snap.others"), Class: "others"}, page.Band{Name: t.say.Say("snap.before"), Class: "before"})
	for _, step := range whole.Levels {
		d.Steps = append(d.Steps, step.Event)
	}
	var pack packer
	pack.curve(p.Curve)
	stackNo := map[uint32]int{}
	lanes := map[snapshot.Lane]int{}
	for _, state := range p.Moments {
		d.Moments = append(d.Moments, momentData{state.Moment.Event, t.moment(state.Summary)})
		pack.state(state, func(x residence.Block) (stack, band int) {
			n, ok := stackNo[x.Stack]
			if !ok {
				n = t.stack(p, x)
				stackNo[x.Stack] = n
			}
			return n, p.Band(x)
		}, func(seg residence.Segment) int {
			n, ok := lanes[seg.Lane]
			if !ok {
				n = len(d.Lanes)
				lanes[seg.Lane] = n
				d.Lanes = append(d.Lanes, t.lane(seg.Lane))
			}
			return n
		})
	}
	var err error
	d.Pack, err = pack.Text()
	return d, err
}

// stack adds the stack of a block and returns its number.
func (t *table) stack(p *residence.Picture, x residence.Block) int {
	frames := p.Frames(x)
	frames = frames[:min(len(frames), maxFrames)]
	s := stackData{Site: t.site(p.Site(x)), Frames: []int{}}
	for _, f := range slices.Backward(frames) {
		n, ok := t.frameNo[f]
		if !ok {
			n = len(t.frames)
			t.frameNo[f] = n
			t.frames = append(t.frames, frameData{t.place(f.File, f.Line), plain.Text(f.Function)})
		}
		s.Frames = append(s.Frames, n)
	}
	t.stacks = append(t.stacks, s)
	return len(t.stacks) - 1
}
