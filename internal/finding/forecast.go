package finding

import "math"

// Fills notes that a limit is reached after so many steps at the present growth, if no limit that is reached earlier was noted
// before. by says which limit; empty is LimitBytes, the memory's own. Steps of no number, as at no growth, are none.
func (m *Memory) Fills(steps float64, by Bound) {
	if math.IsNaN(steps) || math.IsInf(steps, 0) || m.StepsToOOM != nil && float64(*m.StepsToOOM) <= steps {
		return
	}
	left := int64(max(0, steps))
	m.StepsToOOM, m.EndsBy = &left, by
}

// Takes says how long those steps take where one takes so many seconds.
func (m *Memory) Takes(secondsPerStep float64) {
	if m.StepsToOOM != nil {
		seconds := math.Round(float64(*m.StepsToOOM)*secondsPerStep*10) / 10
		m.SecondsToOOM = &seconds
	}
}

// ForgetEnd takes the forecast back.
func (m *Memory) ForgetEnd() { m.StepsToOOM, m.SecondsToOOM, m.EndsBy = nil, nil, "" }
