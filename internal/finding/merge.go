package finding

// Merge makes the one report of a run of the reports of its training processes. One process is the report
// itself; of several, the gravest rank is on top and all stand in Ranks, in the order given.
func Merge(ranks []Report, tool Tool, argv []string, exit *int) Report {
	switch len(ranks) {
	case 0:
		return Report{
			Schema: Schema, Tool: tool, Target: Target{Argv: argv, Exit: exit, WorldSize: 1}, Verdict: Undecided,
			Memories: []Memory{}, Findings: []Finding{}, Notes: []string{},
		}
	case 1:
		return ranks[0]
	}
	worst := 0
	for i, r := range ranks {
		if r.Verdict.Rank() < ranks[worst].Verdict.Rank() {
			worst = i
		}
	}
	top := ranks[worst]
	top.Ranks = ranks
	return top
}
