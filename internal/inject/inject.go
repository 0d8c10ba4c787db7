// Package inject sets the environment by which the probe gets into a target and all its children.
package inject

import (
	"os"
	"strings"
)

const pythonPath = "PYTHONPATH="

// RunDirectory is the variable that tells the probe where its files go; without it the probe stays asleep.
const RunDirectory = "TORCHLEAK_DIR"

// Stops is the variable that tells the probe that the target is to be stopped after some steps.
const Stops = "TORCHLEAK_STOPS"

// Environ returns env with the probe in front of the target's own PYTHONPATH and the run's directory set.
// Both paths have to be absolute: the target may change its working directory.
func Environ(env []string, probeDir, runDir string) []string {
	path := probeDir
	out := make([]string, 0, len(env)+2)
	for _, entry := range env {
		switch {
		case strings.HasPrefix(entry, pythonPath):
			// An empty entry of the list would mean the working directory.
			if own := entry[len(pythonPath):]; own != "" {
				path = probeDir + string(os.PathListSeparator) + own
			}
		case strings.HasPrefix(entry, RunDirectory+"="):
		default:
			out = append(out, entry)
		}
	}
	return append(out, pythonPath+path, RunDirectory+"="+runDir)
}
