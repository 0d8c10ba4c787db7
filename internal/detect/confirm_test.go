package detect

import "testing"

// An answer that comes in three parts waits no longer for the next request than one that comes at once, and the
// last part counts even when the first proved nothing.
func TestAnswerInParts(t *testing.T) {
	grow := func() *Detector {
		d := New("cuda:0", Options{Kind: "device"})
		for i := range 30 {
			d.Observe(load(i, 1<<30+int64(i)*512))
		}
		if _, ok := d.Suspicion(); !ok {
			t.Fatal("growth in every step is not suspected")
		}
		return d
	}
	whole, parts := grow(), grow()
	whole.Confirm(Confirmation{Step: 30})
	for range 3 {
		parts.Confirm(Confirmation{Step: 30})
	}
	if whole.doubt.until != parts.doubt.until {
		t.Errorf("asked again at step %d after one answer, at %d after three parts of it", whole.doubt.until, parts.doubt.until)
	}
	parts.Confirm(Confirmation{Step: 30, Survivors: true})
	if m := parts.Memory(); m.Verdict != "leak" {
		t.Errorf("%s (%s) after the last part proved survivors", m.Verdict, m.Why)
	}
}

// Evidence that another memory asked for makes no memory wait that did not ask.
func TestAnswerToAnother(t *testing.T) {
	d := New("host", Options{Kind: "host"})
	for i := range 20 {
		s := bare("host", int64(i+1))
		s.V[0] = 1 << 30
		d.Observe(s)
	}
	d.Confirm(Confirmation{Step: 20})
	if d.doubt.unfounded != 0 {
		t.Error("counted as an unfounded request")
	}
	for i := 20; i < 40; i++ {
		s := bare("host", int64(i+1))
		s.V[0] = 1<<30 + int64(i)*8192
		d.Observe(s)
	}
	if _, ok := d.Suspicion(); !ok {
		t.Error("growth that began later is not suspected")
	}
}
