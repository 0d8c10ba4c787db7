package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/ranks"
	"github.com/torchleak/torchleak/internal/recording"
)

func TestNewest(t *testing.T) {
	base := filepath.Join(t.TempDir(), ".torchleak")
	var user *UserError
	if _, err := newest(base); !errors.As(err, &user) || user.Hint == "" {
		t.Errorf("without a recording: %v", err)
	}
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for name, begun := range map[string]time.Time{"b": now, "a": now.Add(time.Hour), "c": now.Add(-time.Hour)} {
		dir, _, err := recording.Create(filepath.Join(base, name), now)
		if err != nil {
			t.Fatal(err)
		}
		if err := dir.SaveRun(recording.Run{Started: begun}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(base, "z"), 0o700); err != nil { // no recording
		t.Fatal(err)
	}
	if got, err := newest(base); err != nil || got != filepath.Join(base, "a") {
		t.Errorf("the newest is %q, %v", got, err)
	}
}

func TestQuoted(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"git", "apply", ".torchleak/a b/fix-1.patch"}, `git apply '.torchleak/a b/fix-1.patch'`},
		{[]string{"x", "it's", "$HOME", ""}, `x 'it'\''s' '$HOME' ''`},
		{[]string{"é/a-b_c.patch"}, "é/a-b_c.patch"},
	} {
		if got := quoted(c.words...); got != c.want {
			t.Errorf("quoted(%q) = %s, want %s", c.words, got, c.want)
		}
	}
}

// A recording is one by whatever path, and says why it is empty where the probe could not.
func TestReportOfMuteRecording(t *testing.T) {
	one := filepath.Join(t.TempDir(), "one")
	dir, _, err := recording.Create(one, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir.File("7-1.mute-28"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := one + "-again"
	if err := os.Symlink(one, link); err != nil {
		t.Fatal(err)
	}
	other, _ := recording.Open(link)
	if !dir.Same(other) {
		t.Errorf("%s and %s are two", one, link)
	}
	if code, said := called(t, "report", link); code != exitFailed || !strings.Contains(said, "no space left on device") {
		t.Errorf("exit status %d, %s", code, said)
	}
}

// Trainings that are not of one job are named with when they began, the newest first, and of what; many are not all named.
func TestListed(t *testing.T) {
	began := time.Date(2026, 11, 29, 12, 0, 0, 0, time.Local)
	of := func(path string, run recording.Run) []ranks.Source {
		return []ranks.Source{{Dir: recording.Dir{Path: path}, Run: run}}
	}
	jobs := [][]ranks.Source{
		append(of("a", recording.Run{Started: began, Argv: []string{"python", "train.py", "--lr", "1"}}), ranks.Source{}),
		of("b c", recording.Run{Started: began.Add(-time.Hour), Argv: []string{"python", "-m", "pkg.train"}, Attached: true, PID: 77}),
	}
	want := []string{"  a    2026-11-29 12:00:00  train.py (+1)", "  b c  2026-11-29 11:00:00  pkg.train, PID 77"}
	if got := listed(jobs); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for len(jobs) < maxJobs+2 {
		jobs = append(jobs, of("more", recording.Run{Started: began}))
	}
	if got := listed(jobs); len(got) != maxJobs+1 || got[maxJobs] != "  … (+2)" {
		t.Errorf("%q", got)
	}
}
