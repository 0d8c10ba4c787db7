package sentinel

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/torchleak/torchleak/internal/finding"
)

// Config is an --alerts file, docs/sentinel.md.
type Config struct {
	Rules     []Rule     `toml:"rule"`
	Receivers []Receiver `toml:"receiver"`
}

// Rule says when to raise an alarm. Conditions that are 0 are not asked for; the others must all be met.
type Rule struct {
	Name      string            `toml:"name"`
	Severity  string            `toml:"severity"`
	Verdicts  []finding.Verdict `toml:"verdicts"`
	Growth    int64             `toml:"growth"`     // bytes per step, at least
	Steps     int64             `toml:"steps"`      // memory has grown for so many, at least
	OOMWithin Duration          `toml:"oom_within"` // forecast of the end, at most
	Receivers []string          `toml:"receivers"`  // names; none means all
}

// Receiver is who is told, or what is done.
type Receiver struct {
	Name    string   `toml:"name"`
	Kind    string   `toml:"kind"` // a key of kinds
	URL     string   `toml:"url"`
	Secret  string   `toml:"secret"` // of a robot that asks for signatures
	Command []string `toml:"command"`
	Signal  string   `toml:"signal"`
	File    string   `toml:"file"` // written before the signal is sent
	Timeout Duration `toml:"timeout"`
}

// Duration is a time such as 30m.
type Duration struct{ time.Duration }

// UnmarshalText reads a time as Go writes it.
func (d *Duration) UnmarshalText(b []byte) (err error) {
	if d.Duration, err = time.ParseDuration(string(b)); err != nil || d.Duration <= 0 {
		return fmt.Errorf("%q is not a time ahead, such as \"30m\"", b)
	}
	return nil
}

// wanted says what belongs to a key of the file.
var wanted = map[string]string{
	"rule":             "a table of its own for each, begun by [[rule]]",
	"rule.name":        quotedText,
	"rule.severity":    quotedText,
	"rule.verdicts":    "a list of verdicts, such as [\"leak\", \"outside\"]",
	"rule.growth":      "a number of bytes, such as 4096",
	"rule.steps":       "a number of steps, such as 200",
	"rule.oom_within":  quotedTime,
	"rule.receivers":   "a list of receivers' names, such as [\"ops\"]",
	"receiver":         "a table of its own for each, begun by [[receiver]]",
	"receiver.name":    quotedText,
	"receiver.kind":    quotedText,
	"receiver.url":     quotedText,
	"receiver.secret":  quotedText,
	"receiver.command": "a list of the program and its arguments, such as [\"./page.sh\"]",
	"receiver.signal":  quotedText,
	"receiver.file":    quotedText,
	"receiver.timeout": quotedTime,
}

const (
	quotedText = "text in quotes"
	quotedTime = "a time ahead in quotes, such as \"30m\""
)

const (
	defaultTimeout = 10 * time.Second
	maxConfig      = 1 << 20
)

// ReadConfig reads and checks an --alerts file.
func ReadConfig(path string) (Config, error) {
	var c Config
	st, err := os.Stat(path)
	if err != nil {
		return c, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxConfig {
		return c, fmt.Errorf("%s is no configuration file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	if err := toml.NewDecoder(f).DisallowUnknownFields().Decode(&c); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) {
			row, _ := strict.Errors[0].Position()
			return c, fmt.Errorf("%s:%d: %v is not known", path, row, strict.Errors[0].Key())
		}
		var syntax *toml.DecodeError
		if errors.As(err, &syntax) {
			row, _ := syntax.Position()
			if want := wanted[strings.Join(syntax.Key(), ".")]; want != "" {
				return c, fmt.Errorf("%s:%d: %s is %s", path, row, syntax.Key()[len(syntax.Key())-1], want)
			}
			return c, fmt.Errorf("%s:%d: %w", path, row, err)
		}
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// check completes the configuration and says what is wrong with it.
func (c *Config) check() error {
	if len(c.Rules) == 0 {
		return errors.New("there is no [[rule]]")
	}
	names := map[string]bool{}
	for i := range c.Receivers {
		r := &c.Receivers[i]
		if r.Name == "" || names[r.Name] {
			return fmt.Errorf("[[receiver]] %d: each needs a name of its own", i+1)
		}
		names[r.Name] = true
		if r.Name == "." || r.Name == ".." || strings.ContainsRune(r.Name, '/') {
			return fmt.Errorf("receiver %s: its name is that of a directory too, and must be no path", r.Name)
		}
		if r.Name == OpenName || r.Name == SaidName {
			return fmt.Errorf("receiver %s: a file of that name stands beside its directory; give it another", r.Name)
		}
		if err := r.check(); err != nil {
			return fmt.Errorf("receiver %s: %w", r.Name, err)
		}
	}
	rules := map[string]bool{}
	for i := range c.Rules {
		r := &c.Rules[i]
		if r.Name == "" || rules[r.Name] {
			return fmt.Errorf("[[rule]] %d: each needs a name of its own", i+1)
		}
		rules[r.Name] = true
		if err := r.check(names); err != nil {
			return fmt.Errorf("rule %s: %w", r.Name, err)
		}
	}
	return nil
}

func (r *Rule) check(receivers map[string]bool) error {
	if r.Severity == "" {
		r.Severity = "warning"
	}
	if len(r.Verdicts) == 0 {
		r.Verdicts = []finding.Verdict{finding.Leak, finding.Outside}
	}
	for _, v := range r.Verdicts {
		if !slices.Contains(finding.Verdicts, v) {
			return fmt.Errorf("%q is no verdict; they are %s", v, listed(finding.Verdicts))
		}
	}
	if r.Growth < 0 || r.Steps < 0 {
		return errors.New("growth and steps are numbers from 0 on")
	}
	for _, name := range r.Receivers {
		if !receivers[name] {
			return fmt.Errorf("there is no receiver %q", name)
		}
	}
	return nil
}

// listed is all verdicts in words.
func listed(verdicts []finding.Verdict) string {
	var words []string
	for _, v := range verdicts {
		words = append(words, string(v))
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func (r *Receiver) check() error {
	if r.Timeout.Duration == 0 {
		r.Timeout.Duration = defaultTimeout
	}
	switch {
	case formats[r.Kind] != nil:
		if u, err := url.Parse(r.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return errors.New("url must be an http or https address")
		}
		if r.Secret != "" && signers[r.Kind] == nil {
			return errors.New("a secret goes with dingtalk and feishu only")
		}
	case r.Kind == "command":
		if len(r.Command) == 0 {
			return errors.New("command must be a list: the program and its arguments")
		}
	case r.Kind == "signal":
		if signals[r.Signal] == 0 {
			return errors.New("signal must be SIGUSR1, SIGUSR2, SIGTERM or SIGINT")
		}
	default:
		return fmt.Errorf("%q is no kind; they are alertmanager, slack, dingtalk, feishu, command and signal", r.Kind)
	}
	return nil
}

// takes reports whether alerts of the rule go to the receiver of that name.
func (r Rule) takes(receiver string) bool {
	return len(r.Receivers) == 0 || slices.Contains(r.Receivers, receiver)
}
