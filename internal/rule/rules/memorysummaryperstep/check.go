package memorysummaryperstep

import "github.com/torchleak/torchleak/internal/rule"

var functions = []string{"torch.cuda.memory_summary", "torch.cuda.memory.memory_summary",
	"torch.cuda.memory_snapshot", "torch.cuda.memory.memory_snapshot"}

var check = rule.NoteEveryStep(functions, reason, summary, nil)
