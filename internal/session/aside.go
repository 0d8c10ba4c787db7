package session

import "time"

// aside does one slow thing at a time beside the polling: how soon a suspicion is acted on depends on the pace of that.
type aside[T any] struct {
	answer chan T // nil while nothing is being done
}

func (a *aside[T]) busy() bool { return a.answer != nil }

// start begins to do it.
func (a *aside[T]) start(do func() T) {
	answer := make(chan T, 1)
	a.answer = answer
	go func() { answer <- do() }()
}

// done returns what came of it, once it is done; it waits for that no longer than the patience.
func (a *aside[T]) done(patience time.Duration) (result T, ok bool) {
	if !a.busy() {
		return result, false
	}
	select {
	case result = <-a.answer:
		a.answer = nil
		return result, true
	case <-time.After(patience):
		return result, false
	}
}
