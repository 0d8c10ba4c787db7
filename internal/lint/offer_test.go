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
	Offer(findings, dir)
	if fix := findings[0].Fix; !strings.Contains(fix.Diff, "+        del self.tokens[:-2]\n") || fix.Safe || fix.Summary != "words" {
		t.Errorf("%+v", *fix)
	}
	for _, f := range findings[1:] {
		if f.Fix.Diff != "" {
			t.Errorf("%s:%d got %s", f.Location.File, f.Location.Line, f.Fix.Diff)
		}
	}
}
