package diagnose

import (
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
)

// Python says at which of a statement's lines it was; the report says where the statement begins.
func TestFramesBeginTheirStatement(t *testing.T) {
	const source = "def step(model, x):\n    loss = criterion(\n        model(x),\n        x,\n    )\n    return loss\n"
	l := locate.New(func(string) ([]byte, error) { return []byte(source), nil }, "/train")
	for line, want := range map[int]int{2: 2, 3: 2, 4: 2, 6: 6} {
		frames := shortened(l, []finding.Frame{{File: "/train/train.py", Line: line, Function: "step"}})
		if frames[0].Line != want || frames[0].File != "train.py" {
			t.Errorf("line %d: %+v", line, frames[0])
		}
	}
}
