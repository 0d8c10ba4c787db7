package analysis

// Together tells the processes of a run on one machine what the others gain of its memory, as each was last forecast: the limit
// that they share is reached the sooner. What has failed gains nothing any more, nor what was over before the other began.
func Together(processes []*Process) {
	for _, p := range processes {
		p.beside = 0
		for _, q := range processes {
			if p != q && p.beganWhile(q) && q.beganWhile(p) {
				p.beside += q.gains()
			}
		}
	}
}

// beganWhile reports whether q was not over when p began, as far as that is known.
func (p *Process) beganWhile(q *Process) bool {
	newest := q.wall(q.asks.now)
	return newest == 0 || newest >= p.hello.StartWall
}

// gains is how many bytes a second all that leaks takes of the host's memory.
func (p *Process) gains() float64 {
	if e := p.end; e != nil && e.Status != 0 && e.Status != interrupt {
		return 0
	}
	return p.growth
}
