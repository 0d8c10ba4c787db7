package analysis

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/oom"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/simulate"
	"github.com/torchleak/torchleak/internal/snapshot"
)

// Shortage takes what the process left when memory ran out; most never do. It reports whether there is something.
func (p *Process) Shortage(proc recording.Process) (bool, error) {
	left, err := oom.ReadLeft(proc.Shortage())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p.left = left
	p.settings, err = settings(proc.History(), left.Memory)
	return true, err
}

// settings are those that the process's own allocation history says would have helped; nil where it left none.
func settings(path, memory string) (*oom.Simulated, error) {
	s, err := snapshot.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, d := range s.Devices {
		if memory != "cuda:"+strconv.Itoa(d.Index) {
			continue
		}
		result, err := simulate.Simulate(simulate.Recorded(s, d), simulate.Options{})
		if errors.Is(err, simulate.ErrNoTrace) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		out := &oom.Simulated{Tried: len(result.Configs)}
		for _, a := range result.Advice {
			out.Helping = append(out.Helping, oom.Setting{Conf: a.Conf, Rescues: a.Effect == simulate.Rescues, Saved: int64(a.Saved)})
		}
		return out, nil
	}
	return nil, nil
}

// postMortem is what is known of the newest time that memory ran out; nil where it never did.
func (p *Process) postMortem(memories []finding.Memory) *finding.PostMortem {
	if p.left == nil {
		return nil
	}
	var memory *finding.Memory
	if i := slices.IndexFunc(memories, func(m finding.Memory) bool { return m.Name == p.left.Memory }); i >= 0 {
		memory = &memories[i]
	}
	post := oom.PostMortem(p.left, memory, p.settings)
	p.shorten(post.At)
	for i := range post.Lines {
		p.shorten(post.Lines[i].Frames)
	}
	for i := range post.Largest {
		if at := post.Largest[i].At; at != nil {
			at.File = p.short(at.File)
		}
	}
	return post
}

// forgetForecasts leaves out when the memory that ran out will run out: it did, at a limit that the forecast did not know. What
// else takes the host's memory ended with it.
func forgetForecasts(r *finding.Report) {
	host := r.OOM.Memory == "host"
	for i := range r.Memories {
		if m := &r.Memories[i]; m.Name == r.OOM.Memory || host && m.Kind != "device" {
			m.ForgetEnd()
		}
	}
	if r.Host != nil && host {
		r.Host.StepsToOOM, r.Host.SecondsToOOM, r.Host.EndsBy = nil, nil, ""
	}
}

func (p *Process) shorten(frames []finding.Frame) {
	for i := range frames {
		frames[i].File = p.short(frames[i].File)
	}
}

// short is a path below the training's folder as seen from there.
func (p *Process) short(path string) string {
	if inside, err := filepath.Rel(p.hello.Cwd, path); err == nil && filepath.IsLocal(inside) {
		return inside
	}
	return path
}
