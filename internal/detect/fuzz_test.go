package detect

import (
	"encoding/binary"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
)

// FuzzObserve feeds what a damaged or hostile recording could hold: any values, any steps, any flags, any
// confirmations. Nothing may panic or hang, and the report must keep its promises.
func FuzzObserve(f *testing.F) {
	f.Add([]byte("device"), uint8(0))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 9, 1, 0, 0, 0, 0, 0, 0, 0, 1, 9, 2, 255, 255, 255, 255, 255, 255, 255, 127, 3}, uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		kinds := []string{"device", "host", "pinned", "shm", "worker", ""}
		d := New("m", Options{Kind: kinds[int(kind)%len(kinds)], Limit: int64(kind) << 30})
		step := int64(0)
		for ; len(data) >= 10; data = data[10:] {
			step += int64(int8(data[0]))
			v := int64(binary.LittleEndian.Uint64(data[1:]))
			s := memory.Sample{Step: step, Nanos: v, Flags: data[9] & 31}
			for i := range s.V {
				s.V[i] = v >> (i % 3 * 8)
			}
			for range 1 + int(data[9]>>4)*8 { // growth of any size, some steps long
				d.Observe(s)
				s.Step++
				s.V[0] += v >> 40
				s.V[2] += v >> 50
			}
			step = s.Step
			if _, ok := d.Suspicion(); ok {
				d.Confirm(Confirmation{Step: step, Survivors: data[0]&1 > 0, Cycle: data[0]&2 > 0, Bound: int64(data[0] & 4), BytesPerStep: v})
			}
		}
		m := d.Memory()
		if m.Verdict.Rank() >= len(finding.Verdicts) || m.Steps == nil || m.Series == nil || len(m.Steps) > maxPoints {
			t.Errorf("%+v", m)
		}
		for name, line := range m.Series {
			if len(line) != len(m.Steps) {
				t.Errorf("%s has %d points for %d steps", name, len(line), len(m.Steps))
			}
		}
		d.Warmup()
	})
}
