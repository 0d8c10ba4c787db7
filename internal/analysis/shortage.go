package analysis

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/oom"
)

// Shortage takes what the process left at path when memory ran out; most never do. It reports whether there is something.
func (p *Process) Shortage(path string) (bool, error) {
	left, err := oom.ReadLeft(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	p.left = left
	return left != nil, err
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
	post := oom.PostMortem(p.left, memory)
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
