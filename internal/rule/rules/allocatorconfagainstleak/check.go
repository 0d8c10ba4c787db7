package allocatorconfagainstleak

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

var variables = []string{"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF"}

// check looks for the variable's name and its value as two strings of one assignment or call.
func check(p *rule.Pass) {
	f := p.File
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.String || !names(f.Text(r)) {
			continue
		}
		statement := f.Statement(r)
		for s := range f.Walk(statement) {
			if f.Kind(s) == pysyntax.String && s != r && doubtful(f.Text(s)) && sets(f, r, s) {
				p.Report(rule.Mark{At: statement, Severity: rule.Remark, Why: reason, Fix: &rule.Edit{Summary: summary}})
				break
			}
		}
	}
}

func names(text string) bool {
	text = strings.Trim(text, `"'`)
	for _, v := range variables {
		if text == v {
			return true
		}
	}
	return false
}

// doubtful reports whether a setting is one of those that are passed on as a cure.
func doubtful(value string) bool {
	if strings.Contains(value, "expandable_segments:True") {
		return false
	}
	return strings.Contains(value, "max_split_size_mb:") || strings.Contains(value, "garbage_collection_threshold:")
}

// sets reports whether value is what the variable is given: os.environ[name] = value, setdefault(name, value).
func sets(f *pysyntax.File, name, value pysyntax.Ref) bool {
	switch holder := f.Parent(value); f.Kind(holder) {
	case pysyntax.Assignment:
		return f.Within(name, f.Child(holder, pysyntax.FieldLeft))
	case pysyntax.ArgumentList:
		return f.Parent(name) == holder
	case pysyntax.Pair:
		return f.Within(name, holder)
	}
	return false
}
