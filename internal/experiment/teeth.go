package experiment

import "slices"

// tooth is a row of rises that falls back, such as what is gathered over an epoch and let go at its end.
type tooth struct {
	height, length int64 // in the counter's unit, and in steps
	gained         int64 // from where it began to where it fell to
}

// teeth returns the teeth that readings consist of; none where they do not fall back again and again over at least half of
// the steps. What a tooth gathers is no growth without end: that is what the floor gains, from one fall to the next.
func teeth(steps, values []int64) []tooth {
	var found []tooth
	var covered, tallest int64
	began, low, high, rises := 0, values[0], values[0], 0
	begin := func(i int) { began, low, high, rises = i, values[i], values[i], 0 }
	for i := 1; i < len(values); i++ {
		v, height := values[i], high-low
		switch {
		case v > values[i-1]:
			rises++
			high = max(high, v)
		case rises >= leastRises && high-v > height/2 && low-v > height/2: // the heap became smaller, or this is not the tooth's own beginning
			begin(i)
		case rises >= leastRises && high-v > height/2 && alike*height >= tallest:
			if height > alike*tallest { // what was seen before were ripples
				found, covered, tallest = nil, 0, 0
			}
			last := tooth{height, steps[i] - steps[began], v - low}
			found = append(found, last)
			covered, tallest = covered+last.length, max(tallest, height)
			begin(i)
		case v <= low:
			begin(i)
		}
	}
	open := values[len(values)-1] - low
	if len(found) < leastTeeth || 4*open > 5*tallest || 2*covered < steps[len(steps)-1]-steps[0] {
		return nil
	}
	return found
}

const (
	leastTeeth = 2
	leastRises = 3
	alike      = 4 // times that teeth of one row may be as high as each other
)

// floor is by how much the floor of teeth rises a step, in the middle; of two the larger.
func floor(all []tooth) float64 {
	var rates []float64
	for _, t := range all {
		rates = append(rates, float64(t.gained)/float64(t.length))
	}
	slices.Sort(rates)
	return rates[len(rates)/2]
}
