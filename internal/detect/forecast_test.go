package detect

import "testing"

// A limit below zero comes from a recording that is damaged: nothing is full in no time by it.
func TestNoRoomIsKnown(t *testing.T) {
	for _, kind := range []string{"host", "device"} {
		for _, limit := range []int64{0, -1} {
			if room, known := New("a", Options{Kind: kind, Limit: limit}).room(); known {
				t.Errorf("%s with a limit of %d: %d bytes are left", kind, limit, room)
			}
		}
		if room, known := New("a", Options{Kind: kind, Limit: 7}).room(); !known || room != 7 {
			t.Errorf("%s: %d bytes are left, %v", kind, room, known)
		}
	}
}
