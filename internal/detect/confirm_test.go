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

// One window of a period that the counters have shown three times is proof; two rises and one window are not, and the
// fuller answer that follows still counts.
func TestBriefAnswer(t *testing.T) {
	play := func(steps int64) *Detector {
		d := New("host", Options{Kind: "host"})
		for i := range steps {
			s := bare("host", i+1)
			s.V[0] = 1<<30 + (i+1)/10*524288
			d.Observe(s)
			d.Suspicion()
		}
		return d
	}
	two, three := play(25), play(33)
	for _, d := range []*Detector{two, three} {
		d.Confirm(Confirmation{Step: d.facts.steps, Survivors: true, BytesPerStep: 52000, Brief: true})
	}
	if m := two.Memory(); m.Verdict == "leak" || !two.doubt.open {
		t.Errorf("%s after two rises and one window, answered: %v", m.Verdict, !two.doubt.open)
	}
	if m := three.Memory(); m.Verdict != "leak" || *m.DetectedAtStep != 33 || *m.Period != 10 {
		t.Errorf("%s (%s) after three rises and one window", m.Verdict, m.Why)
	}
	two.Confirm(Confirmation{Step: 25, Survivors: true, BytesPerStep: 52000})
	if m := two.Memory(); m.Verdict != "leak" {
		t.Errorf("%s (%s) after the whole answer", m.Verdict, m.Why)
	}
}

// The memory rose in each of the first steps: a look is worth its price before growth can be told from noise, once.
func TestHunch(t *testing.T) {
	d := New("host", Options{Kind: "host"})
	asked := []int64{}
	for i, used := range []int64{100e6, 101e6, 101.01e6, 101.02e6, 100.9e6, 101e6, 100.9e6, 101e6, 100.95e6} {
		s := bare("host", int64(i+1))
		s.V[0] = used
		d.Observe(s)
		if _, ok := d.Suspicion(); ok {
			asked = append(asked, s.Step)
		}
	}
	if len(asked) != 0 {
		t.Errorf("asked at %v although one rise is nearly all", asked)
	}
	d = New("host", Options{Kind: "host"})
	for i := range int64(4) {
		s := bare("host", i+1)
		s.V[0] = 100e6 + i*(9000+i*100)
		d.Observe(s)
	}
	if s, ok := d.Suspicion(); !ok || s.Step != 4 || s.Period != 1 {
		t.Errorf("not asked at step 4: %+v", s)
	}
}

// The first evaluation makes buffers besides what it keeps: it counts among the three rises, if it lies a period before the
// second.
func TestBriefAnswerAfterBuffers(t *testing.T) {
	play := func(first int64) *Detector {
		d := New("cuda:0", Options{Kind: "device"})
		for step := int64(1); step <= 33; step++ {
			used := int64(1 << 30)
			if step >= first {
				used += 8 << 20
			}
			if step >= 20 {
				used += (step/10 - 1) * 524288
			}
			d.Observe(load(int(step-1), used))
			d.Suspicion()
		}
		d.Confirm(Confirmation{Step: 33, Survivors: true, BytesPerStep: 52000, Brief: true})
		return d
	}
	if m := play(10).Memory(); m.Verdict != "leak" || *m.DetectedAtStep != 33 || *m.Period != 10 {
		t.Errorf("%s (%s) although the first rise, with the buffers, came a period before the second", m.Verdict, m.Why)
	}
	if m := play(6).Memory(); m.Verdict == "leak" {
		t.Errorf("leak after two rises and one window: what came before them came at another time")
	}
}

// One window's answer is kept in mind until the counters have shown the period too; a fuller answer ends that.
func TestBriefAnswerKept(t *testing.T) {
	play := func(after func(*Detector)) *Detector {
		d := New("host", Options{Kind: "host"})
		for i := range int64(40) {
			s := bare("host", i+1)
			s.V[0] = 1<<30 + (i+1)/10*524288
			d.Observe(s)
			if i+1 == 25 {
				d.Confirm(Confirmation{Step: 25, Survivors: true, BytesPerStep: 52000, Brief: true})
				after(d)
			}
		}
		return d
	}
	if m := play(func(*Detector) {}).Memory(); m.Verdict != "leak" || *m.DetectedAtStep != 30 {
		t.Errorf("%s (%s) when the third rise came", m.Verdict, m.Why)
	}
	if m := play(func(d *Detector) { d.Confirm(Confirmation{Step: 25}) }).Memory(); m.Verdict == "leak" {
		t.Error("leak although the whole answer found nothing")
	}
}
