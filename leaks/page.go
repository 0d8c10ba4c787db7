package leaks

import (
	"fmt"
	"io"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
)

// Origin says where and how results were made.
type Origin struct {
	Command string
	Machine string
	Date    string
}

func count(right, all int) string { return fmt.Sprintf("%d of %d", right, all) }

func (f Figure) value() string {
	if f.Share {
		return fmt.Sprintf("%.1f %%", 100*f.Value)
	}
	return fmt.Sprintf("%.4g", f.Value)
}

func (f Figure) limit() string {
	sign := "≥"
	if f.Most {
		sign = "≤"
	}
	if f.Share {
		return fmt.Sprintf("%s %.0f %%", sign, 100*f.Limit)
	}
	return fmt.Sprintf("%s %.4g", sign, f.Limit)
}

// Miss says in words what a result got wrong; it is empty for a result without fault.
func (r *Result) Miss() string {
	if r.Err != nil {
		return r.Err.Error()
	}
	var wrong []string
	if !r.Score.VerdictOK {
		wrong = append(wrong, fmt.Sprintf("verdict %s instead of %s%s", r.Report.Verdict, r.expected(), r.reason()))
	}
	if r.Program == "train.py" && r.Case.Leaks() {
		at, rule, holder := "none", "none", "none"
		if len(r.Report.Findings) > 0 {
			at, rule, holder = place(&r.Report.Findings[0])
		}
		switch r.Score.Place {
		case NoPlace:
			wrong = append(wrong, "statement "+at)
		case Later:
			wrong = append(wrong, "statement not first, first is "+at)
		}
		if !r.Score.RuleOK {
			wrong = append(wrong, fmt.Sprintf("rule %s instead of %s", rule, strings.Join(r.Case.Rules, "|")))
		}
		if !r.Score.HolderOK && len(r.Case.Holder) > 0 {
			wrong = append(wrong, "holder "+holder)
		}
		if !r.Score.Detected && r.Case.Verdict == finding.Leak {
			wrong = append(wrong, "no step of detection")
		}
	}
	return strings.Join(wrong, "; ")
}

// reason is why the memory that gave the run its verdict has it, in brackets; empty where no memory was judged.
func (r *Result) reason() string {
	for _, m := range r.Report.Memories {
		if m.Verdict == r.Report.Verdict {
			return fmt.Sprintf(" (%s %s)", m.Name, m.Why)
		}
	}
	return ""
}

func place(f *finding.Finding) (at, rule, holder string) {
	at, rule, holder = "none", f.Rule, "none"
	if f.Location != nil {
		at = fmt.Sprintf("%s:%d", f.Location.File, f.Location.Line)
	}
	if f.Holder != nil {
		holder = f.Holder.Path + " (" + f.Holder.Type + ")"
	}
	return at, rule, holder
}

func (r *Result) expected() string {
	if r.Program == "fixed.py" {
		return "healthy|bounded"
	}
	words := []string{string(r.Case.Verdict)}
	for _, v := range r.Case.Also {
		words = append(words, string(v))
	}
	return strings.Join(words, "|")
}

// Torches lists the releases of torch in the results, in order of appearance.
func Torches(results []Result) []string {
	var torches []string
	for i := range results {
		if t := results[i].Report.Target.Torch; t != "" && !strings.Contains(strings.Join(torches, " ")+" ", t+" ") {
			torches = append(torches, t)
		}
	}
	return torches
}

// Page writes the results as Markdown: the figures, every miss, then every result.
func Page(w io.Writer, results []Result, origin Origin) error {
	var b strings.Builder
	b.WriteString("# Accuracy on leaks/\n\nGenerated; do not edit. Each case runs under `torchleak run` as it would for a user, in a copy without its marks.\n\n")
	fmt.Fprintf(&b, "- command: `%s`\n- date: %s\n- machine: %s\n- torch: %s\n- runs: %d\n\n",
		origin.Command, origin.Date, origin.Machine, strings.Join(Torches(results), ", "), len(results))
	b.WriteString("| figure | reached | | wanted | |\n|---|---|---|---|---|\n")
	for _, f := range Figures(results) {
		ok := "yes"
		if !f.OK() {
			ok = "**no**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", f.What, f.value(), f.Count, f.limit(), ok)
	}
	b.WriteString("\n## Misses\n\n")
	b.WriteString("| case | program | torch | what was wrong |\n|---|---|---|---|\n")
	misses := 0
	for i := range results {
		if miss := results[i].Miss(); miss != "" {
			misses++
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", results[i].Case.Name, results[i].Program, results[i].Report.Target.Torch, cell(miss))
		}
	}
	if misses == 0 {
		b.WriteString("| none | | | |\n")
	}
	b.WriteString("\n## All runs\n\n| case | program | torch | verdict | bytes per step | first finding | holder | steps to detection |\n|---|---|---|---|---|---|---|---|\n")
	for i := range results {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(results[i].row(), " | "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func cell(s string) string { return strings.NewReplacer("|", "\\|", "\n", " ").Replace(s) }

func (r *Result) row() []string {
	verdict, rate, first, holder, latency := string(r.Report.Verdict), "", "", "", ""
	for _, m := range r.Report.Memories {
		if m.Verdict == r.Report.Verdict && m.BytesPerStep != nil {
			rate = fmt.Sprint(*m.BytesPerStep)
			break
		}
	}
	if len(r.Report.Findings) > 0 {
		at, rule, held := place(&r.Report.Findings[0])
		first, holder = rule+" "+at, held
	}
	if r.Score.Detected {
		latency = fmt.Sprint(r.Score.Latency)
	}
	if r.Err != nil {
		verdict = "run failed"
	}
	return []string{r.Case.Name, r.Program, r.Report.Target.Torch, verdict, rate, cell(first), cell(holder), latency}
}

func (f Figure) String() string {
	return fmt.Sprintf("%s (%s; wanted %s)", f.value(), f.Count, f.limit())
}
