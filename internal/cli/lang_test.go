package cli

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// --lang means the same for every command, and each says something in the language.
func TestLang(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"leak.py":  "import torch\nkept = []\nfor x in data:\n    loss = net(x)\n    loss.backward()\n    optimizer.step()\n    kept.append(loss)\n",
		"clean.py": "x = 1\n",
		"n.log":    "h:1:1 [0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 2 cudaDev 0 busId 60 commId 0x9 - Init COMPLETE\n",
		"split.log": "h:1:1 [0] NCCL INFO ncclCommSplit comm 0x2 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 60 parent 0x1 splitCount 1 color 7 key 0 - Init COMPLETE\n" +
			"h:1:1 [0] NCCL INFO Init timings - ncclCommSplit: rank 0 nranks 2 total 0.04 (kernels 0.00, alloc 0.00)\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	han := regexp.MustCompile(`\p{Han}`)
	for _, c := range []struct {
		args string
		says string
	}{
		{"lint leak.py", "TL102 kept-loss 存下的"},
		{"lint --output-format concise clean.py", "1 个文件中没有发现泄漏模式"},
		{"lint --diff leak.py", "将被修改"},
		{"nccl n.log", "建立 1 次"},
		{"init --list", "训练循环"},
		{"init plain new", "已写入"},
		{"doctor", "主机堆"},
		{"explain TL101", ""},
		{"nccl split.log", "ncclCommSplit，2 个 rank，color 7，0.04 s"},
		{"attach 4194304", "没有这个编号的进程"},
		{"report", "这里的 .torchleak 下没有记录"},
		{"snapshot show n.log", "快照是 torch.cuda.memory._dump_snapshot"},
	} {
		_, said := called(t, append(strings.Fields(c.args), "--lang", "zh")...)
		if !han.MatchString(said) || !strings.Contains(said, c.says) {
			t.Errorf("%s: %q, want %q", c.args, said, c.says)
		}
	}
	// The others are asked for the flag alone: they need a training, or a recording.
	parser, err := kong.New(&commands{}, kong.Name(""), kong.KindMapper(reflect.String, kong.MapperFunc(asGiven)))
	if err != nil {
		t.Fatal(err)
	}
	for _, leaf := range parser.Model.Leaves(true) {
		found := false
		for _, group := range leaf.AllFlags(true) {
			for _, flag := range group {
				found = found || flag.Name == "lang"
			}
		}
		if name := strings.TrimSpace(leaf.FullPath()); !found && name != "snapshot convert" { // which writes a file, and says nothing
			t.Errorf("%s has no --lang", name)
		}
	}
}
