package peakasgrowth

import (
	"bytes"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/rule"
)

var functions = []string{"torch.cuda.max_memory_allocated", "torch.cuda.memory.max_memory_allocated",
	"torch.cuda.max_memory_reserved", "torch.cuda.memory.max_memory_reserved"}

var check = rule.NoteEveryStep(functions, reason, summary, func(p *rule.Pass, _ *pyflow.Call) bool {
	return !bytes.Contains(p.File.Source, []byte("reset_peak_memory_stats")) && !bytes.Contains(p.File.Source, []byte("reset_max_memory"))
})
