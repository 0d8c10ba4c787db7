package cli

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/lint"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/report/diff"
)

// writeFixes writes the patch of each finding that has one into the recording, as fix-1.patch for the first finding,
// and tells the finding the command that applies it. A patch that does not fit the file as it is now, that would
// change an archive, or that cannot be written stays text in the report.
func writeFixes(r finding.Report, dir recording.Dir) {
	lint.Offer(r.Findings, r.Target.Cwd, nil)
	for i := range r.Findings {
		fix := r.Findings[i].Fix
		if fix == nil || fix.Diff == "" {
			continue
		}
		patch, ok := diff.NewPortable(cmp.Or(fix.Raw, fix.Diff))
		base := patch.Dir
		if base == "" {
			base = r.Target.Cwd
		}
		if !ok || base == "" || !fits(patch, base) {
			continue
		}
		file := dir.File(fmt.Sprintf("fix-%d.patch", i+1))
		if recording.WriteFile(file, []byte(patch.Text)) == nil {
			fix.Apply = applying(file, base)
		}
	}
}

// fits reports whether all files that a patch changes are what it takes them for.
func fits(p diff.Portable, base string) bool {
	for _, path := range p.Paths {
		full := filepath.Join(base, path)
		st, err := os.Stat(full)
		if err != nil || !st.Mode().IsRegular() || st.Size() > pysyntax.MaxSize {
			return false
		}
		source, err := os.ReadFile(full)
		if err != nil || !diff.Fits(p.Text, path, source) {
			return false
		}
	}
	return true
}

// applying is the command line that applies a patch file to what lies below base.
func applying(file, base string) string {
	command, folder := []string{"git", "apply"}, []string{"git", "-C", base, "apply"}
	if _, err := exec.LookPath("git"); err != nil {
		command, folder = []string{"patch", "-p1", "-i"}, []string{"patch", "-d", base, "-p1", "-i"}
	}
	if cwd, err := os.Getwd(); err == nil && samePlace(cwd, base) {
		return quoted(append(command, relative(file))...)
	}
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	return quoted(append(folder, file)...)
}

func samePlace(a, b string) bool {
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(sa, sb)
}

// quoted is a command as it is typed in a shell.
func quoted(words ...string) string {
	for i, w := range words {
		if w == "" || strings.ContainsFunc(w, special) {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

func special(r rune) bool {
	return !strings.ContainsRune("-_./=+:,@%", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80
}
