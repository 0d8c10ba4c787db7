package verify

import "slices"

// Change is one change that may be kept by itself.
type Change struct {
	Name    string // for people
	Path    string // the file it is in
	Outcome *Outcome
	Kept    bool
	Why     string // it was not kept
}

// Choose finds the changes that hold: all together, or else one by one, each on top of those that were kept before. make
// returns the files with the changes of the given places. At most so many runs are made.
func (b *Bench) Choose(changes []Change, make func(places []int) ([]File, error), runs int) (Outcome, error) {
	all := places(len(changes))
	whole, err := b.attempt("with all fixes", all, make)
	if err != nil {
		return whole, err
	}
	b.leaveUnrun(changes)
	if whole.Holds() {
		for i := range changes {
			changes[i].Kept = changes[i].Why == ""
		}
		return whole, nil
	}
	if len(changes) == 1 && changes[0].Why == "" {
		changes[0].Why = whole.Reason
		return whole, nil
	}
	var kept []int
	last, rate := whole, b.Growth.Rate
	for i := range changes {
		if changes[i].Why != "" {
			continue
		}
		if b.made >= runs {
			changes[i].Why = "the runs were used up"
			continue
		}
		o, err := b.attempt("with "+changes[i].Name, append(kept[:len(kept):len(kept)], i), make)
		if err != nil {
			return o, err
		}
		changes[i].Outcome = &o
		if why := useless(o, rate, b.Growth.Rate); why != "" {
			changes[i].Why = why
			continue
		}
		kept, last, rate = append(kept, i), o, o.Rate
		if o.Holds() {
			break
		}
	}
	for _, i := range kept {
		changes[i].Kept = last.Holds()
		if !last.Holds() {
			changes[i].Why = "it ends a part of the growth only"
		}
	}
	for i := range changes {
		if !changes[i].Kept && changes[i].Why == "" {
			changes[i].Why = "the growth ends without it"
		}
	}
	return last, nil
}

// leaveUnrun drops the changes in files that the training does not run: nothing was proven of them.
func (b *Bench) leaveUnrun(changes []Change) {
	for i, c := range changes {
		if path, err := real(c.Path); err != nil || !slices.Contains(b.ran, path) {
			changes[i].Why = "the training does not run this file"
		}
	}
}

// leastShare is the part of the growth that a change must end to be of use.
const leastShare = 0.1

// useless says why a change is not built upon.
func useless(o Outcome, before, base float64) string {
	switch {
	case o.Holds():
		return ""
	case o.Losses.Compared > 0 && !o.Losses.Same():
		return o.Losses.String()
	case o.Broke:
		return o.Reason
	case before-o.Rate < leastShare*base:
		return "it ends no growth"
	}
	return ""
}

func (b *Bench) attempt(what string, chosen []int, make func([]int) ([]File, error)) (Outcome, error) {
	files, err := make(chosen)
	if err != nil {
		return Outcome{}, err
	}
	return b.Try(what, files)
}

func places(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
