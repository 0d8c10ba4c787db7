package watch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/inject"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/recording/recordingtest"
)

var start = time.Now().Add(-time.Hour).Truncate(time.Second)

// begin records a training of one rank in dir, with so many steps of 10 ms.
func begin(t *testing.T, dir string, pid int, steps int64) *recordingtest.Training {
	t.Helper()
	if err := recordingtest.Start(dir, nil, start); err != nil {
		t.Fatal(err)
	}
	tr, err := recordingtest.New(dir, pid, 0, start)
	if err == nil && steps > 0 {
		err = tr.Steps(steps, start.Add(time.Duration(steps)*10*time.Millisecond))
	}
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// below are the ranks of recordings below dir: other trainings may run on the machine that the test runs on.
func below(a *Agent, dir string) (ranks []metrics.Rank) {
	for _, r := range a.State().Ranks {
		if strings.HasPrefix(r.Recording, dir+"/") {
			ranks = append(ranks, r)
		}
	}
	return ranks
}

func TestFollows(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "project", ".torchleak", "a")
	tr := begin(t, dir, 1<<22, 100)
	var changed []finding.Verdict
	a := New(Config{Dirs: []string{root}, Tool: finding.Tool{Name: "torchleak"}, Changed: func(path string, r finding.Report) {
		if strings.HasPrefix(path, root) {
			changed = append(changed, r.Verdict)
		}
	}})
	now := start.Add(2 * time.Second)
	a.Look(now)
	got := below(a, root)
	if len(got) != 1 || got[0].Recording != dir || !got[0].Running || got[0].Report.Steps.Seen != 100 || got[0].StepTime != 10*time.Millisecond {
		t.Fatalf("%+v", got)
	}
	if step := got[0].LastStep; step.Sub(start) != time.Second {
		t.Errorf("the newest step was made %v after the start, not 1 s", step.Sub(start))
	}
	if m := got[0].Memories; len(m) != 2 || m[1].Name != "cuda:0" || m[1].Verdict != finding.Healthy || *m[1].LimitBytes != 80<<30 {
		t.Errorf("%+v", m)
	}
	// From here on each step keeps a mebibyte: that is read as it comes, and said once it is a verdict.
	tr.Growth = 1 << 20
	for range 20 {
		now = now.Add(time.Second)
		if err := tr.Steps(20, now); err != nil {
			t.Fatal(err)
		}
		a.Look(now)
	}
	got = below(a, root)
	if got[0].Report.Steps.Seen != 500 || !got[0].LastStep.Equal(now) || len(changed) == 0 {
		t.Errorf("%+v, %v", got[0], changed)
	}
	if m := got[0].Memories[1]; m.BytesPerStep == nil || *m.BytesPerStep != 1<<20 || got[0].Report.Tool.Name != "torchleak" {
		t.Errorf("%+v", m)
	}
}

// A training that makes no step while the agent looks may have been over before: it is shown, and is no news until it makes one.
func TestNoNewsOfWhatWasOver(t *testing.T) {
	root := t.TempDir()
	tr := begin(t, filepath.Join(root, "a"), 1<<22, 100)
	news := map[string]int{}
	a := New(Config{Dirs: []string{root}, Changed: func(path string, _ finding.Report) { news[filepath.Base(path)]++ }})
	now := start.Add(2 * time.Second)
	for range 8 {
		a.Look(now)
		now = now.Add(time.Second)
	}
	if got := below(a, root); len(got) != 1 || got[0].Met || !got[0].Running || news["a"] != 0 {
		t.Fatalf("%+v, told %d times", got, news["a"])
	}
	if err := tr.Steps(1, now); err != nil {
		t.Fatal(err)
	}
	a.Look(now)
	if got := below(a, root); !got[0].Met || news["a"] != 1 {
		t.Errorf("%+v, told %d times", got, news["a"])
	}
	// One that begins after the agent is met at once.
	if err := recordingtest.Start(filepath.Join(root, "b"), nil, now); err != nil {
		t.Fatal(err)
	}
	tr, err := recordingtest.New(filepath.Join(root, "b"), 1<<22+1, 0, now)
	if err == nil {
		err = tr.Steps(100, now.Add(time.Second))
	}
	if err != nil {
		t.Fatal(err)
	}
	a.Look(now.Add(findEvery))
	if got := below(a, root); len(got) != 2 || !got[1].Met || news["b"] != 1 {
		t.Errorf("%+v, told %v", got, news)
	}
}

// The clock may be set back before a training makes its next step, or after: it is met and stays so, and there is news of it.
func TestMetThoughClockSetBack(t *testing.T) {
	root := t.TempDir()
	tr := begin(t, filepath.Join(root, "a"), 1<<22, 100)
	var newest finding.Verdict
	a := New(Config{Dirs: []string{root}, Changed: func(_ string, r finding.Report) { newest = r.Verdict }})
	a.Look(start.Add(time.Minute))
	tr.Growth = 1 << 20
	for i := range 20 {
		now := start.Add(2*time.Second + time.Duration(i)*100*time.Millisecond)
		if err := tr.Steps(20, now); err != nil {
			t.Fatal(err)
		}
		a.Look(now)
		if got := below(a, root); len(got) != 1 || !got[0].Met {
			t.Fatalf("look %d: %+v", i, got)
		}
	}
	a.Look(start.Add(10 * time.Second)) // reports are some seconds apart
	if got := below(a, root)[0].Report.Verdict; got != newest || newest == finding.Healthy {
		t.Errorf("told %q, and it is %q", newest, got)
	}
}

// An agent that is told to end looks once more: what it sends last is what is so then.
func TestLooksOnceMore(t *testing.T) {
	root, now := t.TempDir(), time.Now()
	dir := filepath.Join(root, "a")
	if err := recordingtest.Start(dir, nil, now); err != nil {
		t.Fatal(err)
	}
	tr, err := recordingtest.New(dir, 1<<22, 0, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Steps(100, now); err != nil {
		t.Fatal(err)
	}
	a := New(Config{Dirs: []string{root}})
	ctx, tell := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { a.Run(ctx); close(ended) }()
	for deadline := time.Now().Add(time.Minute); len(below(a, root)) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the recording was not seen")
		}
	}
	if err := tr.Steps(20, time.Now()); err != nil {
		t.Fatal(err)
	}
	tell()
	<-ended
	if got := below(a, root); len(got) != 1 || got[0].Report.Steps.Seen != 120 {
		t.Errorf("at the end: %+v", got)
	}
}

// A directory is named as a user likes, and known by one absolute path.
func TestNames(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "real", "a")
	begin(t, dir, 1<<22, 100)
	if err := os.Symlink("real", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	a := New(Config{Dirs: []string{"link", ".", "real/a"}})
	a.Look(start.Add(2 * time.Second))
	if got := below(a, root); len(got) != 1 || got[0].Recording != dir {
		t.Errorf("%+v", got)
	}
}

// A training that ends is shown for a while, as what it was; the next agent does not look at it again.
func TestEnds(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "a")
	tr := begin(t, dir, 1<<22, 100)
	a, now := New(Config{Dirs: []string{root}}), start.Add(2*time.Second)
	a.Look(now)
	exit := 0
	if err := tr.End(); err != nil {
		t.Fatal(err)
	}
	if err := recordingtest.Start(dir, &exit, start); err != nil {
		t.Fatal(err)
	}
	a.Look(now.Add(time.Second))
	if got := below(a, root); len(got) != 1 || got[0].Running || got[0].Report.Steps.Seen != 100 || len(got[0].Memories) != 2 {
		t.Fatalf("after its end: %+v", got)
	}
	a.Look(now.Add(linger + 2*time.Second))
	if got := below(a, root); len(got) != 0 {
		t.Errorf("long after its end: %+v", got)
	}
	b := New(Config{Dirs: []string{root}})
	b.Look(now)
	if s := b.State(); len(below(b, root)) != 0 || s.Agent.Ended != 1 {
		t.Errorf("another agent: %+v", s.Agent)
	}
}

// A training that was attached to and let go has not ended: it is shown for a while as what it was, and its probe's last word is none on its
// end. One that has ended under watch is shown as ended, with how.
func TestLetGo(t *testing.T) {
	for name, c := range map[string]struct {
		run     recording.Run
		end     *recording.End
		running bool
		how     string
	}{
		"let go":                 {recording.Run{Stopped: "told"}, nil, true, ""},
		"ended":                  {recording.Run{Ended: true}, nil, false, finding.Ended},
		"killed under the watch": {recording.Run{Ended: true}, &recording.End{Signal: 9, Name: "SIGKILL", Status: 137}, false, finding.Killed},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			dir := recording.Dir{Path: filepath.Join(root, "a")}
			tr := begin(t, dir.Path, 1<<22, 100)
			run, err := dir.LoadRun()
			if run.Attached = true; err != nil || dir.SaveRun(run) != nil {
				t.Fatal(err)
			}
			a, now := New(Config{Dirs: []string{root}}), start.Add(2*time.Second)
			a.Look(now)
			if err := tr.End(); err != nil {
				t.Fatal(err)
			}
			if a.Look(now.Add(time.Second)); !below(a, root)[0].Running {
				t.Error("it runs no more before that is written down")
			}
			run.Stopped, run.Ended = c.run.Stopped, c.run.Ended
			if c.end != nil {
				processes, _ := dir.Processes()
				if err := processes[0].SaveEnd(*c.end); err != nil {
					t.Fatal(err)
				}
			}
			if err := dir.SaveRun(run); err != nil {
				t.Fatal(err)
			}
			a.Look(now.Add(2 * time.Second))
			got := below(a, root)[0]
			if target := got.Report.Target; got.Running != c.running || target.Attached == nil || target.Attached.LetGo != c.running ||
				(target.End == nil) != (c.how == "") || target.End != nil && target.End.How != c.how {
				t.Errorf("running %v, %+v, %+v", got.Running, target.Attached, target.End)
			}
			if a.Look(now.Add(linger + 3*time.Second)); len(below(a, root)) != 0 {
				t.Error("it is shown long after")
			}
		})
	}
}

// Where processes cannot be seen, a training runs as long as it makes steps; one that goes on after a long evaluation is taken up again.
func TestPauses(t *testing.T) {
	root := t.TempDir()
	tr := begin(t, filepath.Join(root, "a"), 1<<22, 100)
	a, now := New(Config{Dirs: []string{root}}), start.Add(2*time.Second)
	a.Look(now)
	now = now.Add(freshStep + time.Second)
	a.Look(now)
	if got := below(a, root); len(got) != 1 || got[0].Running {
		t.Fatalf("while it pauses: %+v", got)
	}
	now = now.Add(20 * time.Minute)
	if err := tr.Steps(1, now); err != nil {
		t.Fatal(err)
	}
	a.Look(now)
	if got := below(a, root); len(got) != 1 || !got[0].Running || got[0].Report.Steps.Seen != 101 {
		t.Errorf("when it goes on: %+v", got)
	}
}

// The clock may be set while an agent runs: it goes on looking, finding, and telling the time of a step.
func TestClockJumps(t *testing.T) {
	root := t.TempDir()
	tr := begin(t, filepath.Join(root, "a"), 1<<22, 100)
	a, now := New(Config{Dirs: []string{root}}), start.Add(2*time.Second)
	a.Look(now)
	for i, jump := range []time.Duration{-48 * time.Hour, 96 * time.Hour} {
		now = now.Add(jump)
		if err := tr.Steps(100, start.Add(time.Duration(3+i)*time.Second)); err != nil {
			t.Fatal(err)
		}
		begin(t, filepath.Join(root, fmt.Sprint("b", jump)), 1<<22+int(jump/time.Hour), 0)
		a.Look(now)
		got := below(a, root)
		if len(got) == 0 || !got[0].LastStep.Equal(now) || !got[0].Running || got[0].StepTime <= 0 || got[0].StepTime > time.Second {
			t.Errorf("after %v: %+v", jump, got)
		}
	}
	if a.findAt.Before(now) {
		t.Error("it has not looked for new recordings since the clock was set")
	}
}

// What another user may have put there is not read, and said to be so once.
func TestRefuses(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	for _, name := range []string{"open", "foreign"} {
		begin(t, filepath.Join(root, name), 1<<22, 100)
	}
	begin(t, filepath.Join(elsewhere, "linked"), 1<<22, 100)
	if err := os.Symlink(filepath.Join(elsewhere, "linked"), filepath.Join(root, "linked")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "open"), 0o777); err != nil {
		t.Fatal(err)
	}
	want := 2
	if err := os.Chown(filepath.Join(root, "foreign"), os.Geteuid()+1, -1); err != nil {
		t.Log("only root can give a directory away")
		want = 1
		os.RemoveAll(filepath.Join(root, "foreign"))
	}
	said := map[string]int{}
	a := New(Config{Dirs: []string{root}, Failed: func(path string, err error) { said[filepath.Base(path)+" "+err.Error()]++ }})
	now := start.Add(2 * time.Second)
	for range 3 {
		a.Look(now)
		now = now.Add(time.Minute)
	}
	if got := below(a, root); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if len(said) != want || said["open other users may write to it (drwxrwxrwx)"] != 1 || want == 2 && said["foreign it belongs to another user"] != 1 {
		t.Errorf("%v", said)
	}
	if s := a.State(); s.Agent.Unreadable != want {
		t.Errorf("%+v", s.Agent)
	}
	if want == 2 { // who is asked to reads them
		b := New(Config{Dirs: []string{root}, Users: []int{os.Geteuid() + 1}})
		b.Look(start.Add(2 * time.Second))
		if got := below(b, root); len(got) != 1 || filepath.Base(got[0].Recording) != "foreign" {
			t.Errorf("of the other user: %+v", got)
		}
	}
}

// Whatever lies in a recording, the others are watched, and each fault is said once.
func TestHostile(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"run of another version": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "run.json"), []byte(`{"run":9}`), 0o600)
		},
		"run is huge":          func(dir string) error { return os.Truncate(filepath.Join(dir, "run.json"), 1<<40) },
		"hello is no JSON":     func(dir string) error { return os.WriteFile(filepath.Join(dir, "8-1.hello.json"), []byte("{"), 0o600) },
		"hello is a directory": func(dir string) error { return os.Mkdir(filepath.Join(dir, "8-1.hello.json"), 0o700) },
		"recorder is short":    func(dir string) error { return os.Truncate(filepath.Join(dir, "4194304-1.flight"), 100) },
		"recorder is endless": func(dir string) error {
			path := filepath.Join(dir, "4194304-1.flight")
			return os.Rename(path, path+".old")
		},
		"evidence is no JSON": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "4194304-1.evidence-1.json"), nil, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			begin(t, filepath.Join(root, "good"), 1<<22+1, 100)
			bad := filepath.Join(root, "bad")
			begin(t, bad, 1<<22, 100)
			if err := spoil(bad); err != nil {
				t.Fatal(err)
			}
			if name == "recorder is endless" {
				if err := os.Symlink("/dev/zero", filepath.Join(bad, "4194304-1.flight")); err != nil {
					t.Fatal(err)
				}
			}
			said := map[string]int{}
			a := New(Config{Dirs: []string{root}, Failed: func(path string, err error) {
				if strings.HasPrefix(path, root) {
					said[err.Error()]++
				}
			}})
			for i := range 3 {
				a.Look(start.Add(time.Duration(2+i) * time.Second))
			}
			if got := below(a, root); len(got) == 0 || filepath.Base(got[len(got)-1].Recording) != "good" {
				t.Errorf("%+v", got)
			}
			if len(said) == 0 {
				t.Error("nothing is said")
			}
			for text, times := range said {
				if times != 1 {
					t.Errorf("said %d times: %s", times, text)
				}
			}
		})
	}
}

// Thousands of recordings that have ended are read once: a later look opens none of them, and takes less than a tenth of what the first
// one took.
func TestManyDead(t *testing.T) {
	root, exit := t.TempDir(), 0
	const many = 3000
	for i := range many {
		if err := recordingtest.Start(filepath.Join(root, fmt.Sprint(i)), &exit, start); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(root, old, old); err != nil {
		t.Fatal(err)
	}
	f := &folder{path: root}
	budget, met := searchWidth, 0
	for range 5 {
		f.search(&budget, func(string) { met++ })
	}
	if met != many || budget != searchWidth-many {
		t.Errorf("%d were met in five searches, and %d entries listed", met, searchWidth-budget)
	}
	a := New(Config{Dirs: []string{root}})
	a.Look(start)
	if s := a.State(); s.Agent.Ended != many || len(below(a, root)) != 0 {
		t.Errorf("%+v", s.Agent)
	}
}

// A training is found by the environment of its processes, without its directory being named.
func TestFindsRunning(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "a b")
	cmd := exec.Command("sleep", "600")
	cmd.Env = append(os.Environ(), inject.RunDirectory+"="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	tr := begin(t, dir, cmd.Process.Pid, 100)
	if err := tr.Steps(1, time.Now()); err != nil {
		t.Fatal(err)
	}
	a := New(Config{Failed: func(path string, err error) {
		if strings.HasPrefix(path, root) {
			t.Error(path, err)
		}
	}})
	a.Look(time.Now())
	got := below(a, root)
	if len(got) != 1 || !got[0].Running || got[0].Report.Target.PID != cmd.Process.Pid {
		t.Fatalf("%+v", got)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	a.Look(time.Now())
	if got := below(a, root); len(got) != 1 || got[0].Running {
		t.Errorf("a process that was killed: %+v", got)
	}
	for i := range 3 {
		now := time.Now().Add(time.Minute + time.Duration(i)*2*findEvery)
		// It is not taken for one that pauses, however new its last step is.
		a.findAt = now
		a.Look(now)
		if s := a.followed[dir]; s == nil || s.ended.IsZero() {
			t.Error("its recording has no end")
		}
	}
}

// What torchleak has attached to is found by what that writes: it is not in the environment of the training.
func TestFindsAttached(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "a b")
	tr := begin(t, dir, 1<<22, 100)
	if err := tr.Steps(1, time.Now()); err != nil {
		t.Fatal(err)
	}
	processes, _ := recording.Dir{Path: dir}.Processes()
	samples, err := os.Create(processes[0].Samples())
	if err != nil {
		t.Fatal(err)
	}
	cmd := named(t, samples)
	run, err := recording.Dir{Path: dir}.LoadRun()
	if run.Attached, run.PID = true, os.Getpid(); err != nil || (recording.Dir{Path: dir}).SaveRun(run) != nil {
		t.Fatal(err)
	}
	a := New(Config{})
	a.Look(time.Now())
	if got := below(a, root); len(got) != 1 || !got[0].Running || got[0].Recording != dir {
		t.Fatalf("%+v", got)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	a.findAt = time.Now()
	a.Look(time.Now())
	if got := below(a, root); len(got) != 1 || got[0].Running {
		t.Errorf("the torchleak that attached was killed: %+v", got)
	}
}

// named starts a process called torchleak that has these files open, which are closed here.
func named(t *testing.T, files ...*os.File) *exec.Cmd {
	t.Helper()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "torchleak")
	if err := os.Symlink(sleep, program); err != nil { // a process is called as what it was started by
		t.Fatal(err)
	}
	cmd := exec.Command(program, "600")
	cmd.ExtraFiles = files
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for _, f := range files {
		f.Close()
	}
	return cmd
}

// What only calls itself torchleak, and has files of samples open where there is no recording, tells nothing.
func TestNoRecordings(t *testing.T) {
	root := t.TempDir()
	var files []*os.File
	for i := range 200 {
		dir := filepath.Join(root, fmt.Sprint(i, "\n[x]"))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(filepath.Join(dir, "1.samples"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if err := os.RemoveAll(filepath.Join(root, fmt.Sprint(0, "\n[x]"))); err != nil {
		t.Fatal(err)
	}
	pid := named(t, files...).Process.Pid
	if got := writes(pid); len(got) != len(files)-1 {
		t.Fatalf("it writes to %d directories", len(got))
	}
	for _, p := range running([]int{os.Geteuid()}) {
		if strings.HasPrefix(p.path, root) {
			t.Errorf("%q is taken for a recording", p.path)
		}
	}
}

// A recording that is found while its torchleak still attaches says nothing of itself yet: it is followed once it does.
func TestFoundWhileBegun(t *testing.T) {
	root := t.TempDir()
	dir, _, err := recording.Create(filepath.Join(root, "a"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	a := New(Config{Dirs: []string{root}, Failed: func(path string, err error) {
		if strings.HasPrefix(path, root) {
			t.Error(path, err)
		}
	}})
	now := time.Now().Add(settled)
	look := func() []metrics.Rank {
		now = now.Add(findEvery)
		a.findAt = now
		a.Look(now)
		return below(a, root)
	}
	time.Sleep(2 * settled) // the folder of it is not listed again then
	if got := look(); len(got) > 0 {
		t.Fatalf("%+v", got)
	}
	if err := dir.SaveRun(recording.Run{PID: os.Getpid(), Started: now, Attached: true}); err != nil {
		t.Fatal(err)
	}
	tr, err := recordingtest.New(dir.Path, 1<<22, 0, now)
	if err == nil {
		err = tr.Steps(100, now)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := look(); len(got) != 1 || !got[0].Running {
		t.Errorf("%+v", got)
	}
}

// A recording that could not be read is read once it can be, and what was wrong with it is said once.
func TestReadAgain(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "a")
	tr := begin(t, dir, 1<<22, 100)
	path := filepath.Join(dir, "run.json")
	good, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, good[:len(good)/2], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	a := New(Config{Failed: func(path string, _ error) {
		if path == dir {
			said++
		}
	}})
	for range 3 {
		a.meet(start, dir)
	}
	if !a.refused[dir] || said != 1 {
		t.Fatalf("refused %v, said %d times", a.refused[dir], said)
	}
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := tr.Steps(1, start.Add(2*time.Second)); err != nil {
		t.Fatal(err)
	}
	a.meet(start.Add(3*time.Second), dir)
	if a.refused[dir] || a.followed[dir] == nil {
		t.Error("it is refused for good")
	}
}

// Where the clock was set back, a recording of a training that was killed lies in the future: it does not run for ever.
func TestClockSetBack(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "a")
	tr := begin(t, dir, 1<<22, 100)
	a := New(Config{Dirs: []string{root}})
	now := start.Add(-24 * time.Hour)
	look := func() bool {
		now = now.Add(time.Minute)
		a.Look(now)
		f := a.followed[dir]
		return f != nil && f.ended.IsZero()
	}
	look()
	for range 3 {
		look()
	}
	for range 5 {
		if look() {
			t.Fatal("it is taken for one that runs")
		}
	}
	if err := tr.Steps(1, start.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if !look() {
		t.Error("it has made a step, and is not followed")
	}
}

// A training whose recording was removed is none that cannot be read, and one that is made in its place is found.
func TestRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	a := New(Config{Failed: func(path string, err error) {
		if path == dir {
			t.Error(path, err)
		}
	}})
	a.take(place{dir, dir}, true)
	begin(t, dir, os.Getpid(), 10)
	a.take(place{dir, dir}, true)
	if a.followed[dir] == nil || a.refused[dir] {
		t.Error("it was not taken")
	}
}

// A program that replaces itself is one training, and a recording that is made anew in its place is another.
func TestReplaced(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "a")
	begin(t, dir, 1<<22, 100)
	f := follow(place{dir, dir}, finding.Tool{})
	look := func() []metrics.Rank {
		f.look(start.Add(2*time.Second), func(*rank) {}, func(err error) { t.Error(err) })
		return f.states(start)
	}
	if got := look(); len(got) != 1 || got[0].Report.Steps.Seen != 100 {
		t.Fatalf("%+v", got)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	begin(t, dir, 1<<22+1, 50)
	f.scanned = time.Time{}
	if got := look(); len(got) != 1 || got[0].Report.Steps.Seen != 50 || got[0].Report.Target.PID != 1<<22+1 {
		t.Errorf("%+v", got)
	}
	if _, err := recording.Open(dir); err != nil {
		t.Error(err)
	}
}
