package diagnose

import (
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
)

// Dataset is the class of the data set that a loader worker reads.
type Dataset struct {
	Class string // qualified name
	File  string // its source, empty when not known
}

// loaderWorker explains a worker that grows. What it keeps is not looked at: its data set's source tells.
func loaderWorker(in Input, m finding.Memory) []*candidate {
	d := in.Datasets[m.Name]
	kept := in.Locator.Keeps(d.Class, d.File)
	if len(kept) == 0 {
		return []*candidate{{memory: m, rule: "TL130", bytes: rate(m)}}
	}
	nearest := &kept[0]
	c := &candidate{memory: m, rule: "TL119", holder: &nearest.Holder, place: nearest.Place, bytes: rate(m)}
	switch nearest.Place.Action {
	case locate.SetItem, locate.SetDefault, locate.Cache:
		c.rule = "TL110"
	}
	return []*candidate{c}
}

// copying explains a worker that copies its parent's pages: it is the data set that was made before the fork.
func copying(in Input, m finding.Memory) []*candidate {
	c := &candidate{memory: m, rule: "TL123", bytes: rate(m)}
	d := in.Datasets[m.Name]
	if k, ok := in.Locator.Shares(d.Class, d.File); ok {
		c.place, c.holder = k.Place, &k.Holder
	}
	return []*candidate{c}
}
