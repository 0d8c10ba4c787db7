package residence

import (
	"path"
	"strings"
)

// Strip returns what takes from file names what says where a program lay: installed packages begin at their
// folder, the user's files at the folder that all of them have in common.
func Strip(files []string) func(string) string {
	var own []string
	for _, f := range files {
		if !packaged(f) && strings.Contains(f, "/") {
			own = append(own, path.Dir(f)+"/")
		}
	}
	base := ""
	if len(own) > 0 {
		base = own[0]
	}
	for _, dir := range own {
		for !strings.HasPrefix(dir, base) {
			base = base[:strings.LastIndex(strings.TrimSuffix(base, "/"), "/")+1]
		}
	}
	return func(f string) string {
		if packaged(f) {
			return f[installed.FindStringIndex(f)[0]:]
		}
		return strings.TrimPrefix(f, base)
	}
}

func packaged(f string) bool { return installed.MatchString(f) && !strings.HasPrefix(f, "<") }
