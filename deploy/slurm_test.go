package deploy_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/torchleak/torchleak/internal/dev/engine"
	"github.com/torchleak/torchleak/internal/pytorch"
)

// slurmConf is a cluster of this machine alone, on loopback, without munge and control groups.
const slurmConf = `
ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=root
AuthType=auth/none
CredType=cred/none
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort=%[2]s
SlurmdPort=%[3]s
StateSaveLocation=%[4]s/state
SlurmdSpoolDir=%[4]s/spool
SlurmctldPidFile=%[4]s/slurmctld.pid
SlurmdPidFile=%[4]s/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/linear
Prolog=%[4]s/prolog
Epilog=%[4]s/epilog
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`

// TestSlurm submits the batch script that is given to users to a real Slurm: one report tells of both tasks, and the agent that the
// prolog has started has sent their series when the epilog ends it.
func TestSlurm(t *testing.T) {
	t.Parallel()
	controller, node := engine.Need(t, "slurmctld", "slurm-wlm"), engine.Need(t, "slurmd", "slurm-wlm")
	if os.Geteuid() != 0 {
		t.Skip("only root can start jobs of users")
	}
	c := &chain{t: t, torchleak: program(t), python: pytorch.Find(t)[0].Path, dir: t.TempDir()}
	c.prometheus = c.have(engine.Prometheus(engine.Need(t, "prometheus", "prometheus"), c.file("prometheus.yml", ""), c.dir, "--web.enable-remote-write-receiver"))
	c.start(c.prometheus)
	config := c.slurm(controller, node)

	script, err := filepath.Abs("slurm/train.sbatch")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sbatch", "--ntasks=2", "--overcommit", "--output=out", script, c.python, c.file("train.py", leaking))
	cmd.Dir = c.dir
	cmd.Env = pytorch.Environ("SLURM_CONF="+config, "PATH="+filepath.Dir(c.torchleak)+":"+os.Getenv("PATH"), "TORCHLEAK_RECORDINGS="+c.dir)
	t.Cleanup(func() { c.file("end", "") }) // whatever fails, the tasks do not stay
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("sbatch: %v\n%s", err, out)
	}
	c.await("steps of both tasks", func() bool { return c.watched(0) >= 200 && c.watched(1) >= 200 })
	c.file("end", "")
	c.await("the end of the job", func() bool { return c.slurmSays(config, "squeue", "--noheader") == "" })
	report, _ := os.ReadFile(filepath.Join(c.dir, "out"))
	for _, want := range []string{"2 ranks, from 2 recordings", "TL102 kept-loss", "(job "} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report does not say %q:\n%s", want, report)
		}
	}
	c.await("the end in the series that the agent has sent", func() bool {
		return c.ask(fmt.Sprintf(`count(torchleak_rank_running{recording=~"%s/.*"} == 0)`, c.dir)) == 2
	})
	c.await("the end of the agent", func() bool { return exec.Command("pgrep", "-f", c.prometheus.URL("/api/v1/write")).Run() != nil })
}

// TestPrologEpilog has two jobs of a user on a node: one agent serves both, and ends with the second.
func TestPrologEpilog(t *testing.T) {
	for _, tool := range []string{"runuser", "flock", "setsid"} {
		engine.Need(t, tool, "util-linux")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root becomes another user")
	}
	dir := t.TempDir()
	settings := filepath.Join(dir, "slurm.env")
	if err := os.WriteFile(settings, []byte("TORCHLEAK_REMOTE_WRITE=http://127.0.0.1:1/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := func(name, job string) {
		cmd := exec.Command("slurm/" + name + ".sh")
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program(t))+":"+os.Getenv("PATH"), "TORCHLEAK_RUN="+dir, "TORCHLEAK_SLURM_ENV="+settings,
			"SLURM_JOB_ID="+job, "SLURM_JOB_USER=root", "SLURM_JOB_UID=0")
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%s of %s: %v\n%s", name, job, err, out)
		}
	}
	agent := func() int {
		text, err := os.ReadFile(filepath.Join(dir, "0.pid"))
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil || syscall.Kill(pid, 0) != nil {
			return 0
		}
		return pid
	}
	script("prolog", "7")
	first := agent()
	t.Cleanup(func() { script("epilog", "7"); script("epilog", "8") })
	script("prolog", "8")
	if first == 0 || agent() != first {
		t.Errorf("the agent is %d, and %d with the second job", first, agent())
	}
	script("epilog", "7")
	if agent() != first {
		t.Error("the agent has ended with the first job")
	}
	script("epilog", "8")
	c := &chain{t: t, post: &post{}}
	c.await("the end of the agent", func() bool { return syscall.Kill(first, 0) != nil })
	if left, _ := filepath.Glob(filepath.Join(dir, "0.[jp]*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	settings = filepath.Join(dir, "none")
	script("prolog", "9")
	if agent() != 0 {
		t.Error("an agent without settings")
	}
}

// watched is how many steps the agent has seen of a task.
func (c *chain) watched(task int) float64 {
	return c.ask(fmt.Sprintf(`torchleak_rank_steps_total{rank="%d", recording=~"%s/.*"}`, task, c.dir))
}

// slurm starts a cluster and returns its configuration.
func (c *chain) slurm(controller, node string) string {
	c.t.Helper()
	host, err := os.Hostname()
	if err != nil {
		c.t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	for _, name := range []string{"prolog", "epilog"} {
		script, err := filepath.Abs("slurm/" + name + ".sh")
		if err != nil {
			c.t.Fatal(err)
		}
		text := fmt.Sprintf("#!/bin/sh\nPATH=%[3]s:$PATH TORCHLEAK_SLURM_ENV=%[1]s/slurm.env TORCHLEAK_RUN=%[1]s/run exec %[2]s\n", c.dir, script, filepath.Dir(c.torchleak))
		if err := os.Chmod(c.file(name, text), 0o700); err != nil {
			c.t.Fatal(err)
		}
	}
	c.file("slurm.env", "TORCHLEAK_REMOTE_WRITE="+c.prometheus.URL("/api/v1/write"))
	config := c.file("slurm.conf", fmt.Sprintf(slurmConf, host, c.port(), c.port(), c.dir))
	c.daemon(config, controller, "-D", "-f", config)
	c.daemon(config, node, "-D", "-f", config, "-N", host)
	c.await("a node that takes jobs", func() bool {
		return c.slurmSays(config, "sinfo", "--noheader", "--format=%t") == "idle"
	})
	return config
}

// slurmSays is what one of Slurm's commands prints, or why it does not.
func (c *chain) slurmSays(config string, args ...string) string {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+config)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(out))
}

func (c *chain) port() string {
	c.t.Helper()
	e, err := engine.New("", "", "", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	_, port, _ := strings.Cut(e.Address, ":")
	return port
}

func (c *chain) daemon(config, program string, args ...string) {
	c.t.Helper()
	log, err := os.Create(filepath.Join(c.dir, filepath.Base(program)+".log"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), "SLURM_CONF="+config), log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
}
