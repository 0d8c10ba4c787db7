package phrase

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/units"
)

// What is said of the ranks of a job stands here in all languages.
func init() {
	maps.Copy(english, ranksEnglish)
	maps.Copy(chinese, ranksChinese)
	maps.Copy(chineseTexts, ranksNotes)
}

var ranksEnglish = map[Key]string{
	"ranks.training":   "the training",
	"ranks.process":    "process {pid}",
	"ranks.several":    "ranks {ranks}",
	"ranks.all":        "{count} ranks",
	"ranks.some":       "{count} of {world} ranks",
	"ranks.one":        "1 of {world} ranks",
	"ranks.recordings": ", from {count} recordings",
	"ranks.hosts":      ", on {hosts}",
	"ranks.morehosts":  "{count} more",
	"ranks.id":         " (job {id})",
	"ranks.missing":    "Of {ranks} nothing is known here: `torchleak report` with the recordings of all machines makes one report",
	"ranks.held":       "{memory} at {size}",
	"ranks.label":      "ranks",
	"ranks.odd":        "odd",
	"ranks.between":    "{low} to {high}",
	"ranks.killed":     "{ranks}: killed by {signal} after step {value}",
	"ranks.oom":        "It is the signal of out-of-memory killers: see `dmesg` and the scheduler's log",
	"ranks.after":      "{ranks}: ended by {signal} after that",
	"ranks.failed":     "{ranks}: ended by an error after step {value}",
	"ranks.vanished":   "{ranks}: vanished after step {value}, without an end of its own, and nobody saw how",
	"ranks.growth":     "{ranks}: {value} per step, {usual} is usual among those that leak alike",
	"ranks.onset":      "{ranks}: growth since step {value}, {usual} is usual among those that leak alike",
	"ranks.slow":       "{ranks}: {value} per step, {usual} is usual",
	"ranks.behind":     "{ranks}: {value} steps, {usual} is usual",
	"ranks.level":      "{ranks}: {value} held ({memory}), {usual} is usual",
	"ranks.devices":    "{ranks}: use of {devices}, which is another rank's; call `torch.cuda.set_device(local_rank)` first of all",
	"page.odd":         "Differing from the others",
	"page.alike":       "Ranks that do the same",
	"page.oneby":       "One by one",
	"ranks.more":       "{count} more ranks: the figures of all are in the JSON report",
}

var ranksChinese = map[Key]string{
	"ranks.training":   "训练进程",
	"ranks.process":    "进程 {pid}",
	"ranks.several":    "rank {ranks}",
	"ranks.all":        "{count} 个 rank",
	"ranks.some":       "{world} 个 rank 中的 {count} 个",
	"ranks.one":        "{world} 个 rank 中的 1 个",
	"ranks.recordings": "，来自 {count} 份记录",
	"ranks.hosts":      "，位于 {hosts}",
	"ranks.morehosts":  "另外 {count} 台",
	"ranks.id":         "（作业 {id}）",
	"ranks.missing":    "这里没有 {ranks} 的信息：对所有机器的记录运行 `torchleak report` 可得到一份合并的报告",
	"ranks.held":       "{memory} 为 {size}",
	"ranks.label":      "rank",
	"ranks.odd":        "异常",
	"ranks.between":    "{low} 至 {high}",
	"ranks.killed":     "{ranks}：在第 {value} 步后被 {signal} 终止",
	"ranks.oom":        "这是内存耗尽时所用的信号：请查看 `dmesg` 和调度器的日志",
	"ranks.after":      "{ranks}：此后被 {signal} 终止",
	"ranks.failed":     "{ranks}：在第 {value} 步后因错误结束",
	"ranks.vanished":   "{ranks}：在第 {value} 步后消失，没有正常结束，原因未知",
	"ranks.growth":     "{ranks}：每步 {value}，同类泄漏通常为 {usual}",
	"ranks.onset":      "{ranks}：从第 {value} 步开始增长，同类泄漏通常为第 {usual} 步",
	"ranks.slow":       "{ranks}：每步 {value}，通常为 {usual}",
	"ranks.behind":     "{ranks}：{value} 步，通常为 {usual} 步",
	"ranks.level":      "{ranks}：占用 {value}（{memory}），通常为 {usual}",
	"ranks.devices":    "{ranks}：使用了属于其他 rank 的 {devices}；请一开始就调用 `torch.cuda.set_device(local_rank)`",
	"page.odd":         "与其他不同之处",
	"page.alike":       "表现相同的 rank",
	"page.oneby":       "逐个列出",
	"ranks.more":       "另外 {count} 个 rank：全部数字见 JSON 报告",
}

// ranksNotes are the notes of a report that was made of several.
var ranksNotes = map[string]string{
	"rank %d was started again after step %d; this report is of its last start":                                                     "rank {1} 在第 {2} 步之后重新启动；本报告为最后一次启动的情况",
	"%d processes say at the same time that they are rank %d: they are not of one job, or were started without a rank of their own": "有 {1} 个进程同时自称 rank {2}：它们不属于同一个作业，或启动时没有各自的 rank",
}

// Rank names the rank a report speaks of; a process that is none by its number.
func (c *Catalogue) Rank(r finding.Report) string {
	if r.Target.WorldSize < 2 && r.Target.PID > 0 {
		return c.Say("ranks.process", "pid", strconv.Itoa(r.Target.PID))
	}
	return c.Say("text.rank", "rank", units.Count(int64(r.Target.Rank)))
}

// RankNumber is the name of a rank in a column of ranks.
func (c *Catalogue) RankNumber(r finding.Report) string {
	if r.Target.WorldSize < 2 && r.Target.PID > 0 {
		return c.Rank(r)
	}
	return units.Count(int64(r.Target.Rank))
}

// Ranks names several ranks, runs of them by their ends: "ranks 0-2, 7".
func (c *Catalogue) Ranks(ranks []int) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(ranks)))
	if len(sorted) == 1 {
		return c.Say("text.rank", "rank", strconv.Itoa(sorted[0]))
	}
	return c.Say("ranks.several", "ranks", spans(sorted))
}

// maxSpans bounds how many runs of ranks are named.
const maxSpans = 12

func spans(sorted []int) string {
	var out []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] == sorted[j]+1 {
			j++
		}
		switch {
		case len(out) == maxSpans:
			return strings.Join(out, ", ") + ", …"
		case j == i:
			out = append(out, strconv.Itoa(sorted[i]))
		default:
			out = append(out, fmt.Sprintf("%d-%d", sorted[i], sorted[j]))
		}
		i = j + 1
	}
	return strings.Join(out, ", ")
}

// LeakingRanks says which of the ranks call for a change; empty when none does.
func (c *Catalogue) LeakingRanks(ranks []finding.Report) string {
	var leaking []int
	var processes []string
	for _, r := range ranks {
		switch {
		case !Grows(r.Verdict):
		case r.Target.WorldSize < 2:
			processes = append(processes, c.Rank(r))
		default:
			leaking = append(leaking, r.Target.Rank)
		}
	}
	if len(leaking)+len(processes) == 0 {
		return ""
	}
	if len(leaking) > 0 {
		processes = append(processes, c.Ranks(leaking))
	}
	return c.Say("text.ranks", "leaking", units.Count(int64(max(len(leaking), len(processes)))), "all", units.Count(int64(len(ranks)))) +
		c.Say("text.colon") + c.List(processes...)
}

// maxHosts bounds how many machines are named.
const maxHosts = 4

// Job says which ranks of a job are in the report, and from where.
func (c *Catalogue) Job(j finding.Job, seen int) string {
	key := Key("ranks.some")
	switch {
	case len(j.Missing) == 0:
		key = "ranks.all"
	case seen == 1:
		key = "ranks.one"
	}
	text := c.Say(key, "count", units.Count(int64(seen)), "world", units.Count(int64(j.WorldSize)))
	if j.Recordings > 1 {
		text += c.Say("ranks.recordings", "count", units.Count(int64(j.Recordings)))
	}
	if hosts := j.Hosts; len(hosts) > 1 {
		if more := len(hosts) - maxHosts; more > 0 {
			hosts = append(slices.Clone(hosts[:maxHosts]), c.Say("ranks.morehosts", "count", units.Count(int64(more))))
		}
		text += c.Say("ranks.hosts", "hosts", c.List(hosts...))
	}
	if j.ID != "" {
		text += c.Say("ranks.id", "id", j.ID)
	}
	if len(j.Missing) == 0 {
		return c.Sentences(text)
	}
	return c.Sentences(text, c.Say("ranks.missing", "ranks", c.Ranks(j.Missing)))
}

// Alike says what ranks do that do the same: "host +31 KiB per step since step 2, train.py:15 TL104 kept-output".
func (c *Catalogue) Alike(a finding.Alike) string {
	var parts []string
	switch {
	case a.BytesPerStep != nil:
		text := a.Memory + " " + units.SignedBytes(*a.BytesPerStep) + c.Say("live.per_step")
		if a.SinceStep != nil {
			text += " " + c.Say("live.since", "step", units.Count(*a.SinceStep))
		}
		parts = append(parts, text)
	case a.LastBytes != nil:
		parts = append(parts, c.Say("ranks.held", "memory", a.Memory, "size", units.Bytes(*a.LastBytes)))
	}
	rule := strings.TrimSpace(a.Rule + " " + a.Name)
	if a.Location != nil {
		rule = fmt.Sprintf("%s:%d %s", a.Location.File, a.Location.Line, rule)
	}
	if rule != "" {
		parts = append(parts, rule)
	}
	return c.List(parts...)
}

// Odd says in what ranks differ from the others, a sentence for those that do so alike.
func (c *Catalogue) Odd(odd []finding.Odd) []string {
	var out []string
	for _, same := range alikeOdd(odd) {
		out = append(out, c.oddAlike(c.oddRanks(same), same, len(out) > 0))
	}
	return out
}

// oddAlike is the sentence of ranks, named who, that are odd alike; others says that some were told of before.
func (c *Catalogue) oddAlike(who string, same []finding.Odd, others bool) string {
	first := same[0]
	key := Key("ranks." + string(first.Kind))
	if first.Kind == finding.OddKilled && first.Signal == "SIGTERM" && others {
		key = "ranks.after"
	}
	text := c.Say(key, "ranks", who, "signal", first.Signal, "memory", first.Memory, "devices", c.List(first.Devices...),
		"value", c.oddFigures(same, func(o finding.Odd) *float64 { return o.Value }),
		"usual", c.oddFigures(same, func(o finding.Odd) *float64 { return o.Usual }))
	if first.Signal == "SIGKILL" {
		return c.Sentences(text, c.Say("ranks.oom"))
	}
	return c.Sentences(text)
}

// alikeOdd puts together what differs in the same respect, in the order in which it is told first.
func alikeOdd(odd []finding.Odd) [][]finding.Odd {
	type respect struct {
		kind                    finding.OddKind
		memory, signal, devices string
	}
	at := map[respect]int{}
	var groups [][]finding.Odd
	for _, o := range odd {
		r := respect{o.Kind, o.Memory, o.Signal, strings.Join(o.Devices, " ")}
		i, known := at[r]
		if !known {
			i = len(groups)
			at[r], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], o)
	}
	return groups
}

func (c *Catalogue) oddRanks(same []finding.Odd) string {
	var ranks []int
	for _, o := range same {
		ranks = append(ranks, o.Rank)
	}
	return c.Ranks(ranks)
}

// oddFigures prints a figure of several odd ranks: one where all have the same, else the lowest and the highest.
func (c *Catalogue) oddFigures(same []finding.Odd, of func(finding.Odd) *float64) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, o := range same {
		if v := of(o); v != nil {
			low, high = min(low, *v), max(high, *v)
		}
	}
	if low > high {
		return ""
	}
	from, to := c.oddFigure(same[0].Kind, low), c.oddFigure(same[0].Kind, high)
	if from == to {
		return from
	}
	return c.Say("ranks.between", "low", from, "high", to)
}

func (c *Catalogue) oddFigure(kind finding.OddKind, v float64) string {
	switch kind {
	case finding.OddSlow:
		return c.Time(v)
	case finding.OddGrowth, finding.OddLevel:
		return units.Bytes(int64(v))
	}
	return units.Count(int64(v))
}

// Ending says of a single process that it was killed or vanished; empty where it ended in another way.
func (c *Catalogue) Ending(r finding.Report) string {
	end := r.Target.End
	if end == nil || end.How != finding.Killed && end.How != finding.Vanished {
		return ""
	}
	kind := finding.OddVanished
	if end.How == finding.Killed {
		kind = finding.OddKilled
	}
	step := float64(r.Steps.Seen)
	return c.oddAlike(c.Say("ranks.training"), []finding.Odd{{Kind: kind, Value: &step, Signal: end.Signal}}, false)
}
