package pyflow

import "testing"

func TestMatters(t *testing.T) {
	for _, c := range []struct {
		name, source string
		want         bool
	}{
		{"a call", "import torch\nloss.backward()\n", true},
		{"in a comment", "import torch\n# then call loss.backward()\nx = 1\n", false},
		{"behind a comment of another line", "import torch\n    # \"\"\"\nloss.backward()\n", true},
		{"in a docstring", "import torch\ndef f():\n    r'''Call loss.backward()\n    here.'''\n    return 1\n", false},
		{"behind a docstring", "import torch\ndef f():\n    \"\"\"One line.\"\"\"\n    loss.backward()\n", true},
		{"behind a string over lines", "import torch\nx = \"\"\"\ntext\n\"\"\"\nloss.backward()\n\"\"\"end\"\"\"\n", true},
		{"in an open docstring", "import torch\n\"\"\"loss.backward()", false},
		{"a module that keeps", "import torch\nclass A(nn.Module):\n    def forward(self, x):\n        self.seen.append(x)\n", true},
		{"another class that keeps", "import torch\nclass A:\n    def add(self, x):\n        self.seen.append(x)\nclass B(nn.Module):\n    def forward(self, x):\n        return x\n", false},
		{"a counter", "import torch\nclass A(nn.Module):\n    def forward(self, x):\n        self.n += 1\n        return x\n", false},
		{"a sum", "import torch\nclass A(nn.Module):\n    def forward(self, x):\n        self.n += 1 * x\n        return x\n", true},
		{"moved elsewhere", "import torch\nclass A(nn.Module):\n    def forward(self, x):\n        self.w = self.w.to(x.device)\n", false},
		{"carried on", "import torch\nclass A(nn.Module):\n    def forward(self, x):\n        self.w = self.w + x\n", true},
		{"a cache", "import torch\n@cache\ndef f(x):\n    return x\n", true},
		{"a cached property", "import torch\nclass A:\n    @cached_property\n    def f(self):\n        return 1\n", false},
		{"a cached property by its module", "import torch\nclass A:\n    @functools.cached_property\n    def f(self):\n        return 1\n", false},
		{"a hook", "import torch\nnet.register_forward_hook(f)\n", true},
		{"a function that is called hook", "import torch\ndef my_hook(module, args):\n    return args\n", false},
		{"a hook of loading", "import torch\nclass A(nn.Module):\n    def __init__(self):\n        self._register_load_state_dict_pre_hook(self.f)\n", false},
		{"a parameter", "import torch\nself.register_parameter(name, p)\n", true},
		{"a parameter that is none", "import torch\nself.register_parameter(\"bias\", None)\n", false},
		{"a loss of a trainer", "import transformers\nclass T(Trainer):\n    def compute_loss(self, model, inputs):\n        return 1\n", true},
		{"a loss of a model", "import torch\ndef _compute_loss(a):\n    return a\n", false},
		{"an evaluation", "import torch\ndef f(net):\n    net.eval()\n", true},
		{"a frozen part of a module", "import torch\nclass A(nn.Module):\n    def __init__(self):\n        self.vgg = vgg().eval()\n    def forward(self, x):\n        return x\n", false},
		{"a frozen module of what is none", "import torch\nclass A:\n    def __init__(self):\n        self.vgg = vgg().eval()\nclass B(nn.Module):\n    def forward(self, x):\n        return x\n", true},
		{"an endless loop with tensors", "import torch\nwhile True:\n    f()\n", true},
		{"an endless loop without", "from transformers import X\nwhile True:\n    f()\n", false},
		{"a container of the module", "import torch\nseen = []\nclass A(nn.Module):\n    def forward(self, x):\n        seen.append(x)\n", true},
		{"a container of a function", "import torch\nclass A(nn.Module):\n    def forward(self, x):\n        seen = []\n        seen.append(x)\n", false},
		{"nothing of tensors", "def f(epoch):\n    loss.append(1)\n", false},
	} {
		if got := Matters([]byte(c.source)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
