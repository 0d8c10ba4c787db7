package cli

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
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
			if !mentions(sections, flag) {
				t.Errorf("docs/cli.md does not mention --%s of %s", flag.Name, command.Path())
			}
		}
	}
}

// pages are the commands that have a page of their own, and which; those of one page share it.
var pages = map[string]string{
	"attach": "attach", "bisect": "bisect", "verify": "bisect", "explain oom": "oom", "lint": "lint", "nccl": "nccl", "profile": "profile",
	"smoke": "smoke", "snapshot show": "snapshot", "snapshot diff": "snapshot", "snapshot convert": "snapshot",
	"snapshot simulate": "simulate", "ui": "ui", "watch": "watch",
}

// TestDocumentedOnPages finds every flag of a command on that command's own page.
func TestDocumentedOnPages(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.Name("torchleak"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, command := range parser.Model.Leaves(false) {
		name, ok := pages[words(command.Path())]
		if !ok {
			continue
		}
		found++
		page, err := os.ReadFile("../../docs/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, flag := range command.Flags {
			if !mentions(string(page), flag) {
				t.Errorf("docs/%s.md does not mention --%s of %s", name, flag.Name, command.Path())
			}
		}
	}
	if found != len(pages) {
		t.Errorf("%d of the %d commands with a page exist", found, len(pages))
	}
	titled, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range titled {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".md")
		if strings.HasPrefix(string(text), "# torchleak ") && !slices.Contains(slices.Collect(maps.Values(pages)), name) {
			t.Errorf("docs/%s.md is a command's page, and its flags are not looked for", name)
		}
	}
}

// words is the command of a path, without what it takes.
func words(path string) string {
	var names []string
	for _, word := range strings.Fields(path) {
		if !strings.ContainsAny(word, "<[-") && word != "torchleak" {
			names = append(names, word)
		}
	}
	return strings.Join(names, " ")
}

// mentions reports whether a text has a flag, and not only a longer one that begins alike.
func mentions(text string, flag *kong.Flag) bool {
	return regexp.MustCompile(`--` + flag.Name + `([^a-z-]|$)`).MatchString(text)
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
