package simulate

var (
	errDivisions     = refuse("For roundups, the divisions has to be power of 2")
	errListDivisions = refuse("For roundups, the divisions has to be power of 2 or 0 to disable roundup")
	errIntervals     = refuse("For roundups, the intervals have to be power of 2")
)

// divisions reads roundup_power2_divisions: one number for all sizes, or [MB:number,...,>:number].
func (p *confParser) divisions() error {
	v, err := p.value()
	if err != nil {
		return err
	}
	if v == "[" {
		return p.divisionList()
	}
	d, err := stoull(v)
	if err != nil {
		return err
	}
	if d == 0 || d&(d-1) != 0 {
		return errDivisions
	}
	for i := range p.settings.Divisions {
		p.settings.Divisions[i] = d
	}
	return nil
}

func (p *confParser) divisionList() error {
	table := &p.settings.Divisions
	*table = [16]uint64{}
	last := -1
	for first := true; ; first = false {
		p.at++
		bound, err := p.token()
		if err != nil || bound == "]" {
			return err
		}
		v, err := p.value()
		if err != nil {
			return err
		}
		d, err := stoull(v)
		if err != nil {
			return err
		}
		if d != 0 && d&(d-1) != 0 {
			return errListDivisions
		}
		if bound == ">" {
			for i := last + 1; i < len(table); i++ {
				table[i] = d
			}
		} else if last, err = divisionBound(bound); err != nil {
			return err
		} else {
			table[last] = d
			for i := 0; first && i < last; i++ {
				table[i] = d
			}
		}
		p.at++
		switch end, err := p.token(); {
		case err != nil:
			return err
		case end == "]":
			return nil
		}
	}
}

func divisionBound(text string) (int, error) {
	mb, err := stoull(text)
	if err != nil {
		return 0, err
	}
	if mb == 0 || mb&(mb-1) != 0 {
		return 0, errIntervals
	}
	return min(log2(mb), 15), nil
}
