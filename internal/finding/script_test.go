package finding

import (
	"strings"
	"testing"
)

func TestScript(t *testing.T) {
	for want, line := range map[string]string{
		"train.py": "torchrun --nproc-per-node 2 train.py --data x.csv", "pkg.train": "python -m pkg.train", "./job": "./job --lr 1", "": "",
	} {
		if got := (Target{Argv: strings.Fields(line)}).Script(); got != want {
			t.Errorf("%q is known by %q", line, got)
		}
	}
}
