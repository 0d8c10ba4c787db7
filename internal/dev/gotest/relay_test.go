package main

import (
	"strings"
	"testing"
)

func TestRelay(t *testing.T) {
	const stream = `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"quiet\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB/sub","Output":"    b_test.go:3: loud\n"}
{"Action":"fail","Package":"p","Test":"TestB/sub"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:9: no device\n"}
{"Action":"skip","Package":"p","Test":"TestC"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
{"Action":"fail","Package":"p"}
{"ImportPath":"q","Action":"build-output","Output":"q.go:1: syntax error\n"}
{"Action":"fail","Package":"q"}
not json
`
	var out strings.Builder
	got, err := relay(strings.NewReader(stream), &out)
	if err != nil {
		t.Fatal(err)
	}
	// TestB and its subtest, and package q that does not build.
	if want := (tally{passed: 1, failed: 3, skipped: 1}); got != want {
		t.Errorf("tally %+v, want %+v", got, want)
	}
	if want := "1 passed, 3 failed, 1 skipped"; got.String() != want {
		t.Errorf("said %q, want %q", got, want)
	}
	for _, want := range []string{"loud", "no device", "FAIL\tp", "syntax error", "not json"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "quiet") {
		t.Errorf("output shows a test that passed:\n%s", out.String())
	}
}

func TestRunWithoutAnyTestFails(t *testing.T) {
	var out, errs strings.Builder
	if code := run([]string{"-run", "NoSuchTest", "."}, &out, &errs); code != 1 {
		t.Errorf("exit %d, want 1: %s%s", code, out.String(), errs.String())
	}
}
