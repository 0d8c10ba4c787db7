package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestDocumented finds every command and flag on docs/cli.md.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	var c commands
	parser, err := kong.New(&c, kong.Name("torchleak"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Children {
		_, section, ok := strings.Cut(string(page), "\n## torchleak "+command.Name)
		if !ok {
			t.Errorf("docs/cli.md has no section on %s", command.Name)
			continue
		}
		section, _, _ = strings.Cut(section, "\n## ")
		for _, flag := range command.Flags {
			if !strings.Contains(section, "--"+flag.Name) {
				t.Errorf("docs/cli.md does not mention --%s of %s", flag.Name, command.Name)
			}
		}
	}
}
