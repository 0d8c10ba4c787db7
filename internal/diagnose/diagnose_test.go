package diagnose_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/torchleak/torchleak/internal/diagnose"
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/units"
)

var update = flag.Bool("update", false, "write what was found into the cases")

// A case is an archive: memories.json, evidence files, sources, and "want": the findings in a few lines each. The
// sources lie in /train, as the evidence says.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			in := input(t, archive)
			report := diagnose.Report(in)
			notTooMuch(t, report, in)
			got := summary(report, in)
			want := file(archive, "want")
			if *update {
				setFile(archive, "want", got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("findings differ (-want +got):\n%s", d)
			}
		})
	}
}

// notTooMuch checks what is said to be held against what the memory can have grown by in all the steps until the newest
// census. Storages are counted one by one: they may be more, where they were there before the first step.
func notTooMuch(t *testing.T, r finding.Report, in diagnose.Input) {
	t.Helper()
	for _, m := range r.Memories {
		held, storages, steps := int64(0), int64(0), int64(0)
		for _, e := range in.Evidence {
			steps = max(steps, e.LastStep()+1)
			here := int64(0)
			for _, g := range e.Groups {
				if n := len(g.Bytes); n > 0 {
					here += g.Bytes[n-1] + 511*g.Count[n-1] // CUDA rounds up
				}
			}
			storages = max(storages, here)
		}
		for _, f := range r.Findings {
			if f.Memory == m.Name && f.SameGrowthAs == nil && f.RetainedBytes != nil && f.Verdict == finding.Leak {
				held += *f.RetainedBytes
			}
		}
		if m.BytesPerStep != nil && held > max(*m.BytesPerStep*steps, storages) {
			t.Errorf("%s: %d bytes held, after %d steps of %d bytes and with %d bytes of storages", m.Name, held, steps, *m.BytesPerStep, storages)
		}
	}
}

func input(t *testing.T, archive *txtar.Archive) diagnose.Input {
	t.Helper()
	in := diagnose.Input{Target: finding.Target{Cwd: "/train"}}
	for _, f := range archive.Files {
		switch {
		case f.Name == "memories.json":
			if err := json.Unmarshal(f.Data, &in.Memories); err != nil {
				t.Fatal(err)
			}
		case strings.HasSuffix(f.Name, ".json"):
			e, err := evidence.Read(strings.NewReader(string(f.Data)))
			if err != nil {
				t.Fatal(err)
			}
			in.Evidence = append(in.Evidence, e)
		}
	}
	in.Locator = locate.New(func(path string) ([]byte, error) {
		name, ok := strings.CutPrefix(path, "/train/")
		if data := file(archive, name); ok && data != nil {
			return data, nil
		}
		return nil, fmt.Errorf("open %s: %w", path, os.ErrNotExist)
	}, "/train")
	if file(archive, "train.py") != nil {
		in.Locator.Consider("/train/train.py")
	}
	return in
}

func file(archive *txtar.Archive, name string) []byte {
	for _, f := range archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func setFile(archive *txtar.Archive, name, text string) {
	for i := range archive.Files {
		if archive.Files[i].Name == name {
			archive.Files[i].Data = []byte(text)
			return
		}
	}
	archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
}

// changes writes the lines that a diff changes.
func changes(b *strings.Builder, diff string) {
	for _, line := range strings.Split(diff, "\n") {
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			fmt.Fprintf(b, "         %s\n", line)
		}
	}
}

// summary is a report as a reviewer reads it, with what the evidence confirms to the detector.
func summary(r finding.Report, in diagnose.Input) string {
	var b strings.Builder
	for _, e := range in.Evidence {
		for _, m := range in.Memories {
			if c, ok := diagnose.Confirm(e, m.Name); ok {
				fmt.Fprintf(&b, "confirm %s: {Step:%d Survivors:%v BytesPerStep:%d Bound:%d Cycle:%v Holder:%v}\n",
					m.Name, c.Step, c.Survivors, c.BytesPerStep, c.Bound, c.Cycle, c.Holder)
			}
		}
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s: %s of %s, %s", f.Rule, f.Name, f.Verdict, f.Memory, f.Confidence)
		if f.BytesPerStep != nil {
			fmt.Fprintf(&b, ", %s", units.Rate(*f.BytesPerStep))
		}
		if f.RetainedBytes != nil {
			fmt.Fprintf(&b, ", %s held", units.Bytes(*f.RetainedBytes))
		}
		if f.Count != nil {
			fmt.Fprintf(&b, ", %d", *f.Count)
		}
		if f.SameGrowthAs != nil {
			fmt.Fprintf(&b, ", the same growth as %s", r.Findings[*f.SameGrowthAs].Rule)
		}
		b.WriteString("\n")
		if l := f.Location; l != nil {
			fmt.Fprintf(&b, "  at     %s:%d  %s\n", l.File, l.Line, l.Code)
		}
		if h := f.Holder; h != nil {
			fmt.Fprintf(&b, "  holder %s (%s)\n", h.Path, h.Type)
		}
		if len(f.AllocatedAt) > 0 {
			a := f.AllocatedAt[0]
			fmt.Fprintf(&b, "  born   %s:%d %s\n", a.File, a.Line, a.Function)
		}
		fmt.Fprintf(&b, "  why    %s\n", f.Why)
		if f.Fix != nil {
			fmt.Fprintf(&b, "  fix    %s (safe: %v)\n", f.Fix.Summary, f.Fix.Safe)
			changes(&b, f.Fix.Diff)
			if other := f.Fix.Else; other != nil {
				fmt.Fprintf(&b, "  else   %s (safe: %v)\n", other.Summary, other.Safe)
				changes(&b, other.Diff)
			}
		}
	}
	for _, s := range r.Sites {
		fmt.Fprintf(&b, "site %s %s:%d %s\n", units.Rate(s.BytesPerStep), s.Frames[0].File, s.Frames[0].Line, s.Frames[0].Function)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note %s\n", n)
	}
	return b.String()
}
