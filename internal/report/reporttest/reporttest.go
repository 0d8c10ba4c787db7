// Package reporttest holds what the tests of all reports share: sample reports and golden files.
package reporttest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/torchleak/torchleak/internal/finding"
)

var update = flag.Bool("update", false, "rewrite golden files")

// folder is internal/report/testdata, wherever the test runs.
func folder() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "testdata")
}

// Names lists the sample reports.
func Names(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder(), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sample reports in %s: %v", folder(), err)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".json")
	}
	return files
}

// Source returns the bytes of the sample report called name.
func Source(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder(), name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Load returns the sample report called name. A field the report does not have is an error.
func Load(t testing.TB, name string) finding.Report {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(Source(t, name)))
	decoder.DisallowUnknownFields()
	var r finding.Report
	if err := decoder.Decode(&r); err != nil {
		t.Fatalf("sample report %s: %v", name, err)
	}
	return r
}

// Golden compares got with testdata/name of the package under test. A difference leaves got beside it
// as name.got; -update takes it over.
func Golden(t testing.TB, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -update to write it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		if err := os.WriteFile(path+".got", got, 0o644); err != nil {
			t.Error(err)
		}
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}
