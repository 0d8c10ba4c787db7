package detect

// teeth follows a saw-tooth: a row of rises that falls back to where it began.
type teeth struct {
	low, high int64 // of the tooth now open
	rose      int64 // rises in it
	begun     bool
	count     int64 // teeth completed
	collected int64 // … of which the collector ran in the step that fell
	height    int64 // of the last tooth
}

// observe takes a value that differs from the one before by change.
func (s *teeth) observe(value, change int64, collected bool) {
	if !s.begun {
		s.begun, s.low, s.high = true, value, value
		return
	}
	switch {
	case change > 0:
		s.rose++
		s.high = max(s.high, value)
	case s.rose >= 3 && s.high-value > (s.high-s.low)/2:
		s.count++
		s.height = s.high - s.low
		if collected {
			s.collected++
		}
		s.low, s.high, s.rose = value, value, 0
	case value <= s.low:
		s.low, s.high, s.rose = value, value, 0
	}
}

// byCollector reports that the collector is what makes the series fall.
func (s *teeth) byCollector() bool { return s.count >= 3 && 5*s.collected >= 4*s.count }
