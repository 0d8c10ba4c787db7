package rule

import (
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

func TestRemains(t *testing.T) {
	list := &evidence.Holder{Kind: "container", Path: "feats", Elements: "Tensor"}
	tensor := &evidence.Group{TensorBytes: 1024, StorageBytes: 8192} // a view of an eighth
	for _, test := range []struct {
		suffix, memory string
		holder         *evidence.Holder
		grows          int64
		want           string
	}{
		// Two entries a step: 2 × (1024 + 400) are left of 16384 + 2848 once the views are copied.
		{".clone()", "host", list, 19232, "This ends 16 KiB of the 19 KiB per step; `feats` itself still grows, by 2.8 KiB: bound or empty it."},
		// Without a copy each still keeps its 8192.
		{".detach().cpu()", "host", list, 20480, "This ends 3.2 KiB of the 20 KiB per step; `feats` itself still grows, by 17 KiB: bound or empty it."},
		{".detach()", "host", list, 16384, "`feats` itself still grows, by 16 KiB per step: bound or empty it."},
		{".detach().cpu()", "cuda:0", list, 16384, "`feats` then grows on the host, by 2.0 KiB per step: bound or empty it."},
		{".clone()", "shm", list, 16384, "`feats` then grows on the host, by 2.0 KiB per step: bound or empty it."},
		// An entry of several tensors: no figure that is of one of them.
		{".detach()", "host", &evidence.Holder{Kind: "container", Path: "feats", Elements: "Sample"}, 141312, "`feats` itself still grows: bound or empty it."},
		{".item()", "host", list, 16384, ""},
		{".detach()", "host", &evidence.Holder{Kind: "slot", Path: "state"}, 16384, ""},
		{".detach()", "host", nil, 16384, ""},
	} {
		c := &Case{Memory: finding.Memory{Name: test.memory}, Holder: test.holder, Group: tensor, Elements: 2, BytesPerStep: test.grows}
		if got := c.Remains(test.suffix); got != test.want {
			t.Errorf("%s on %s: %q", test.suffix, test.memory, got)
		}
	}
	// A scalar takes as much of a CUDA device as its allocator hands out: without its graph just as with it.
	scalar := &Case{Memory: finding.Memory{Name: "cuda:0"}, Holder: list, Group: &evidence.Group{TensorBytes: 4, StorageBytes: 4}, Elements: 1, BytesPerStep: 512}
	if got, want := scalar.Remains(".detach()"), "`feats` itself still grows, by 512 B per step: bound or empty it."; got != want {
		t.Errorf("a scalar on a device: %q", got)
	}
	c := &Case{Holder: list, Group: &evidence.Group{TensorBytes: 4, StorageBytes: 4}, Elements: 1, BytesPerStep: 1 << 20}
	if got := c.RemainsWithoutGraph(); got != "" {
		t.Errorf("4 of 1048576 bytes: %q", got)
	}
}
