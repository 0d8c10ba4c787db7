package finding

// Verdict says what one memory does over the steps.
type Verdict string

// Verdicts, gravest first.
const (
	Leak          Verdict = "leak"
	Outside       Verdict = "outside"
	Cycle         Verdict = "cycle"
	Fragmentation Verdict = "fragmentation"
	Cache         Verdict = "cache"
	Capacity      Verdict = "capacity"
	Bounded       Verdict = "bounded"
	Healthy       Verdict = "healthy"
	Undecided     Verdict = "undecided"
)

// Verdicts lists all verdicts, gravest first.
var Verdicts = []Verdict{Leak, Outside, Cycle, Fragmentation, Cache, Capacity, Bounded, Healthy, Undecided}

// Rank is the verdict's place in Verdicts, 0 for the gravest; an unknown verdict ranks behind all.
func (v Verdict) Rank() int {
	for i, w := range Verdicts {
		if v == w {
			return i
		}
	}
	return len(Verdicts)
}

// Gravest returns the gravest of the verdicts, Undecided for none. One memory that cannot be judged
// yet does not hide that another is healthy or worse.
func Gravest(verdicts ...Verdict) Verdict {
	worst := Undecided
	for _, v := range verdicts {
		if v.Rank() < worst.Rank() {
			worst = v
		}
	}
	return worst
}
