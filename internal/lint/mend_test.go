package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Each kind of change, in the training that shows it: what is left out, what stands there instead, and with which flag.
func TestKindsOfFixes(t *testing.T) {
	const head = "import torch\nfrom torch import nn\n\n"
	for _, c := range []struct {
		name, text string
		lost, got  []string
		safe       bool
	}{
		{"numbers are kept as numbers", "def train(model, loader):\n    curve = []\n    for x in loader:\n        loss = model(x).mean()\n        loss.backward()\n        curve.append(loss)\n    print(sum(curve[-20:]) / 20)\n",
			nil, []string{"curve.append(loss.item())"}, true},
		{"tensors that are joined stay tensors", "def train(model, loader):\n    curve = []\n    for x in loader:\n        loss = model(x).mean()\n        loss.backward()\n        curve.append(loss)\n    return torch.stack(curve[-20:])\n",
			nil, []string{"curve.append(loss.detach())\n        del curve[:-20]\n"}, false},
		{"what nobody reads", "def train(model, loader):\n    seen = []\n    for x in loader:\n        out = model(x)\n        out.mean().backward()\n        seen.append(out)\n",
			[]string{"seen.append"}, nil, false},
		{"lists that belong together", "class M:\n    def __init__(self):\n        self.a = []\n        self.b = []\n\n    def fit(self, model, loader):\n        for x, y in loader:\n            out = model(x)\n            out.mean().backward()\n            self.a.append(out)\n            self.b.append(y)\n        return list(zip(self.a, self.b))\n",
			nil, []string{"            del self.a[:-8]\n            self.b.append(y)\n            del self.b[:-8]\n"}, false},
		{"a dictionary", "def train(model, loader):\n    log = {}\n    for i, x in enumerate(loader):\n        out = model(x)\n        out.mean().backward()\n        log[i] = out\n    return log\n",
			nil, []string{"        log[i] = out.detach()\n        if len(log) > 8:\n            del log[next(iter(log))]\n"}, false},
		{"a tensor that gets wider", "class M:\n    def __init__(self):\n        self.q = torch.zeros(4, 0)\n\n    def fit(self, model, loader):\n        for x in loader:\n            out = model(x)\n            out.mean().backward()\n            self.q = torch.cat([self.q, out.T], dim=1)\n        return self.q\n",
			nil, []string{"[:, -256:]\n"}, false},
		{"a hook for one pass", "def train(model, loader, hook):\n    for x in loader:\n        model[0].register_forward_hook(hook)\n        out = nn.functional.relu(model(x))  # the pass\n        out.mean().backward()\n        print(1)\n",
			nil, []string{"        with model[0].register_forward_hook(hook):\n            out = nn.functional.relu(model(x))  # the pass\n            out.mean().backward()\n        print(1)\n"}, false},
		{"an unbounded cache", "import functools\n\n@functools.cache\ndef near(points):\n    return torch.cdist(points, points)\n", nil, []string{"@functools.lru_cache(maxsize=8)\ndef near"}, false},
		{"gradients with a graph", "def penalty(model, x):\n    z = x.clone().requires_grad_()\n    out = model(z).sum()\n    out.backward(create_graph=True)\n    return z.grad.norm()\n",
			[]string{"backward"}, []string{"z_grad, = torch.autograd.grad(out, z, create_graph=True)\n    return z_grad.norm()"}, false},
		{"a collector that is off", "import gc\n\ndef train(model, loader):\n    gc.disable()\n    for x in loader:\n        model(x).mean().backward()\n", []string{"gc.disable"}, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fixed(t, stdin(head+c.text), !c.safe)
			if len(f.Files) != 1 || len(f.Failed) > 0 {
				t.Fatalf("%d files, not fixed: %v", len(f.Files), f.Failed)
			}
			after := string(f.Files[0].After)
			for _, text := range c.lost {
				if strings.Contains(after, text) {
					t.Errorf("%q is left:\n%s", text, after)
				}
			}
			for _, text := range c.got {
				if !strings.Contains(after, text) {
					t.Errorf("no %q:\n%s", text, after)
				}
			}
		})
	}
}

// Without its graph a choice teaches nothing: there is advice, and no change that would end the training's learning.
func TestChoicesKeepTheirGraphs(t *testing.T) {
	const head = "import torch\nfrom torch.distributions import Categorical\n\nclass P(torch.nn.Module):\n    def __init__(self):\n        self.net = torch.nn.Linear(4, 2)\n        self.kept = []\n\n    def act(self, s):\n        d = Categorical(logits=self.net(s))\n        a = d.sample()\n"
	for name, text := range map[string]string{
		"written out": "        self.kept.append(d.log_prob(a))\n        return a.item()\n",
		"by a name":   "        p = d.log_prob(a)\n        self.kept.append(p)\n        return a.item()\n",
	} {
		r, err := Run(stdin(head + text))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.Report.Findings); n != 1 {
			t.Fatalf("%s: %d findings", name, n)
		}
		if fix := r.Report.Findings[0].Fix; fix == nil || fix.Diff != "" || fix.Further != nil || !strings.HasPrefix(fix.Summary, "Empty it once") {
			t.Errorf("%s: %+v", name, fix)
		}
	}
}

// What is read as a whole where a pass over data ends is what the pass is for.
func TestGatheringIsNotCutShort(t *testing.T) {
	text := "import torch\n\ndef embed(model, loader):\n    model.eval()\n    out = []\n    for x in loader:\n        out.append(model(x))\n    return torch.cat(out)\n"
	f := fixed(t, stdin(text), true)
	if len(f.Files) != 1 || strings.Contains(string(f.Files[0].After), "del out") || !strings.Contains(string(f.Files[0].After), "@torch.no_grad()") {
		t.Errorf("%+v", f.Files)
	}
}

// All fixes of the leaking cases parse, in whichever file they are made, and fixing again changes nothing.
func TestFixLeaks(t *testing.T) {
	folders, err := filepath.Glob("../../leaks/*/case.json")
	if err != nil || len(folders) < 100 {
		t.Fatalf("%d cases: %v", len(folders), err)
	}
	changed := 0
	for _, folder := range folders {
		dir := t.TempDir()
		sources, err := filepath.Glob(filepath.Join(filepath.Dir(folder), "*.py"))
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			text, err := os.ReadFile(source)
			if err == nil && !strings.HasPrefix(filepath.Base(source), "fixed") {
				err = os.WriteFile(filepath.Join(dir, filepath.Base(source)), text, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		opts := Options{Paths: []string{dir}, Dir: dir, Isolated: true}
		f := fixed(t, opts, true)
		if len(f.Failed) > 0 {
			t.Errorf("%s: %v", folder, f.Failed)
		}
		for _, one := range f.Files {
			changed++
			if tree, err := pysyntax.Parse(one.Name, one.After); err != nil || tree.HasError {
				t.Errorf("%s: %s does not parse\n%s", folder, one.Name, one.Diff)
			}
			if err := one.Write(); err != nil {
				t.Fatal(err)
			}
		}
		if again := fixed(t, opts, true); len(again.Files) > 0 {
			t.Errorf("%s: fixing twice changes %s\n%s", folder, again.Files[0].Name, again.Files[0].Diff)
		}
	}
	if changed < 60 {
		t.Errorf("%d files changed only", changed)
	}
}

// What looks for the best entry, or for one by its key, finds it: the container is not cut down to its newest.
func TestChosenEntriesStay(t *testing.T) {
	for _, c := range []struct {
		reader string
		cut    bool
	}{
		{"min(self.trace, key=lambda t: t[0])[1]", false},
		{"sorted(self.trace)[0][1]", false},
		{"heapq.nsmallest(2, self.trace)[0][1]", false},
		{"self.trace[max(range(len(self.trace)), key=self.score)][1]", false},
		{"self.trace[min(v for v, _ in self.trace)]", false},
		{"self.trace[step][1]", false},
		{"self.trace[-1][1]", true},
		{"[state for _, state in self.trace]", true},
	} {
		text := "import copy, heapq\nimport torch\n\nclass Stop:\n    def __init__(self):\n        self.trace = []\n\n    def __call__(self, value, model):\n" +
			"        self.trace.append((value, copy.deepcopy(model.state_dict())))\n\n    def restore(self, model, step):\n        model.load_state_dict(" + c.reader + ")\n\n" +
			"def train(model, loader, optimizer):\n    stop = Stop()\n    for x in loader:\n        loss = model(x).mean()\n        loss.backward()\n        optimizer.step()\n        stop(loss.item(), model)\n"
		after := text
		for _, file := range fixed(t, stdin(text), true).Files {
			after = string(file.After)
		}
		if cut := strings.Contains(after, "del self.trace[:-"); cut != c.cut {
			t.Errorf("read by %s: cut short is %v", c.reader, cut)
		}
	}
}

// A checkpoint that is loaded by its key stays; where the newest is loaded, the older ones may go.
func TestCheckpointsByKeyStay(t *testing.T) {
	for reader, cut := range map[string]bool{"self.saves[max(self.saves)]": true, "self.saves[step]": false} {
		text := "import io\nimport torch\n\nclass Store:\n    def __init__(self):\n        self.saves = {}\n\n    def save(self, step, model):\n        buffer = io.BytesIO()\n" +
			"        torch.save(model.state_dict(), buffer)\n        self.saves[step] = buffer.getvalue()\n\n    def load(self, step):\n        return torch.load(io.BytesIO(" + reader + "))\n"
		after := text
		for _, file := range fixed(t, stdin(text), true).Files {
			after = string(file.After)
		}
		if strings.Contains(after, "del self.saves[") != cut {
			t.Errorf("read by %s:\n%s", reader, after)
		}
	}
}
