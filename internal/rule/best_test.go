package rule

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

const (
	ofList = `import copy, torch

def train(model, loader, optimizer):
    kept = []
    for x in loader:
        loss = model(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept.append((loss.item(), copy.deepcopy(model.state_dict())))
`
	ofDictionary = `import torch

def train(model, loader, optimizer):
    kept = {}
    for step, x in enumerate(loader):
        loss = model(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept[step] = {"loss": loss.detach(), "x": x}
`
)

// Where all who read a container choose from it by the same value, what they would choose stays.
func TestKeepsBest(t *testing.T) {
	for _, test := range []struct{ source, reader, want string }{
		{ofList, "return min(kept, key=lambda e: e[0])[1]", "kept[:] = [min(kept, key=lambda e: e[0])]"},
		{ofList, "return max(kept)[1]", "kept[:] = [max(kept)]"},
		{ofList, "return sorted(kept, key=lambda e: -e[0])[:5]", "kept.sort(key=lambda e: -e[0])\ndel kept[5:]"},
		{ofList, "return sorted(kept, key=lambda e: e[0], reverse=True)[:count]", "kept.sort(key=lambda e: e[0], reverse=True)\ndel kept[3:]"},
		{ofList, "kept.sort(key=lambda e: e[0])\n    print(len(kept))\n    return kept[0], kept[:4]", "kept.sort(key=lambda e: e[0])\ndel kept[4:]"},
		{ofDictionary, "return kept[min(kept, key=lambda k: float(kept[k]['loss']))]", "if len(kept) > 1:\n    del kept[max(kept, key=lambda key: float(kept[key]['loss']))]"},
		{ofDictionary, "best = max(kept, key=lambda k: kept[k]['loss'])\n    print(best, kept[best])", "if len(kept) > 1:\n    del kept[min(kept, key=lambda key: kept[key]['loss'])]"},
		{ofDictionary, "return sorted(kept.values(), key=lambda v: v['loss'])[:2]", "if len(kept) > 2:\n    del kept[max(kept, key=lambda key: kept[key]['loss'])]"},

		{ofList, "order = [1]\n    return min(kept, key=lambda e: order[0])", ""},                                 // who knows what it is there
		{ofList, "return min(kept, key=lambda e: e[0]), max(kept, key=lambda e: e[0])", ""},                       // both ends
		{ofList, "kept.sort(key=lambda e: e[0])\n    return kept[-1]", ""},                                        // from its end
		{ofList, "for k in kept:\n        print(k)\n    return min(kept, key=lambda e: e[0])", ""},                // others read all
		{ofList, "return sorted(kept, key=lambda e: e[0])", ""},                                                   // all
		{ofDictionary, "best = 3\n    best = max(kept, key=lambda k: kept[k]['loss'])\n    kept[best].pop()", ""}, // a key of its own
	} {
		file := parsed(t, test.source+"    "+test.reader+"\n")
		if got := behindStore(t, file); got != test.want {
			t.Errorf("read by %q:\ngot  %q\nwant %q", test.reader, got, test.want)
		}
	}
}

// Two lists that are filled side by side are not put into another order.
func TestKeepsBestLeavesParallelLists(t *testing.T) {
	source := strings.Replace(ofList, "kept = []", "kept, steps = [], []", 1) + "        steps.append(x)\n    print(steps[0], min(kept))\n"
	if got := behindStore(t, parsed(t, source)); strings.Contains(got, "min(") {
		t.Errorf("got %q", got)
	}
}

// behindStore is what lint puts behind the statement that fills kept, as far in as that.
func behindStore(t *testing.T, f *pysyntax.File) string {
	t.Helper()
	x := pyflow.NewIndex()
	x.Add(f)
	p := &Pass{Flow: x.Module(f), File: f}
	for _, fn := range p.Flow.Functions {
		for _, s := range fn.Stores {
			if s.Holder.Path != "kept" && s.Holder.Path != "self.kept" {
				continue
			}
			fix := Bound(p, s)
			if fix == nil {
				return ""
			}
			if _, err := patch.Apply(f, fix.Edits); err != nil {
				t.Fatal(err)
			}
			return strings.TrimSpace(strings.ReplaceAll(fix.Edits[0].Text, "\n        ", "\n"))
		}
	}
	t.Fatal("nothing is kept")
	return ""
}

// A cache that is filled by a function of its own makes anew what was taken out, where that function is called only for
// what is not there; and what a function of the file joins is cut along its dimension.
func TestBoundThroughFunctions(t *testing.T) {
	const loop = `
def train(loader):
    model = torch.nn.Linear(4, 4)
    optimizer, cache = torch.optim.SGD(model.parameters(), lr=0.1), Cache(model)
    for step, x in enumerate(loader):
        loss = (model(x) - cache.of(step, x)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
`
	for _, test := range []struct{ source, want string }{
		{`import torch

class Cache:
    def __init__(self, net):
        self.net, self.kept = net, {}

    def of(self, key, x):
        if key not in self.kept:
            self.fill(key, x)
        return self.kept[key]

    def fill(self, key, x):
        self.kept[key] = self.net(x).softmax(1)
` + loop, "if len(self.kept) > 8:\n    del self.kept[next(iter(self.kept))]"},
		{`import torch

class Cache:
    def __init__(self, net):
        self.net, self.kept = net, {}

    def of(self, key, x):
        self.fill(key, x)
        return self.kept[key]

    def fill(self, key, x):
        self.kept[key] = self.net(x).softmax(1)
` + loop, ""},
		{`import torch

def joined(before, new):
    if before is None:
        return new
    return torch.cat((before, new), dim=1)

class Cache:
    def __init__(self, net):
        self.net, self.kept = net, None

    def of(self, key, x):
        y = self.net(x).softmax(1)
        self.kept = joined(self.kept, y)
        return y
` + loop, "self.kept = self.kept[:, -256:]"},
	} {
		if got := behindStore(t, parsed(t, test.source)); got != test.want {
			t.Errorf("got  %q\nwant %q\n%s", got, test.want, test.source)
		}
	}
}
