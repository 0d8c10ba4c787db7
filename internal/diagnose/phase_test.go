package diagnose

import (
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

func TestParting(t *testing.T) {
	module := finding.Frame{File: "train.py", Line: 58, Function: "<module>"}
	main := func(line int) finding.Frame { return finding.Frame{File: "train.py", Line: line, Function: "main"} }
	validate := finding.Frame{File: "train.py", Line: 33, Function: "validate"}
	record := finding.Frame{File: "history.py", Line: 4, Function: "record"}
	for _, test := range []struct {
		name            string
		ran, wrote      []finding.Frame
		want            int
		whatThisFrameIs string
	}{
		{"beside each other", []finding.Frame{validate, main(53), module}, []finding.Frame{main(54), module}, 1, "val = validate(model)"},
		{"in one statement", []finding.Frame{validate, main(53), module}, []finding.Frame{record, main(53), module}, 1, "record(validate(model))"},
		{"at the same line", []finding.Frame{main(53), module}, []finding.Frame{main(53), module}, 0, "history.append(model(x))"},
		{"nothing in common", []finding.Frame{validate}, []finding.Frame{record, module}, -1, ""},
	} {
		if got := parting(test.ran, test.wrote); got != test.want {
			t.Errorf("%s: frame %d, not %d: %s", test.name, got, test.want, test.whatThisFrameIs)
		}
	}
}
