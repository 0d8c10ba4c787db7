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
		{"nothing of tensors", "def f(epoch):\n    loss.append(1)\n", false},
	} {
		if got := Matters([]byte(c.source)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
