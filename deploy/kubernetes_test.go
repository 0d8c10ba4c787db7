package deploy_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/torchleak/torchleak/internal/dev/engine"
)

// render makes the chart's DaemonSet with other values put over its own, by the few functions of Helm that it uses.
func render(t *testing.T, over string) (text []byte, set appsv1.DaemonSet) {
	t.Helper()
	var chart struct{ AppVersion string }
	var values map[string]any
	decode(t, "helm/torchleak/Chart.yaml", func(b []byte) error { return yaml.Unmarshal(b, &chart) })
	decode(t, "helm/torchleak/values.yaml", func(b []byte) error { return yaml.UnmarshalStrict(b, &values) })
	if err := yaml.UnmarshalStrict([]byte(over), &values); err != nil {
		t.Fatal(err)
	}
	functions := template.FuncMap{
		"quote": func(s string) string { return `"` + s + `"` },
		"default": func(otherwise, s string) string {
			if s == "" {
				return otherwise
			}
			return s
		},
		"toYaml": func(v any) (string, error) { b, err := yaml.Marshal(v); return strings.TrimSpace(string(b)), err },
		"nindent": func(n int, s string) string {
			indent := "\n" + strings.Repeat(" ", n)
			return indent + strings.ReplaceAll(s, "\n", indent)
		},
	}
	made, err := template.New("daemonset.yaml").Funcs(functions).ParseFiles("helm/torchleak/templates/daemonset.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	context := map[string]any{"Values": values, "Chart": chart, "Release": map[string]string{"Namespace": "torchleak"}}
	if err := made.Execute(&out, context); err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(out.Bytes(), &set); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	return out.Bytes(), set
}

func decode(t *testing.T, path string, into func([]byte) error) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = into(text)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// TestDaemonSet keeps the manifest that is applied without Helm the chart's own.
func TestDaemonSet(t *testing.T) {
	const path = "kubernetes/daemonset.yaml"
	made, want := render(t, "")
	made = append([]byte("# The chart of deploy/helm with its own values; deploy/kubernetes_test.go makes it (UPDATE=1 go test -run DaemonSet ./deploy).\n"), made...)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got appsv1.DaemonSet
	decode(t, path, func(b []byte) error { return yaml.UnmarshalStrict(b, &got) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s is not what the chart makes:\n%s", path, diff)
	}
	confined(t, got.Spec.Template.Spec)
}

// TestChartValues renders what only other values show.
func TestChartValues(t *testing.T) {
	_, set := render(t, `
image: {repository: registry.example/torchleak, tag: "1"}
remoteWrite: http://mimir/api/v1/push
runtimeClassName: nvidia
nodeSelector: {gpu: "true"}
tolerations: []
`)
	spec := set.Spec.Template.Spec
	watch := spec.Containers[0]
	if watch.Image != "registry.example/torchleak:1" || watch.Args[len(watch.Args)-1] != "--remote-write=http://mimir/api/v1/push" || len(watch.Env) != 2 ||
		spec.RuntimeClassName == nil || *spec.RuntimeClassName != "nvidia" || spec.NodeSelector["gpu"] != "true" || spec.Tolerations != nil {
		t.Errorf("%+v", spec)
	}
	confined(t, spec)
}

// TestHelm has Helm itself read the chart, where it is installed.
func TestHelm(t *testing.T) {
	helm, err := exec.LookPath("helm")
	if err != nil {
		t.Skip("no helm, which Debian does not have: https://helm.sh/docs/intro/install")
	}
	if out, err := exec.Command(helm, "lint", "--strict", "helm/torchleak").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	out, err := exec.Command(helm, "template", "--namespace", "torchleak", "t", "helm/torchleak").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got appsv1.DaemonSet
	if err := yaml.UnmarshalStrict(out, &got); err != nil {
		t.Fatal(err)
	}
	if _, want := render(t, ""); !cmp.Equal(want, got) {
		t.Error(cmp.Diff(want, got))
	}
}

// TestSidecar reads the example of a training with an agent beside it.
func TestSidecar(t *testing.T) {
	var job batchv1.Job
	decode(t, "kubernetes/sidecar.yaml", func(b []byte) error { return yaml.UnmarshalStrict(b, &job) })
	spec := job.Spec.Template.Spec
	confined(t, spec)
	if policy := spec.InitContainers[1].RestartPolicy; policy == nil || *policy != corev1.ContainerRestartPolicyAlways {
		t.Error("the agent is no sidecar: the training would wait for its end")
	}
}

// confined checks that no container has more rights than it needs, and that the agents only read recordings.
func confined(t *testing.T, spec corev1.PodSpec) {
	t.Helper()
	if pod := spec.SecurityContext; spec.HostPID || spec.HostNetwork || spec.HostIPC || *spec.AutomountServiceAccountToken || !*pod.RunAsNonRoot || *pod.RunAsUser == 0 ||
		pod.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("the pod has rights that it does not need: %+v", spec)
	}
	volumes := map[string]bool{}
	for _, v := range spec.Volumes {
		volumes[v.Name] = true
	}
	for _, c := range append(spec.InitContainers, spec.Containers...) {
		own := c.SecurityContext
		if *own.AllowPrivilegeEscalation || len(own.Capabilities.Drop) != 1 || own.Capabilities.Drop[0] != "ALL" || own.Capabilities.Add != nil || own.Privileged != nil {
			t.Errorf("%s has rights that it does not need: %+v", c.Name, own)
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] || c.Name == "watch" && !m.ReadOnly {
				t.Errorf("%s: %+v", c.Name, m)
			}
		}
		if c.Name == "watch" && (own.ReadOnlyRootFilesystem == nil || !*own.ReadOnlyRootFilesystem) {
			t.Error("the agent may write to its own file system")
		}
	}
}

// TestAgentsTakeTheirFlags has the program itself read the agents' arguments: it gets as far as the token, which is not there.
func TestAgentsTakeTheirFlags(t *testing.T) {
	_, set := render(t, "remoteWrite: http://127.0.0.1:1/")
	var job batchv1.Job
	decode(t, "kubernetes/sidecar.yaml", func(b []byte) error { return yaml.UnmarshalStrict(b, &job) })
	dir := t.TempDir()
	for _, args := range [][]string{set.Spec.Template.Spec.Containers[0].Args, job.Spec.Template.Spec.InitContainers[1].Args} {
		here := make([]string, len(args))
		for i, a := range args {
			here[i] = strings.NewReplacer("/recordings", dir, "/etc/torchleak", filepath.Join(dir, "none")).Replace(a)
		}
		out, err := exec.Command(program(t), here...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--token-file") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

// TestScrapeConfig has promtool read what the cluster's Prometheus is given, but for the discovery, which Debian's is built without.
func TestScrapeConfig(t *testing.T) {
	promtool := engine.Need(t, "promtool", "prometheus")
	text, err := os.ReadFile("kubernetes/prometheus.yml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	token, config := filepath.Join(dir, "token"), filepath.Join(dir, "prometheus.yml")
	text = bytes.ReplaceAll(text, []byte("/etc/torchleak/token"), []byte(token))
	const discovery = "kubernetes_sd_configs:\n      - role: pod\n"
	if !bytes.Contains(text, []byte(discovery)) {
		t.Fatalf("there is no %q", discovery)
	}
	text = bytes.ReplaceAll(text, []byte(discovery), []byte("static_configs: [{targets: [localhost]}]\n"))
	for path, content := range map[string][]byte{token: []byte("0123456789abcdef"), config: text} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(promtool, "check", "config", config).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
