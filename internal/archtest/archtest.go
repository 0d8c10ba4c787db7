// Package archtest keeps the layout of docs/architecture.md: which package may import which, what
// only some may touch, how long files and functions may grow, and that what is exported is explained.
// It holds no code that the program runs.
package archtest

import "strings"

// layer is a band of packages. A package imports from lower bands only, but for the edges named in
// siblings.
type layer int

const (
	words layer = iota
	reading
	analysing
	running
	wiring
	development
)

var layerNames = [...]string{"words", "reading", "analysing", "running and showing", "wiring", "development"}

func (l layer) String() string { return layerNames[l] }

// layers places every package. An entry that ends in /... places all packages below a folder.
var layers = map[string]layer{
	"internal/finding": words,
	"internal/memory":  words,
	"internal/units":   words,
	"internal/stats":   words,

	"internal/evidence": reading,
	"internal/flight":   reading,
	"internal/oom":      reading,
	"internal/pickle":   reading,
	"internal/process":  reading,
	"internal/pyflow":   reading,
	"internal/pysyntax": reading,
	"internal/snapshot": reading,

	"internal/backend":     analysing,
	"internal/backend/...": analysing,
	"internal/detect":      analysing,
	"internal/diagnose":    analysing,
	"internal/lint":        analysing,
	"internal/locate":      analysing,
	"internal/nccl":        analysing,
	"internal/patch":       analysing,
	"internal/profile":     analysing,
	"internal/ranks":       analysing,
	"internal/recording":   analysing,
	"internal/residence":   analysing,
	"internal/rule":        analysing,
	"internal/rule/...":    analysing,
	"internal/simulate":    analysing,
	"internal/smoke":       analysing,

	"internal/analysis":      running,
	"internal/attach":        running,
	"internal/bisect":        running,
	"internal/experiment":    running,
	"internal/inject":        running,
	"internal/loopback":      running,
	"internal/metrics":       running,
	"internal/nvml":          running,
	"internal/probe":         running,
	"internal/remote":        running,
	"internal/report/...":    running,
	"internal/report/curve":  analysing,
	"internal/report/diff":   analysing,
	"internal/report/page":   analysing,
	"internal/report/phrase": analysing,
	"internal/report/plain":  analysing,
	"internal/sentinel":      running,
	"internal/session":       running,
	"internal/skeleton":      running,
	"internal/ui":            running,
	"internal/watch":         running,
	"internal/verify":        running,

	"internal/cli":  wiring,
	"cmd/torchleak": wiring,

	"":                                 development, // the tests of the documents
	"internal/archtest":                development,
	"internal/dev":                     development,
	"internal/dev/...":                 development,
	"internal/backend/backendtest":     development,
	"internal/report/reporttest":       development,
	"internal/pytorch":                 development,
	"internal/attach/attachtest":       development,
	"internal/recording/recordingtest": development,
	"deploy":                           development,
	"bench/...":                        development,
	"leaks":                            development,
	"leaks/...":                        development,
	"internal/lint/corpus":             development,
	"internal/lint/corpus/...":         development,
}

// siblings are the imports that are wanted within one layer.
var siblings = map[string][]string{
	"internal/pyflow":              {"internal/pysyntax"},
	"internal/snapshot":            {"internal/pickle"},
	"internal/backend/...":         {"internal/backend"},
	"internal/backend/backends":    {"internal/backend/..."},
	"internal/diagnose":            {"internal/detect", "internal/locate", "internal/rule", "internal/rule/..."},
	"internal/lint":                {"internal/patch", "internal/rule", "internal/rule/..."},
	"internal/nccl":                {"internal/rule", "internal/rule/..."},
	"internal/patch":               {"internal/locate"},
	"internal/report/page":         {"internal/report/phrase", "internal/report/plain"},
	"internal/profile":             {"internal/recording", "internal/residence"},
	"internal/ranks":               {"internal/recording"},
	"internal/report/diff":         {"internal/patch"},
	"internal/report/phrase":       {"internal/smoke"},
	"internal/rule":                {"internal/locate", "internal/patch"},
	"internal/rule/rules":          {"internal/rule", "internal/rule/..."},
	"internal/rule/...":            {"internal/locate", "internal/patch", "internal/rule"},
	"internal/attach":              {"internal/probe"},
	"internal/bisect":              {"internal/experiment"},
	"internal/experiment":          {"internal/analysis", "internal/session"},
	"internal/ui":                  {"internal/loopback", "internal/report/html"},
	"internal/verify":              {"internal/experiment"},
	"internal/session":             {"internal/analysis", "internal/inject", "internal/metrics", "internal/probe"},
	"bench/fleet":                  {"internal/dev/engine"},
	"bench/watch":                  {"internal/dev/engine", "internal/recording/recordingtest"},
	"internal/nvml":                {"internal/metrics"},
	"internal/remote":              {"internal/metrics"},
	"internal/watch":               {"internal/analysis", "internal/inject", "internal/loopback", "internal/metrics"},
	"internal/report/machine":      {"internal/metrics"},
	"cmd/torchleak":                {"internal/cli"},
	"leaks/...":                    {"leaks"},
	"internal/lint/corpus/...":     {"internal/lint/corpus"},
	"internal/backend/backendtest": {"internal/backend", "internal/dev/need", "internal/pytorch"},
	"internal/attach/attachtest":   {"internal/dev/engine", "internal/pytorch"},
	"internal/dev/engine":          {"internal/dev/need"},
	"internal/pytorch":             {"internal/dev/need"},
	"internal/report/reporttest":   {"internal/dev/need"},
}

// restriction keeps one import or one name to the packages that have a reason for it.
type restriction struct {
	what string // an import path, with a name behind a # to mean that name only
	who  []string
	why  string
}

var runningUp = []string{"internal/analysis", "internal/attach", "internal/inject", "internal/probe", "internal/remote", "internal/sentinel", "internal/session", "internal/watch", "internal/cli", "internal/experiment", "internal/bisect",
	"cmd/torchleak", "", "internal/dev", "internal/dev/...", "internal/archtest", "internal/backend/backendtest", "internal/attach/attachtest", "internal/pytorch", "internal/report/reporttest", "bench/...", "leaks", "leaks/..."}

// restrictions on the standard library.
var restrictions = []restriction{
	{"net", []string{"internal/dev/engine", "internal/loopback", "internal/ui", "internal/watch"}, "torchleak talks to no network but where it is asked to"},
	{"net/http", []string{"internal/dev/engine", "internal/remote", "internal/sentinel", "internal/ui", "internal/watch"}, "torchleak talks to no network but where it is asked to"},
	{"os/exec", runningUp, "what reads, judges or shows must not start processes"},
	{"time#Now", append([]string{"internal/pysyntax"}, runningUp...),
		"the clock is passed in, so that results can be repeated; a parser may hold a deadline"},
	{"time#Sleep", runningUp, "the clock is passed in, so that results can be repeated"},
	{"os#Stdout", []string{"internal/cli", "cmd/torchleak", "internal/dev", "internal/dev/...", "bench/...", "leaks/...", "internal/lint/corpus/..."}, "writers are passed in"},
	{"os#Stderr", []string{"internal/cli", "cmd/torchleak", "internal/dev", "internal/dev/...", "bench/...", "leaks/...", "internal/lint/corpus/..."}, "writers are passed in"},
	{"os#Exit", []string{"cmd/torchleak", "internal/dev", "internal/dev/...", "bench/...", "leaks/...", "internal/lint/corpus/..."}, "exit codes are decided in one place"},
}

// thirdParty lists every module that is not ours, or a part of one, with its users.
var thirdParty = []restriction{
	{"github.com/alecthomas/kong", []string{"internal/cli"}, "commands and flags are the wiring's"},
	{"github.com/google/pprof", []string{"internal/report/profiling"}, "profiles are written for its viewer"},
	{"github.com/bluekeyes/go-gitdiff/gitdiff", []string{"internal/verify"}, "patches of others are read in one place"},
	{"github.com/klauspost/compress", []string{"internal/snapshot"}, "snapshots may be compressed"},
	{"github.com/therootcompany/xz", []string{"internal/snapshot"}, "snapshots may be compressed"},
	{"github.com/prometheus/client_golang", []string{"internal/metrics", "internal/remote", "internal/watch"}, "series are made in one place, and served or sent in one"},
	{"github.com/prometheus/client_model", []string{"internal/metrics"}, "series are made in one place"},
	{"google.golang.org/protobuf", []string{"internal/remote"}, "one message is written by hand"},
	{"github.com/prometheus/common", []string{"internal/metrics"}, "series are made in one place"},
	{"github.com/pelletier/go-toml/v2", []string{"internal/lint", "internal/sentinel"}, "only the linter and the alarms have a configuration file"},
	{"github.com/tree-sitter/go-tree-sitter", []string{"internal/pysyntax"}, "one package knows the parser"},
	{"github.com/tree-sitter/tree-sitter-python/bindings/go", []string{"internal/pysyntax"}, "one package knows the parser"},
	{"golang.org/x/sys", []string{"internal/session"}, "only what watches processes calls the system"},
	{"github.com/google/go-cmp", []string{"internal/backend/backendtest", "internal/report/reporttest"},
		"differences are shown in tests"},
	{"golang.org/x/term", []string{"internal/cli"}, "writers are asked there whether they are a terminal"},
}

// module is the path that our own imports begin with.
const module = "github.com/torchleak/torchleak/"

// covers says whether pattern, a path or a folder followed by /..., means path.
func covers(pattern, path string) bool {
	if folder, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(path, folder+"/")
	}
	return pattern == path
}

func covered(patterns []string, path string) bool {
	for _, p := range patterns {
		if covers(p, path) {
			return true
		}
	}
	return false
}

// layerOf returns the layer of a package; the longest entry that covers it counts.
func layerOf(path string) (found layer, ok bool) {
	best := -1
	for pattern, l := range layers {
		if covers(pattern, path) && len(pattern) > best {
			best, found, ok = len(pattern), l, true
		}
	}
	return found, ok
}
