package process

import (
	"os"
	"slices"
	"testing"
)

// The two files as Linux writes them, of a shell under ulimit -S -v 4194304 that has no limit on its data.
func TestLimitsOf(t *testing.T) {
	limits := []byte(`Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max data size             unlimited            unlimited            bytes     
Max address space         4294967296           unlimited            bytes     
`)
	status := []byte("Name:\tsh\nVmSize:\t    2576 kB\nVmData:\t     360 kB\n")
	if got, want := limitsOf(limits, status), []Limit{{"address space", 2576 << 10, 4 << 30}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := limitsOf(nil, status); len(got) > 0 {
		t.Errorf("no limit is %v", got)
	}
	if got := limitsOf(limits, []byte("Name:\tsh\nState:\tZ (zombie)\n")); len(got) > 0 {
		t.Errorf("what has ended has %v", got)
	}
}

func TestReadLimits(t *testing.T) {
	if _, err := ReadLimits(os.Getpid()); err != nil {
		t.Error(err)
	}
	if _, err := ReadLimits(1 << 30); err == nil {
		t.Error("a process that is not there has limits")
	}
}
