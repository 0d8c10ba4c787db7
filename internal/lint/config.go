package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// config is what holds for the files of one folder.
type config struct {
	folder  string // what its patterns are relative to
	exclude []string
	rules   ruleSet
	perFile []perFile
	failOn  string
}

// perFile leaves rules out of the files that a pattern means.
type perFile struct {
	pattern string
	ignore  ruleSet
}

// table is [tool.torchleak.lint] as it stands in pyproject.toml.
type table struct {
	Select         *[]string           `toml:"select"`
	Ignore         []string            `toml:"ignore"`
	Exclude        *[]string           `toml:"exclude"`
	ExtendExclude  []string            `toml:"extend-exclude"`
	PerFileIgnores map[string][]string `toml:"per-file-ignores"`
	FailOn         string              `toml:"fail-on"`
}

// pyproject is the part of a pyproject.toml that is ours.
type pyproject struct {
	Tool struct {
		Torchleak *struct {
			Lint *table `toml:"lint"`
		} `toml:"torchleak"`
	} `toml:"tool"`
}

// ConfigError is a configuration that cannot be used: what is wrong, and where.
type ConfigError struct {
	File string
	Line int
	Msg  string
}

func (e *ConfigError) Error() string {
	switch {
	case e.File == "":
		return e.Msg
	case e.Line == 0:
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// configs finds the configuration of each folder: the nearest pyproject.toml with our table, of it or a folder above.
type configs struct {
	opts     Options
	byFolder map[string]*config
	fixed    *config // for all folders, where the options say so
}

// check reads what does not depend on a folder, and says whether the options are sound.
func (c *configs) check() error {
	base, err := c.build(&table{}, "", nil, c.opts.Dir)
	if err != nil {
		return err
	}
	switch {
	case c.opts.Isolated:
		c.fixed = base
	case c.opts.Config != "":
		path := c.opts.Config
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.opts.Dir, path)
		}
		t, text, err := readConfig(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &ConfigError{File: c.opts.Config, Msg: "there is no such file for --config to read"}
		case err != nil:
			return err
		case t == nil:
			return &ConfigError{File: c.opts.Config, Msg: "it has no table [tool.torchleak.lint]"}
		}
		c.fixed, err = c.build(t, path, text, filepath.Dir(path))
		return err
	}
	return nil
}

// of returns the configuration of a folder.
func (c *configs) of(folder string) (*config, error) {
	if c.fixed != nil {
		return c.fixed, nil
	}
	if known := c.byFolder[folder]; known != nil {
		return known, nil
	}
	path := filepath.Join(folder, "pyproject.toml")
	t, text, err := configAt(path)
	if err != nil {
		return nil, err
	}
	var found *config
	switch up := filepath.Dir(folder); {
	case t != nil:
		found, err = c.build(t, path, text, folder)
	case up != folder:
		found, err = c.of(up)
	default:
		found, err = c.build(&table{}, "", nil, c.opts.Dir)
	}
	c.byFolder[folder] = found
	return found, err
}

// configAt reads the table of a pyproject.toml that was not named: it need not be there. A folder that cannot be searched
// is for the walk to say, and what would wait for somebody to write, such as a pipe, is not read.
func configAt(path string) (*table, []byte, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
		return nil, nil, nil
	case err == nil && irregular(info) != "":
		return nil, nil, &ConfigError{File: path, Msg: irregular(info)}
	}
	return readConfig(path)
}

// known says what the table takes.
const known = "[tool.torchleak.lint] takes select, ignore, exclude and extend-exclude, which are lists of strings, per-file-ignores, " +
	"which is a table of such lists, and fail-on, which is a string"

// readConfig reads the table of one file, nil where it has none.
func readConfig(path string) (*table, []byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, &ConfigError{File: path, Msg: unreadable(err)}
	}
	var p pyproject
	decoder := toml.NewDecoder(strings.NewReader(string(text))).DisallowUnknownFields()
	err = decoder.Decode(&p)
	var strict *toml.StrictMissingError
	var broken *toml.DecodeError
	switch {
	case errors.As(err, &strict):
		for _, e := range strict.Errors {
			if key := e.Key(); len(key) > 2 && key[0] == "tool" && key[1] == "torchleak" {
				line, _ := e.Position()
				return nil, nil, &ConfigError{path, line, fmt.Sprintf("unknown key %q; %s", strings.Join(key[2:], "."), known)}
			}
		}
	case errors.As(err, &broken):
		line, _ := broken.Position()
		return nil, nil, &ConfigError{path, line, decodeFault(broken)}
	case err != nil:
		return nil, nil, &ConfigError{File: path, Msg: err.Error()}
	}
	if p.Tool.Torchleak == nil {
		return nil, nil, nil
	}
	return p.Tool.Torchleak.Lint, text, nil
}

// decodeFault says in words of TOML, not of Go, why a file cannot be read.
func decodeFault(err *toml.DecodeError) string {
	said := strings.TrimPrefix(err.Error(), "toml: ")
	if key := err.Key(); len(key) > 0 && strings.HasPrefix(said, "cannot ") {
		return fmt.Sprintf("%s is of the wrong type; %s", strings.Join(key, "."), known)
	}
	return said
}

// build makes a configuration of a table and the options, which come first.
func (c *configs) build(t *table, path string, text []byte, folder string) (*config, error) {
	fail := func(word string, err error) error {
		return &ConfigError{path, lineOf(text, word), err.Error()}
	}
	built := &config{folder: folder, rules: allRules(), failOn: "leak"}
	if t.Select != nil {
		set, word, err := parseRules(*t.Select)
		if err != nil {
			return nil, fail(word, err)
		}
		built.rules = set
	}
	if len(c.opts.Select) > 0 {
		set, _, err := parseRules(c.opts.Select)
		if err != nil {
			return nil, &ConfigError{Msg: "--select: " + err.Error()}
		}
		built.rules = set
	}
	ignored, word, err := parseRules(t.Ignore)
	if err != nil {
		return nil, fail(word, err)
	}
	more, _, err := parseRules(c.opts.Ignore)
	if err != nil {
		return nil, &ConfigError{Msg: "--ignore: " + err.Error()}
	}
	built.rules = built.rules.without(ignored).without(more)
	for _, pattern := range sortedKeys(t.PerFileIgnores) {
		set, word, err := parseRules(t.PerFileIgnores[pattern])
		if err != nil {
			return nil, fail(word, err)
		}
		built.perFile = append(built.perFile, perFile{pattern, set})
	}
	if t.FailOn != "" {
		if !slices.Contains([]string{"leak", "any", "never"}, t.FailOn) {
			return nil, fail(t.FailOn, fmt.Errorf("fail-on is %q, not leak, any or never", t.FailOn))
		}
		built.failOn = t.FailOn
	}
	if c.opts.FailOn != "" {
		built.failOn = c.opts.FailOn
	}
	if err := checkGlobs(c.opts.Exclude); err != nil {
		return nil, &ConfigError{Msg: "--exclude: " + err.Error()}
	}
	if err := checkGlobs(c.opts.ExtendExclude); err != nil {
		return nil, &ConfigError{Msg: "--extend-exclude: " + err.Error()}
	}
	built.exclude = c.excluded(t)
	if err := checkGlobs(append(sortedKeys(t.PerFileIgnores), built.exclude...)); err != nil {
		return nil, &ConfigError{File: path, Msg: err.Error()}
	}
	return built, nil
}

func (c *configs) excluded(t *table) []string {
	exclude := defaultExclude
	if t.Exclude != nil {
		exclude = *t.Exclude
	}
	if len(c.opts.Exclude) > 0 {
		exclude = c.opts.Exclude
	}
	return slices.Concat(exclude, t.ExtendExclude, c.opts.ExtendExclude)
}

// rulesFor returns the rules that hold for the file at path.
func (c *config) rulesFor(path string) ruleSet {
	set := c.rules
	rel, err := filepath.Rel(c.folder, path)
	if err != nil {
		rel = path
	}
	for _, p := range c.perFile {
		if excludes([]string{p.pattern}, filepath.ToSlash(rel), filepath.Base(path)) {
			set = set.without(p.ignore)
		}
	}
	return set
}

// lineOf returns the line of text that says word first, 0 where none does.
func lineOf(text []byte, word string) int {
	at := strings.Index(string(text), "[tool.torchleak")
	if at < 0 || word == "" {
		return 0
	}
	in := strings.Index(string(text[at:]), word)
	if in < 0 {
		return 0
	}
	return strings.Count(string(text[:at+in]), "\n") + 1
}
