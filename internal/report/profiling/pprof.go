package profiling

import (
	"fmt"
	"io"

	pprof "github.com/google/pprof/profile"

	"github.com/torchleak/torchleak/internal/profile"
)

// WritePprof writes a profile that `go tool pprof` and its kin open: memory at the peak of each device, and what was
// allocated within all steps.
func WritePprof(w io.Writer, all []profile.Process) error {
	b := &builder{functions: map[string]*pprof.Function{}, locations: map[call]*pprof.Location{}}
	b.out.SampleType = []*pprof.ValueType{
		{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
		{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"},
	}
	b.out.DefaultSampleType = "inuse_space"
	for i := range all {
		p := &all[i]
		for j := range p.Memories {
			m := &p.Memories[j]
			rows := p.Rows(m)
			for k := range rows {
				b.sample(&rows[k], title(p, m))
			}
		}
	}
	if err := b.out.CheckValid(); err != nil {
		return fmt.Errorf("making a pprof file: %w", err)
	}
	return b.out.Write(w)
}

type builder struct {
	out       pprof.Profile
	functions map[string]*pprof.Function // by file and name
	locations map[call]*pprof.Location
}

func (b *builder) sample(r *profile.Row, device string) {
	s := &pprof.Sample{
		Value: []int64{int64(r.Times), r.Made, int64(r.Count), r.Bytes},
		Label: map[string][]string{"device": {device}, "category": {string(r.Category)}},
	}
	if r.Module != "" {
		s.Label["module"] = []string{r.Module}
	}
	calls := stackOf(r)
	for i := len(calls) - 1; i >= 0; i-- { // the leaf comes first
		s.Location = append(s.Location, b.location(calls[i]))
	}
	b.out.Sample = append(b.out.Sample, s)
}

func (b *builder) location(c call) *pprof.Location {
	l := b.locations[c]
	if l == nil {
		key := c.file + "\x00" + c.name
		f := b.functions[key]
		if f == nil {
			// Without SystemName: pprof would take one for a name of C++, and leave nothing of "<module>".
			f = &pprof.Function{ID: uint64(len(b.functions) + 1), Name: c.name, Filename: c.file}
			b.functions[key] = f
			b.out.Function = append(b.out.Function, f)
		}
		l = &pprof.Location{ID: uint64(len(b.locations) + 1), Line: []pprof.Line{{Function: f, Line: int64(c.line)}}}
		b.locations[c] = l
		b.out.Location = append(b.out.Location, l)
	}
	return l
}
