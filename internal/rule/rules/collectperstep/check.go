package collectperstep

import "github.com/torchleak/torchleak/internal/rule"

var check = rule.NoteEveryStep([]string{"gc.collect"}, reason, summary, nil)
