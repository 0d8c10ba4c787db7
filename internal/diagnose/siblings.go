package diagnose

import (
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
)

// siblings takes elements of one container, each of which leads to a tensor of a group, out of owned and returns a
// candidate for the container: log._computed for log._computed[0][1][10] and log._computed[0][1][11]. The container
// was not seen to grow in every window, but what lies below it did.
func siblings(e *evidence.Evidence, owned map[int][]*evidence.Group) []*candidate {
	byStem := map[string]*candidate{}
	var found []*candidate
	for i := range e.Groups {
		g := &e.Groups[i]
		stem, first := commonStem(e, g)
		if stem == "" || grown(g.Count) <= 0 || len(owned[first.ID]) == 0 {
			continue
		}
		for _, id := range g.Holders {
			delete(owned, id)
		}
		c := byStem[stem]
		if c == nil {
			c = &candidate{evidence: e, holder: &evidence.Holder{
				ID: -1, Kind: "container", Path: stem, Root: first.Root, Scope: first.Scope, Through: first.Through, Hook: first.Hook,
			}}
			byStem[stem] = c
			found = append(found, c)
		}
		c.groups = append(c.groups, g)
	}
	return found
}

// commonStem is the path of the container that at least two of a group's holders are elements of, with one of them;
// empty where they are not. The name that the newest tensor was made under may lead to it as well.
func commonStem(e *evidence.Evidence, g *evidence.Group) (stem string, first *evidence.Holder) {
	elements := 0
	for _, id := range g.Holders {
		h := holderByID(e, id)
		if h == nil || h.Kind != "slot" || len(h.Bytes) > 0 {
			return "", nil
		}
		at := strings.IndexByte(h.Path, '[')
		if at < 0 {
			continue
		}
		if at == 0 || len(h.Writes) > 0 || first != nil && h.Path[:at] != stem {
			return "", nil
		}
		stem, first = h.Path[:at], h
		elements++
	}
	if elements < 2 {
		return "", nil
	}
	return stem, first
}

func holderByID(e *evidence.Evidence, id int) *evidence.Holder {
	for i := range e.Holders {
		if e.Holders[i].ID == id {
			return &e.Holders[i]
		}
	}
	return nil
}
