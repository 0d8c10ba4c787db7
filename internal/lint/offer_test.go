package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

// A finding of a run gets the patch that lint has for its statement, wherever the loop stands; others stay as they are.
func TestOffer(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"bank.py": "class Bank:\n    def __init__(self):\n        self.tokens = []\n\n    def add(self, t):\n        self.tokens.append(t[:, 0].detach())\n",
		"train.py": "import torch\nfrom bank import Bank\n\ndef train(model, optimizer, loader):\n    bank = Bank()\n    for x in loader:\n        out = model(x)\n" +
			"        out.mean().backward()\n        optimizer.step()\n        bank.add(out)\n    return bank.tokens[-2:]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(file string, line int, rule string) finding.Finding {
		return finding.Finding{Rule: rule, Location: &finding.Location{File: file, Line: line}, Fix: &finding.Fix{Summary: "words"}}
	}
	findings := []finding.Finding{at("bank.py", 6, "TL113"), at("train.py", 10, "TL119"), at("gone.py", 1, "TL113")}
	Offer(findings, dir, nil)
	if fix := findings[0].Fix; !strings.Contains(fix.Diff, "+        del self.tokens[:-2]\n") || fix.Safe || !strings.HasPrefix(fix.Summary, "Keep the newest 2 of `self.tokens` only") {
		t.Errorf("%+v", *fix)
	}
	for _, f := range findings[1:] {
		if f.Fix.Diff != "" {
			t.Errorf("%s:%d got %s", f.Location.File, f.Location.Line, f.Fix.Diff)
		}
	}
}

// Where lint has no patch of a statement, the one that the run has is taken.
func TestOfferElse(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cache.py"), []byte("class Cache:\n    def put(self, k, v):\n        self.kept[k] = v\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := &finding.Fix{Summary: "Keep the newest 8.", Diff: "--- a/cache.py\n"}
	findings := []finding.Finding{{Rule: "TL119", Location: &finding.Location{File: "cache.py", Line: 3}, Fix: &finding.Fix{Summary: "words", Else: other}}}
	Offer(findings, dir, nil)
	if findings[0].Fix != other {
		t.Errorf("%+v", *findings[0].Fix)
	}
}

// A run that had other text in the place of a file gets the patch of that text.
func TestOfferReplaced(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const text = "import torch\n\ndef train(model, optimizer, loader):\n    total = 0\n    for x in loader:\n        loss = model(x).mean()\n" +
		"        loss.backward()\n        optimizer.step()\n        total += loss\n    return float(total)\n"
	path := filepath.Join(dir, "train.py")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	findings := []finding.Finding{{Rule: "TL103", Location: &finding.Location{File: "train.py", Line: 10}, Fix: &finding.Fix{Summary: "words"}}}
	Offer(findings, dir, map[string][]byte{path: []byte("# new\n" + text)})
	if fix := findings[0].Fix; !strings.Contains(fix.Diff, "@@ -7,5 +7,5 @@") || !strings.Contains(fix.Diff, "+        total += loss.detach()\n") {
		t.Errorf("%+v", *fix)
	}
}

// Lint's patch is offered only where it ends what the run saw: nothing that takes a graph away from what has none, and
// nothing where the run knows why not.
func TestOfferFits(t *testing.T) {
	dir := t.TempDir()
	const text = "import torch\nfrom torch import nn\n\nclass Attention(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
		"        self.log = []\n        self.proj = nn.Linear(8, 8)\n\n    def forward(self, x):\n        att = self.proj(x).softmax(-1)\n        self.log.append(att)\n        return att\n"
	if err := os.WriteFile(filepath.Join(dir, "model.py"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	at := func(fix finding.Fix) finding.Finding {
		fix.Summary = "words"
		return finding.Finding{Rule: "TL101", Location: &finding.Location{File: "model.py", Line: 12}, Fix: &fix}
	}
	findings := []finding.Finding{at(finding.Fix{Remains: "The rest."}), at(finding.Fix{GraphFree: true, Remains: "The rest."}), at(finding.Fix{Alone: true})}
	Offer(findings, dir, nil)
	for i, want := range []struct{ diff, summary string }{
		{"+        self.log.append(att.detach())\n", "Keep it without its graph (`.detach()`)"},
		{"+        del self.log[:-8]\n", "Keep the newest 8 of `self.log` only"},
	} {
		if fix := findings[i].Fix; !strings.Contains(fix.Diff, want.diff) || !strings.HasPrefix(fix.Summary, want.summary) {
			t.Errorf("%d: %+v", i, *fix)
		}
	}
	for i, want := range []bool{true, false} { // the second patch empties the list
		if got := strings.HasSuffix(findings[i].Fix.Summary, " The rest."); got != want {
			t.Errorf("%d: the rest is named: %v", i, got)
		}
	}
	if fix := findings[2].Fix; fix.Diff != "" || fix.Summary != "words" {
		t.Errorf("advised against: %+v", *fix)
	}
}
