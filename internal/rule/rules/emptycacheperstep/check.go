package emptycacheperstep

import "github.com/torchleak/torchleak/internal/rule"

var functions = []string{"torch.cuda.empty_cache", "torch.cuda.memory.empty_cache", "torch.mps.empty_cache",
	"torch.xpu.empty_cache", "torch.accelerator.empty_cache", "torch.accelerator.memory.empty_cache"}

var check = rule.NoteEveryStep(functions, reason, summary, nil)
