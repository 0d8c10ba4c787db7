package detect

// teeth follows a saw-tooth: a row of rises that falls back to where it began.
type teeth struct {
	low, high int64 // of the tooth now open
	rose      int64 // rises in it
	began     int64 // step it began at
	count     int64 // teeth completed
	collected int64 // … of which the collector ran in the step that fell
	height    int64 // of the last tooth
	flat      int64 // newest teeth in a row that fell back to where they began
	gained    int64 // by the last tooth, from where it began to where it fell to
	length    int64 // of the last tooth, in steps
}

// observe takes the value at a step, which differs from the one before by change.
func (s *teeth) observe(step, value, change int64, collected bool) {
	if s.began == 0 {
		s.begin(step, value)
		return
	}
	switch {
	case s.rose >= 3 && change > 4*(s.high-s.low): // a jump that dwarfs the tooth: another one begins on it
		s.begin(step, value)
	case change > 0:
		s.rose++
		s.high = max(s.high, value)
	case s.rose >= 3 && s.high-value > (s.high-s.low)/2 && 4*(s.high-s.low) >= s.height:
		s.count++
		s.height, s.gained, s.length = s.high-s.low, value-s.low, step-s.began
		if 8*max(s.gained, -s.gained) <= s.height {
			s.flat++
		} else {
			s.flat = 0
		}
		if collected {
			s.collected++
		}
		s.begin(step, value)
	case value <= s.low:
		s.begin(step, value)
	case s.moved(step, change):
		s.flat = 0
		s.begin(step, value)
	}
}

// moved reports that a tooth will not close any more, which fell as deep as it took many rises to gain, though not by half of
// all: the floor that the ones before it fell back to was left for good, as when what fills meanwhile is full.
func (s *teeth) moved(step, change int64) bool {
	const many = 8
	return s.flat > 0 && step-s.began > 2*s.length && -change*s.rose >= many*(s.high-s.low)
}

func (s *teeth) begin(step, value int64) {
	s.began, s.low, s.high, s.rose = step, value, value, 0
}

// rate is how fast the last tooth rose, a step.
func (s *teeth) rate() float64 { return float64(s.height) / float64(max(1, s.length)) }

// byCollector reports that the collector is what makes the series fall.
func (s *teeth) byCollector() bool { return s.count >= 3 && 5*s.collected >= 4*s.count }

// withinTeeth reports that the growth gained no more since the last tooth than that one did, for nothing, and
// that the floor does not rise with it. One drop of a heap happens for no visible reason.
func (t *track) withinTeeth(exact bool) bool {
	s, g := &t.teeth, t.growth
	if s.flat == 0 || s.flat == 1 && !exact || 4*(t.last().value-s.low) > 5*s.height {
		return false
	}
	return float64(2*s.gained) < g.rate.Mid*float64(s.length)
}
