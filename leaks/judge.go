package leaks

import (
	"path/filepath"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
)

// Place says how near the findings came to the statement to change.
type Place int

// Places, best last.
const (
	NoPlace Place = iota
	Later         // among the second and third finding
	First
)

// Score is what one run of one program earned.
type Score struct {
	VerdictOK  bool
	FalseAlarm bool // a program that does not leak was called leak
	// The rest holds for programs that leak only.
	Place    Place
	RuleOK   bool
	HolderOK bool // of cases whose memory something in Python holds
	Detected bool
	Latency  int64 // steps from the onset, or from the end of the warm-up where the growth is older, to detection
}

// Judge compares a report with what the case expects of the program.
func Judge(c *Case, program string, report *finding.Report) Score {
	var s Score
	if program == "fixed.py" || !c.Leaks() {
		accepted := append([]finding.Verdict{c.Verdict}, c.Also...)
		if program == "fixed.py" {
			accepted = []finding.Verdict{finding.Healthy, finding.Bounded}
		}
		s.VerdictOK = slices.Contains(accepted, report.Verdict)
		s.FalseAlarm = report.Verdict == finding.Leak
		return s
	}
	s.VerdictOK = report.Verdict == c.Verdict || slices.Contains(c.Also, report.Verdict)
	for i, f := range report.Findings {
		if i < 3 && c.marked(f.Location) {
			s.Place = Later
			if i == 0 {
				s.Place = First
			}
			break
		}
	}
	if len(report.Findings) > 0 {
		s.RuleOK = slices.Contains(c.Rules, report.Findings[0].Rule)
		s.HolderOK = c.held(report.Findings[0].Holder)
	}
	s.Latency, s.Detected = latency(c, report)
	return s
}

// marked says whether the location covers a marked statement. The program is compared by name only:
// it ran in a copy of the folder.
func (c *Case) marked(at *finding.Location) bool {
	if at == nil {
		return false
	}
	for _, m := range c.Marks {
		if m.File == filepath.Base(at.File) && at.Line <= m.Line && m.Line <= max(at.Line, at.EndLine) {
			return true
		}
	}
	return false
}

func (c *Case) held(h *finding.Holder) bool {
	if h == nil {
		return false
	}
	for _, re := range c.holder {
		if re.MatchString(h.Path) || re.MatchString(h.Type) || re.MatchString(h.Through) {
			return true
		}
	}
	return false
}

func latency(c *Case, report *finding.Report) (int64, bool) {
	onset := report.Steps.Warmup
	if c.Onset != nil {
		onset = max(onset, *c.Onset)
	}
	for _, m := range report.Memories {
		if m.Verdict == report.Verdict && m.DetectedAtStep != nil {
			return max(0, *m.DetectedAtStep-onset), true
		}
	}
	return 0, false
}
