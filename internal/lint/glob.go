package lint

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// glob matches slash-separated paths: * and ? stay within a name, ** spans folders.
type glob struct{ rx *regexp.Regexp }

var globs sync.Map // pattern → glob: the same few patterns meet every file

func newGlob(pattern string) glob {
	if g, ok := globs.Load(pattern); ok {
		return g.(glob)
	}
	expression, _ := globExpression(pattern)
	g := glob{regexp.MustCompile("^(?:" + expression + ")$")}
	globs.Store(pattern, g)
	return g
}

func (g glob) match(path string) bool { return g.rx.MatchString(path) }

// checkGlobs refuses patterns of ours that can hardly mean what they say. Those of .gitignore are git's to judge.
func checkGlobs(patterns []string) error {
	for _, p := range patterns {
		if _, whole := globExpression(p); !whole {
			return fmt.Errorf(`the pattern %q opens a set of characters with [ and does not end it; \[ is the character`, p)
		}
	}
	return nil
}

// globExpression translates a pattern; what is no valid set of characters stands for itself, and the pattern is not whole.
func globExpression(pattern string) (expression string, whole bool) {
	whole = true
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case strings.HasPrefix(pattern[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(pattern[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '[':
			end := strings.IndexByte(pattern[min(i+2, len(pattern)):], ']')
			set := ""
			if end >= 0 {
				set = classExpression(pattern[i+1 : i+2+end])
			}
			if set == "" {
				b.WriteString(`\[`)
				whole = false
				continue
			}
			b.WriteString(set)
			i += 2 + end
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	return b.String(), whole
}

// classExpression translates the inside of [...], empty where that is no set.
func classExpression(set string) string {
	negate := ""
	if set[0] == '!' || set[0] == '^' {
		negate, set = "^", set[1:]
	}
	if set == "" {
		return ""
	}
	set = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "^", `\^`, "&", `\&`, "~", `\~`).Replace(set)
	expression := "[" + negate + set + "]"
	if _, err := regexp.Compile(expression); err != nil {
		return ""
	}
	return expression
}

// excludes reports whether one of the patterns leaves out path, which is relative to the folder that the patterns
// stand in: a pattern without a slash meets the name of any folder or file, another one the path.
func excludes(patterns []string, path, name string) bool {
	for _, p := range patterns {
		p = strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
		if p == "" {
			continue
		}
		if strings.Contains(p, "/") {
			if newGlob(strings.TrimPrefix(p, "/")).match(path) {
				return true
			}
			continue
		}
		if newGlob(p).match(name) {
			return true
		}
	}
	return false
}
