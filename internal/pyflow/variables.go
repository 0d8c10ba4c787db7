package pyflow

// variables are those of a frame on one way through it: what the way has changed, on top of what was before. A branch
// costs what it changes, not what there is.
type variables struct {
	below *variables
	own   map[string]*value // nil is a variable that was deleted
}

// get returns what name is bound to, nil where it is not.
func (s *variables) get(name string) *value {
	for ; s != nil; s = s.below {
		if v, ok := s.own[name]; ok {
			return v
		}
	}
	return nil
}

func (s *variables) set(name string, v *value) {
	if s.own == nil {
		s.own = map[string]*value{}
	}
	s.own[name] = v
}

// over returns variables on top of s, which must stay as they are until these are absorbed or given up.
func (s *variables) over() *variables { return &variables{below: s} }

// changed calls do with what was set in s since base, which lies below it; with some names more than once.
func (s *variables) changed(base *variables, do func(name string)) {
	for ; s != base; s = s.below {
		for name := range s.own {
			do(name)
		}
	}
}

// absorb sets in s what was set on top of it.
func (s *variables) absorb(top *variables) {
	top.changed(s, func(name string) { s.set(name, top.get(name)) })
}
