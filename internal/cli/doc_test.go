package cli

import (
	"os"
	"slices"
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
	for _, command := range parser.Model.Leaves(false) {
		name, _, _ := strings.Cut(command.Path(), " ")
		sections := ""
		for _, section := range strings.Split(string(page), "\n## torchleak ")[1:] {
			if strings.HasPrefix(section, name+" ") {
				section, _, _ = strings.Cut(section, "\n## ")
				sections += section
			}
		}
		if sections == "" {
			t.Errorf("docs/cli.md has no section on %s", name)
		}
		for _, flag := range command.Flags {
			if !strings.Contains(sections, "--"+flag.Name) {
				t.Errorf("docs/cli.md does not mention --%s of %s", flag.Name, command.Path())
			}
		}
	}
}

// A script may give --no-color to every command: the contract has it among the flags that mean the same everywhere.
func TestNoColorEverywhere(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.Name("torchleak"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Leaves(false) {
		if !slices.ContainsFunc(command.Flags, func(f *kong.Flag) bool { return f.Name == "no-color" }) {
			t.Errorf("%s has no --no-color", command.Path())
		}
	}
}
