package analysis

// Together tells the processes of a run on one machine what the others gain of its memory, as each was last forecast: the limit
// that they share is reached the sooner. What has failed gains nothing any more.
func Together(processes []*Process) {
	total := 0.0
	for _, p := range processes {
		total += p.gains()
	}
	for _, p := range processes {
		p.beside = max(0, total-p.gains())
	}
}

// gains is how many bytes a second all that leaks takes of the host's memory.
func (p *Process) gains() float64 {
	if e := p.end; e != nil && e.Status != 0 && e.Status != interrupt {
		return 0
	}
	return p.growth
}
