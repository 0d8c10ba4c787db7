package process

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

func hostOf(t *testing.T, files string) host {
	t.Helper()
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(files)).Files {
		path := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return host{root}
}

const meminfo = `-- proc/meminfo --
MemTotal:       16384 kB
MemFree:         1024 kB
MemAvailable:   12288 kB
Inactive(file):  2048 kB
`

func TestGroup(t *testing.T) {
	for name, c := range map[string]struct {
		files string
		want  Group
	}{
		"none": {meminfo + "-- proc/7/cgroup --\n0::/\n", Group{By: "machine", Limit: 16 << 20, Working: 4 << 20, Cache: 2 << 20}},
		"a kernel that tells nothing of what is available": {"-- proc/meminfo --\nMemTotal: 16384 kB\nMemFree: 1024 kB\nCached: 3072 kB\n-- proc/7/cgroup --\n0::/\n",
			Group{By: "machine", Limit: 16 << 20, Working: 12 << 20}},
		"version 2, the group above is tighter": {meminfo + `-- proc/7/cgroup --
0::/pods/a
-- sys/fs/cgroup/pods/a/memory.max --
max
-- sys/fs/cgroup/pods/memory.max --
8388608
-- sys/fs/cgroup/pods/memory.current --
7340032
-- sys/fs/cgroup/pods/memory.stat --
anon 1048576
inactive_file 5242880
active_file 1
`, Group{By: "cgroup v2", Path: "/pods", Limit: 8 << 20, Working: 2 << 20, Cache: 5 << 20}},
		"version 2, laxer than the machine": {meminfo + `-- proc/7/cgroup --
0::/a
-- sys/fs/cgroup/a/memory.max --
33554432
-- sys/fs/cgroup/a/memory.current --
1
`, Group{By: "machine", Limit: 16 << 20, Working: 4 << 20, Cache: 2 << 20}},
		"version 1": {meminfo + `-- proc/7/cgroup --
5:cpu,cpuacct:/other
4:memory:/docker/b
0::/ignored
-- sys/fs/cgroup/memory/docker/b/memory.limit_in_bytes --
4194304
-- sys/fs/cgroup/memory/docker/b/memory.usage_in_bytes --
3145728
-- sys/fs/cgroup/memory/docker/b/memory.stat --
inactive_file 1
total_inactive_file 1048576
-- sys/fs/cgroup/memory/memory.limit_in_bytes --
9223372036854771712
-- sys/fs/cgroup/memory/memory.usage_in_bytes --
1
`, Group{By: "cgroup v1", Path: "/docker/b", Limit: 4 << 20, Working: 2 << 20, Cache: 1 << 20}},
	} {
		got, err := hostOf(t, c.files).group(7)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v\nwant %+v", name, got, err, c.want)
		}
	}
	if _, err := hostOf(t, meminfo).group(7); err == nil {
		t.Error("a process that is not there has a group")
	}
}
