package residence

import (
	"path"
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Site is the place in the user's program that memory was allocated by: the innermost frame that is neither
// PyTorch's nor that of another installed package.
type Site struct {
	File     string
	Line     int
	Function string
	// Backward is set where autograd's own thread allocated, which has no Python frames: the place is then the call of
	// backward() that was under way.
	Backward bool
}

// Known says whether there is a place at all.
func (s Site) Known() bool { return s.File != "" }

// Category says what memory is for, as far as frames tell.
type Category string

// The categories.
const (
	Parameter  Category = "parameter"
	Gradient   Category = "gradient"
	Optimizer  Category = "optimizer state"
	Activation Category = "activation"
	Input      Category = "input"
	Temporary  Category = "temporary"
	Unknown    Category = "unknown"
)

var (
	installed = regexp.MustCompile(`(^|[/\\])(site-packages|dist-packages)[/\\]|[/\\]lib[/\\]python3\.\d+[/\\]|^<frozen |^<eval_with_key|[/\\]torchinductor_`)
	torch     = regexp.MustCompile(`(^|[/\\])torch[/\\](nn|optim|autograd|utils|cuda|distributed|amp|_\w+)([/\\]|\.py$)`)
	native    = regexp.MustCompile(`\.(cpp|cc|c|cu|cuh|h|hpp|so)$`)
)

// python says whether a frame is one of Python.
func python(f snapshot.Frame) bool {
	return f.File != "" && f.File != "??" && !native.MatchString(f.File) && !strings.Contains(f.Function, "::") &&
		(strings.HasSuffix(f.File, ".py") || strings.HasPrefix(f.File, "<"))
}

func user(f snapshot.Frame) bool {
	return python(f) && !installed.MatchString(f.File) && !torch.MatchString(f.File)
}

// about is what one stack tells.
type about struct {
	site     Site
	caller   Site // the outermost user frame that is in a function
	category Category
	module   string
	framed   bool // has frames of Python
	backward bool // is inside a call of backward()
	step     bool // is inside an optimizer's step()
}

// read looks through the frames of a stack.
func read(frames []snapshot.Frame) about {
	a := about{category: categoryOf(frames)}
	var library, any Site
	var modules []string
	for _, f := range frames {
		if !python(f) {
			continue
		}
		a.framed = true
		here := Site{File: f.File, Line: f.Line, Function: f.Function}
		slashed := strings.ReplaceAll(f.File, `\`, "/")
		switch {
		case user(f):
			if !a.site.Known() {
				a.site = here
			}
			if f.Function != "<module>" || !a.caller.Known() {
				a.caller = here
			}
		case !any.Known():
			any = here
		}
		if !user(f) && !torch.MatchString(slashed) && !strings.HasPrefix(f.File, "<") && !library.Known() {
			library = here
		}
		if f.Function == "forward" {
			modules = append(modules, moduleName(f))
		}
		a.backward = a.backward || f.Function == "backward" && (strings.HasSuffix(slashed, "torch/_tensor.py") || strings.HasSuffix(slashed, "torch/autograd/__init__.py"))
		a.step = a.step || strings.Contains(slashed, "torch/optim/")
	}
	for i := len(modules) - 1; i >= 0; i-- {
		if a.module != "" {
			a.module += " > "
		}
		a.module += modules[i]
	}
	for _, s := range []Site{library, any} {
		if !a.site.Known() {
			a.site = s
		}
	}
	return a
}

// moduleName names the module whose forward() a frame is in. Its class is not recorded, so the user's are named by place.
func moduleName(f snapshot.Frame) string {
	base := path.Base(strings.ReplaceAll(f.File, `\`, "/"))
	if user(f) {
		return base + ":" + itoa(f.Line)
	}
	return strings.TrimSuffix(base, ".py")
}

// categoryOf tells from the innermost frame that says something.
func categoryOf(frames []snapshot.Frame) Category {
	for _, f := range frames {
		if !python(f) {
			continue
		}
		file := strings.ReplaceAll(f.File, `\`, "/")
		switch {
		case strings.Contains(file, "torch/optim/"):
			if f.Function == "_init_group" || strings.Contains(f.Function, "state") {
				return Optimizer
			}
			return Temporary
		case strings.HasSuffix(file, "torch/nn/init.py"), strings.HasSuffix(file, "torch/nn/parameter.py"), f.Function == "reset_parameters",
			strings.HasSuffix(file, "torch/nn/modules/module.py") && (f.Function == "convert" || f.Function == "_apply"),
			strings.Contains(file, "torch/nn/modules/") && f.Function == "__init__":
			return Parameter
		case strings.HasSuffix(file, "torch/autograd/__init__.py"), strings.HasSuffix(file, "torch/autograd/graph.py"):
			return Gradient
		case strings.Contains(file, "torch/utils/data/"):
			return Input
		case f.Function == "forward", f.Function == "_call_impl", strings.HasSuffix(file, "torch/nn/functional.py"):
			return Activation
		}
	}
	return Unknown
}
