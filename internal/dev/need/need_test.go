package need

import (
	"runtime"
	"testing"
)

// ending notes how a test was ended.
type ending struct {
	testing.TB
	failed, skipped bool
}

func (e *ending) Helper()               {}
func (e *ending) Fatalf(string, ...any) { e.failed = true; runtime.Goexit() }
func (e *ending) Skip(...any)           { e.skipped = true; runtime.Goexit() }

// What is required is named as a whole: cuda is not asked for by cuda-toolkit.
func TestLacks(t *testing.T) {
	for required, failed := range map[string]bool{"": false, "torch,cuda": true, "cuda": true, "torch": false, "cuda-toolkit": false} {
		t.Setenv("TORCHLEAK_REQUIRE", required)
		var e ending
		done := make(chan bool)
		go func() {
			defer close(done)
			Lacks(&e, "cuda", "no CUDA device")
		}()
		<-done
		if e.failed != failed || e.skipped == failed {
			t.Errorf("required %q: failed %v, skipped %v", required, e.failed, e.skipped)
		}
	}
}
