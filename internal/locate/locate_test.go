package locate

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

const project = "/home/ada/project"

// load returns a Locator over the files of an archive, which lie in the project unless their names are absolute.
func load(a *txtar.Archive) (*Locator, map[string]string) {
	files := map[string]string{}
	for _, f := range a.Files {
		path := f.Name
		if !filepath.IsAbs(path) {
			path = filepath.Join(project, path)
		}
		files[path] = string(f.Data)
	}
	return New(func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}, project), files
}

// TestWrites reads archives whose comment is a holder and whose sources mark each place that Writes must return,
// and no other, with "# want N: action target <- value".
func TestWrites(t *testing.T) {
	archives(t, "writes", func(t *testing.T, a *txtar.Archive) {
		var in struct {
			evidence.Holder
			Consider []string
		}
		if err := json.Unmarshal(a.Comment, &in); err != nil {
			t.Fatal(err)
		}
		l, files := load(a)
		l.Consider(in.Consider...)
		var got []string
		for _, p := range l.Writes(in.Holder) {
			got = append(got, fmt.Sprintf("%s:%d: %s", p.Location.File, p.Location.Line, describe(p)))
		}
		if d := cmp.Diff(marked(files, "want"), got); d != "" {
			t.Error(d)
		}
		for _, w := range l.Warnings() {
			t.Error(w)
		}
	})
}

// TestFlow reads archives whose sources mark the statement that stores with "# store", the one that Evaluation must
// return with "# model" and the one that Origin must return with "# made"; no mark, nothing returned.
func TestFlow(t *testing.T) {
	archives(t, "flow", func(t *testing.T, a *txtar.Archive) {
		l, files := load(a)
		var frames []finding.Frame
		if len(a.Comment) > 0 {
			if err := json.Unmarshal(a.Comment, &frames); err != nil {
				t.Fatal(err)
			}
		} else {
			file, line, _ := strings.Cut(marked(files, "store")[0], ":")
			n, err := strconv.Atoi(strings.TrimSuffix(line, ": "))
			if err != nil {
				t.Fatal(err)
			}
			frames = []finding.Frame{{File: file, Line: n}}
		}
		for path := range files {
			l.Consider(path)
		}
		p, ok := l.At(frames)
		if !ok {
			t.Fatal("the store was not found")
		}
		var model, made []string
		if e, ok := l.Evaluation(p); ok {
			model = append(model, fmt.Sprintf("%s:%d: ", e.Location.File, e.Location.Line))
		}
		if frames := l.Origin(p); len(frames) > 0 {
			made = append(made, fmt.Sprintf("%s:%d: ", frames[0].File, frames[0].Line))
		}
		if d := cmp.Diff(marked(files, "model"), model); d != "" {
			t.Errorf("evaluation: %s", d)
		}
		if d := cmp.Diff(marked(files, "made"), made); d != "" {
			t.Errorf("origin: %s", d)
		}
	})
}

func archives(t *testing.T, folder string, run func(*testing.T, *txtar.Archive)) {
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no test data", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			run(t, a)
		})
	}
}

func describe(p Place) string {
	s := fmt.Sprintf("%s %s <- %s", p.Action, p.Target, p.Value)
	for _, flag := range []struct {
		on   bool
		name string
	}{{p.InLoop, "loop"}, {p.Seen, "seen"}, {p.GradOff, "gradoff"}} {
		if flag.on {
			s += " " + flag.name
		}
	}
	return strings.Join(strings.Fields(s), " ")
}

var mark = regexp.MustCompile(`# (want|store|model|made)(?: (\d+): ([^#\r]*[^#\r ]))?`)

// marked returns what the marks of one word say, in the order of their numbers.
func marked(files map[string]string, word string) []string {
	byNumber := map[string]string{}
	var numbers []string
	for path, text := range files {
		rel, err := filepath.Rel(project, path)
		if err != nil || strings.HasPrefix(rel, "..") {
			rel = path
		}
		for i, line := range strings.Split(text, "\n") {
			for _, m := range mark.FindAllStringSubmatch(line, -1) {
				if m[1] == word {
					numbers = append(numbers, m[2])
					byNumber[m[2]] = fmt.Sprintf("%s:%d: %s", rel, i+1, m[3])
				}
			}
		}
	}
	sort.Strings(numbers)
	var all []string
	for _, n := range numbers {
		all = append(all, byNumber[n])
	}
	return all
}
