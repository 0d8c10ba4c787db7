package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/ranks"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/report/text"
)

type reportCommand struct {
	output
	Recordings []string `arg:"" optional:"" name:"recording" help:"Directory of a run, such as .torchleak/<time>; several of one job are merged by rank. Default: the newest below .torchleak."`
}

// Run makes the reports again.
func (c *reportCommand) Run(stdio Stdio) error {
	if len(c.Recordings) == 0 {
		path, err := newest(".torchleak")
		if err != nil {
			return err
		}
		if !c.Quiet {
			fmt.Fprintln(stdio.Err, "torchleak:", phrase.In(c.Lang).Words("the newest recording is "+path))
		}
		c.Recordings = []string{path}
	}
	job, err := sourcesOf(c.Recordings, stdio.Err)
	if err != nil {
		return err
	}
	merged := merge(job, func(w error) { fmt.Fprintln(stdio.Err, "torchleak:", phrase.In(c.Lang).Words(w.Error())) })
	if !merged.any {
		return c.nothing(job, merged.damaged)
	}
	report := merged.report
	writeFixes(report, merged.top)
	if c.JSON != "-" && !c.Quiet {
		if err := text.Write(stdio.Out, report, c.textOptions("", stdio.Out)); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	if err := c.write(report, stdio); err != nil {
		return err
	}
	if c.fails(report.Verdict) {
		return exitStatus(exitFindings)
	}
	return nil
}

// sourcesOf opens the recordings that paths mean, each once. They are of one job.
func sourcesOf(paths []string, warnings io.Writer) ([]ranks.Source, error) {
	var dirs []recording.Dir
	var sources []ranks.Source
	for _, path := range paths {
		found, err := ranks.Open(path)
		if err != nil {
			return nil, &UserError{err, "Recordings are the directories below .torchleak/ that `torchleak run` makes."}
		}
		for _, dir := range found {
			if len(found) > 1 || !slices.ContainsFunc(dirs, dir.Same) {
				dirs, sources = append(dirs, dir), append(sources, ranks.Look(dir))
			}
		}
	}
	sources, copies := ranks.Copies(sources)
	for _, path := range copies {
		fmt.Fprintf(warnings, "torchleak: %s is a copy of another one, and left out\n", path)
	}
	return sources, ofOneJob(sources)
}

// maxJobs is how many jobs are named where one was meant.
const maxJobs = 6

// ofOneJob returns an error unless the recordings are of one job. Those in which nothing stepped are of any.
func ofOneJob(sources []ranks.Source) error {
	jobs := ranks.Jobs(slices.DeleteFunc(slices.Clone(sources), func(s ranks.Source) bool { return !s.Steps() }))
	if len(jobs) < 2 {
		return nil
	}
	for _, job := range jobs {
		slices.SortStableFunc(job, newestFirst)
	}
	slices.SortStableFunc(jobs, func(a, b []ranks.Source) int { return newestFirst(a[0], b[0]) })
	return &UserError{fmt.Errorf("a report is of one training, and these are recordings of %d, the newest first:\n%s", len(jobs), strings.Join(listed(jobs), "\n")),
		"Name the one that is meant, such as " + quoted(jobs[0][0].Dir.Path) + "; without a name the newest below .torchleak is taken."}
}

func newestFirst(a, b ranks.Source) int { return b.Run.Started.Compare(a.Run.Started) }

// listed names jobs in a line each, in no language: where the recording lies, when it began, of what, and how many more the job has.
func listed(jobs [][]ranks.Source) []string {
	var rows [][]string
	for _, job := range jobs[:min(len(jobs), maxJobs)] {
		of := finding.Target{Argv: job[0].Run.Argv}.Script()
		if job[0].Run.Attached {
			of += fmt.Sprintf(", PID %d", job[0].Run.PID)
		}
		if id := job[0].ID; id != "" {
			of += ", " + id
		}
		if more := len(job) - 1; more > 0 {
			of += fmt.Sprintf(" (+%d)", more)
		}
		rows = append(rows, []string{"  " + plain.Text(job[0].Dir.Path), job[0].Run.Started.Local().Format("2006-01-02 15:04:05"), plain.Text(of)})
	}
	lines := plain.Table(rows, func(int) bool { return false })
	if left := len(jobs) - len(rows); left > 0 {
		lines = append(lines, fmt.Sprintf("  … (+%d)", left))
	}
	return lines
}

// mergedRanks is what the recordings of a job give.
type mergedRanks struct {
	report  finding.Report
	top     recording.Dir // the one of the rank on top
	any     bool          // a process made a step
	damaged bool
}

// merge makes the report of the recordings of one job, one after the other.
func merge(job []ranks.Source, warn func(error)) mergedRanks {
	return mergeBy(job, warn, func(dir recording.Dir) ([]finding.Report, []error) { return analysis.Recording(dir, tool()) })
}

// mergeBy is merge by another way to come to the reports of a recording.
func mergeBy(job []ranks.Source, warn func(error), read func(recording.Dir) ([]finding.Report, []error)) (m mergedRanks) {
	merger := ranks.New()
	run, id := job[0].Run, ""
	for _, source := range job {
		reports, warnings := read(source.Dir)
		m.damaged = m.damaged || len(warnings) > 0
		for _, w := range warnings {
			if len(job) > 1 {
				w = fmt.Errorf("%s: %w", source.Dir.Path, w)
			}
			warn(w)
		}
		for _, r := range reports {
			if merger.Add(r) {
				m.top, run = source.Dir, source.Run
			}
		}
		if id == "" {
			id = source.ID
		}
	}
	m.any = merger.Len() > 0
	m.report = merger.Report(tool(), run.Argv, run.Exit, id, len(job))
	return m
}

// nothing says why there is nothing to report.
func (c *reportCommand) nothing(sources []ranks.Source, damaged bool) error {
	for _, s := range sources {
		if reasons := s.Dir.Mute(); len(reasons) > 0 {
			msg, hint := mute(reasons, s.Run.Argv)
			return &UserError{errors.New(msg), hint}
		}
	}
	if damaged {
		return &UserError{errors.New("nothing is left to report: what could not be read is named above"), "If the recording was copied, copy it again; else the training has to be run again."}
	}
	return &UserError{fmt.Errorf("no process in %s made a step", strings.Join(c.Recordings, ", ")), "The training ended before its first step, or never imported torch."}
}

// newest is the recording below base that was begun last.
func newest(base string) (string, error) {
	entries, _ := os.ReadDir(base) // none is as good as one that is not there
	best, begun := "", time.Time{}
	for _, entry := range entries {
		path := filepath.Join(base, entry.Name())
		dir, err := recording.Open(path)
		if err != nil || !entry.IsDir() {
			continue
		}
		run, _ := dir.LoadRun() // one that cannot be read is the oldest
		if best == "" || run.Started.After(begun) {
			best, begun = path, run.Started
		}
	}
	if best == "" {
		return "", &UserError{fmt.Errorf("there is no recording below %s here", base), "Name the directory of one, or make one: torchleak run -- python train.py"}
	}
	return best, nil
}
