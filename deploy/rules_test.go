// Package deploy_test holds the files for other engines to what they say, by those engines' own tools.
package deploy_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/dev/engine"
	"github.com/torchleak/torchleak/internal/metrics"
)

func TestRules(t *testing.T) {
	promtool := engine.Need(t, "promtool", "prometheus")
	for _, args := range [][]string{{"check", "rules", "torchleak.rules.yml"}, {"test", "rules", "torchleak.test.yml"}} {
		cmd := exec.Command(promtool, args...)
		cmd.Dir = "prometheus"
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// Rules ask for series that the agent serves.
func TestRulesNameMetrics(t *testing.T) {
	text, err := os.ReadFile("prometheus/torchleak.rules.yml")
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]bool{}
	for _, d := range metrics.Catalogue() {
		served[d.Name] = true
	}
	asked := 0
	for _, word := range strings.FieldsFunc(string(text), func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz_:", r) }) {
		if strings.HasPrefix(word, "torchleak_") {
			asked++
			if !served[word] {
				t.Errorf("the rules ask for %s, which nobody serves", word)
			}
		}
	}
	if asked == 0 {
		t.Error("the rules ask for nothing")
	}
}
