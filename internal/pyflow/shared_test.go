package pyflow

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// What is said of one file must not reach another: values that stand for all of their kind stay as they were made.
func TestSharedValuesStay(t *testing.T) {
	x := NewIndex()
	var files []*pysyntax.File
	for _, pattern := range []string{"../../leaks/*/*.py", "../lint/corpus/testdata/*.py", "../lint/corpus/testdata/*/*.py"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			f, err := pysyntax.ParseFile(p)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
			x.Add(f)
		}
	}
	if len(files) < 100 {
		t.Fatalf("%d files", len(files))
	}
	for _, f := range files {
		x.Module(f)
		if !reflect.DeepEqual(nothing, fixed(0)) || !reflect.DeepEqual(number, fixed(Number)) {
			t.Fatalf("%s: noted on all values: %+v, %+v", f.Path, *nothing, *number)
		}
	}
}
