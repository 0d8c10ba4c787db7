package pyflow

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

var (
	// Makers of tensors that carry no graph.
	makers = words(`zeros ones empty full rand randn randint randperm arange linspace logspace eye tensor as_tensor from_numpy
		zeros_like ones_like empty_like full_like rand_like randn_like randint_like bernoulli multinomial argmax argmin argsort eq ne gt lt ge le
		nonzero isnan isinf isfinite logical_and logical_or logical_not equal allclose bincount searchsorted bucketize tril_indices triu_indices
		finfo iinfo Generator device FloatTensor LongTensor Tensor BoolTensor IntTensor normal histc unique_consecutive meshgrid`)
	plainTorch = words(`is_tensor manual_seed save numel is_grad_enabled set_num_threads get_num_threads set_default_dtype set_printoptions use_deterministic_algorithms get_rng_state set_rng_state`)
	// Builtins that return numbers, strings or nothing.
	plainBuiltins = words(`float int bool str len repr round isinstance hasattr print format hash id ord chr bytes any all callable issubclass open input vars dir`)
	lossClasses   = words(`L1Loss MSELoss CrossEntropyLoss CTCLoss NLLLoss PoissonNLLLoss GaussianNLLLoss KLDivLoss BCELoss BCEWithLogitsLoss
		MarginRankingLoss HingeEmbeddingLoss MultiLabelMarginLoss HuberLoss SmoothL1Loss SoftMarginLoss MultiLabelSoftMarginLoss
		CosineEmbeddingLoss MultiMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss`)
	lossFunctions = words(`cross_entropy kl_div binary_cross_entropy binary_cross_entropy_with_logits`)
)

// named is the result of calling something by a name that imports resolve.
func (it *interp) named(r pysyntax.Ref, q string, args []argument) *value {
	q = canonical(q)
	switch {
	case strings.HasPrefix(q, "torch."):
		return it.torchCall(r, q, args)
	case !strings.Contains(q, "."):
		return it.builtin(r, q, args)
	case threadPools[q]:
		v := it.at(r, opFixed)
		v.name = q + "()"
		return v
	}
	last := q[strings.LastIndexByte(q, '.')+1:]
	switch first, _, _ := strings.Cut(q, "."); first {
	case "numpy":
		return it.numpy(r, last, args)
	case "dict":
		if last == "fromkeys" {
			return it.containerAt(r, "dict")
		}
	case "collections", "queue", "asyncio", "multiprocessing":
		return it.collection(r, last, args)
	case "threading":
		for _, a := range args {
			if a.name == "target" && len(a.val.objects()) > 0 {
				it.threaded(r, a.val, threadArguments(args))
			}
		}
		return it.at(r, opFixed)
	case "concurrent":
		if last == "as_completed" {
			return it.through(r, args)
		}
	case "copy":
		return it.copied(r, args)
	case "sys":
		if last == "exc_info" {
			v := it.at(r, opFixed)
			v.traits |= Exception
			return v
		}
		return number
	case "math", "time", "os", "json", "logging", "random", "re", "warnings":
		return number
	case "torchvision", "timm":
		return it.factory(r, q, args)
	case "itertools":
		return it.through(r, args)
	case "tqdm":
		return it.through(r, args)
	case "transformers", "diffusers", "peft":
		if strings.Contains(q, "Model") && (last == "from_pretrained" || last == "from_config" || last == "get_peft_model") {
			return it.netValue(r)
		}
	case "types":
		if last == "MethodType" && len(args) == 2 {
			return it.partial(r, args)
		}
	case "functools":
		if last == "partial" && len(args) > 0 {
			return it.partial(r, args)
		}
	}
	return it.opaque(r, it.at(r, opFixed), args)
}

// threadPools are those of threads: what processes give back has no graph.
var threadPools = words("concurrent.futures.ThreadPoolExecutor concurrent.futures.thread.ThreadPoolExecutor multiprocessing.pool.ThreadPool multiprocessing.dummy.Pool")

// threadArguments are what Thread(target=…, args=(…)) hands to its target.
func threadArguments(args []argument) []argument {
	var handed []argument
	for _, a := range args {
		if a.name == "args" {
			for _, o := range a.val.containers() {
				for _, p := range o.parts {
					handed = append(handed, argument{node: a.node, val: p})
				}
			}
		}
	}
	return handed
}

// partial is a function with some of its arguments given already.
func (it *interp) partial(r pysyntax.Ref, args []argument) *value {
	v := it.keyed(memoKey{r, keyName}, opFixed)
	v.traits |= Callable
	for _, o := range args[0].val.objects() {
		if o.kind == function && o.fn != nil && v.object == nil {
			bound := *o
			bound.bound = append(append([]argument(nil), o.bound...), args[1:]...)
			v.object = &bound
		}
	}
	if v.object == nil {
		return args[0].val
	}
	return v
}

func (it *interp) netValue(r pysyntax.Ref) *value {
	v := it.at(r, opFixed)
	v.traits |= Net
	return v
}

func (it *interp) factory(r pysyntax.Ref, q string, args []argument) *value {
	switch {
	case strings.HasPrefix(q, "torchvision.models.") || q == "timm.create_model":
		return it.netValue(r)
	case q == "torchvision.utils.make_grid":
		return it.at(r, opCompute, values(args)...)
	}
	return it.at(r, opFixed)
}

func (it *interp) torchCall(r pysyntax.Ref, q string, args []argument) *value {
	rest := strings.TrimPrefix(q, "torch.")
	space, last, dotted := cutLast(rest)
	if !dotted {
		return it.torchFunction(r, rest, args)
	}
	switch {
	case space == "nn":
		return it.module(r, last, args)
	case space == "nn.functional" || space == "special" || space == "fft" || space == "linalg":
		v := it.at(r, opCompute, values(args)...)
		v.loss = lossFunctions[last] || strings.HasSuffix(last, "_loss")
		return v
	case space == "optim" || strings.HasPrefix(space, "optim.") && !strings.HasPrefix(space, "optim.lr_scheduler"):
		v := it.at(r, opFixed)
		v.traits |= Optimizer
		return v
	case space == "utils.data" && last == "DataLoader":
		v := it.at(r, opFixed)
		v.traits |= LoaderValue
		return v
	case q == "torch.autograd.grad":
		return it.gradients(r, args)
	case q == "torch.autograd.backward":
		if len(args) > 0 {
			it.backed(args[0].val, false)
		}
		return number
	case space == "autograd" && last == "Variable" && len(args) > 0:
		return args[0].val
	case space == "distributions" || strings.HasPrefix(space, "distributions."):
		return it.at(r, opCompute, values(args)...)
	case space == "utils.checkpoint":
		return it.at(r, opCompute, append([]*value{fixed(Parameter)}, values(args)...)...)
	case space == "nn.utils" && strings.HasPrefix(last, "parameters_to_vector"):
		return it.at(r, opCompute, fixed(Parameter))
	case space == "nn.parallel" || space == "jit" && (last == "script" || last == "trace") || last == "FullyShardedDataParallel":
		if len(args) > 0 {
			if last == "trace" || last == "script" {
				return it.at(r, opMoved, args[0].val)
			}
			it.net(args[0].val)
			return args[0].val
		}
	case space == "hub" && last == "load":
		return it.netValue(r)
	case space == "cuda" || space == "distributed" || strings.HasPrefix(space, "backends"):
		return number
	case strings.HasSuffix(last, "_"):
		return nothing
	}
	v := it.at(r, opFixed)
	v.name = q + "()"
	return v
}

func (it *interp) torchFunction(r pysyntax.Ref, name string, args []argument) *value {
	f := it.frame.unit.file
	switch {
	case name == "no_grad" || name == "inference_mode" || name == "enable_grad" || name == "autocast":
		v := it.at(r, opFixed)
		v.name = "torch." + name + "()"
		if name == "inference_mode" && len(args) > 0 && f.Kind(args[0].node) == pysyntax.FalseValue {
			v.name = "torch.enable_grad()"
		}
		return v
	case name == "set_grad_enabled":
		v := it.at(r, opFixed)
		v.name = "torch.set_grad_enabled()"
		if len(args) > 0 && f.Kind(args[0].node) == pysyntax.TrueValue {
			v.mark = gradOn
		}
		if f.Kind(f.Parent(r)) == pysyntax.ExpressionStatement {
			it.gradMode(v)
		}
		return v
	case makers[name]:
		v := it.at(r, opFixed)
		v.traits |= Tensor
		for _, a := range args {
			if a.name == "requires_grad" && f.Kind(a.node) == pysyntax.TrueValue {
				v.traits |= Parameter
			}
		}
		return v
	case plainTorch[name]:
		return number
	case name == "load":
		return it.at(r, opFixed)
	case name == "compile" && len(args) > 0:
		return args[0].val
	}
	v := it.at(r, opCompute, values(args)...)
	v.joins = name == "cat" || name == "stack" || name == "vstack" || name == "hstack" || name == "concat"
	v.partly = viewMethods[name]
	v.reduces = reduces(name, args, 1)
	return v
}

// module makes an nn.Module of PyTorch's own, a Parameter or a container of modules.
func (it *interp) module(r pysyntax.Ref, last string, args []argument) *value {
	v := it.at(r, opFixed)
	switch {
	case last == "Parameter":
		v.traits |= Parameter | Tensor
	case lossClasses[last]:
		v.traits |= Differs
	case last == "ModuleList" || last == "ParameterList" || last == "ModuleDict" || last == "ParameterDict":
		return it.moduleList(r, last, args)
	case last == "DataParallel" && len(args) > 0:
		it.net(args[0].val)
		return args[0].val
	default:
		v.traits |= Net
	}
	v.name = "torch.nn." + last + "()"
	return v
}

func (it *interp) moduleList(r pysyntax.Ref, last string, args []argument) *value {
	v := it.containerAt(r, "module list")
	if last == "ParameterList" || last == "ParameterDict" {
		v.object.typ = "parameter list"
		p := it.at(it.frame.unit.file.Child(r, pysyntax.FieldArguments), opFixed)
		p.traits |= Parameter | Tensor
		v.object.elems.feed(p)
		return v
	}
	m := it.at(it.frame.unit.file.Child(r, pysyntax.FieldArguments), opFixed)
	m.traits |= Net
	v.object.elems.feed(m)
	for _, a := range args {
		v.object.elems.feed(it.part(a.val, a.node))
	}
	return v
}

// gradients is what autograd.grad returns: no graph hangs on them unless it was asked for.
func (it *interp) gradients(r pysyntax.Ref, args []argument) *value {
	f := it.frame.unit.file
	create := false
	if len(args) > 1 && args[1].val.leads(Parameter, 4, visited{}) {
		for rd := it.frame.base; rd != nil; rd = rd.outer {
			rd.trains = true // a loop of the function itself may be that of an adaptation
		}
	}
	for _, a := range args {
		create = create || a.name == "create_graph" && f.Kind(a.node) != pysyntax.FalseValue
	}
	if create {
		return it.at(r, opCompute, append(values(args), fixed(Parameter))...)
	}
	v := it.at(r, opFixed)
	v.traits |= Tensor
	return v
}

// leads reports whether v or something in it has the trait, as far as that is known while the source is gone through.
func (v *value) leads(t Trait, depth int, seen visited) bool {
	if v == nil || depth == 0 || !seen.first(v) {
		return false
	}
	if v.traits&t != 0 {
		return true
	}
	for _, o := range v.containers() {
		if o.elems.leads(t, depth, seen) {
			return true
		}
	}
	if v.op != opCopy && v.op != opElem && v.op != opMoved {
		return false
	}
	for _, w := range v.in {
		if w.leads(t, depth-1, seen) {
			return true
		}
	}
	return false
}

func (it *interp) numpy(r pysyntax.Ref, name string, args []argument) *value {
	v := it.at(r, opFixed)
	v.traits |= Array
	v.data = values(args)
	v.reduces = reduces(name, args, 1)
	return v
}

// copied is copy.copy or copy.deepcopy.
func (it *interp) copied(r pysyntax.Ref, args []argument) *value {
	if len(args) == 0 {
		return nothing
	}
	w := args[0].val
	if w.traits&(Net|StateDict) != 0 {
		v := it.at(r, opFixed)
		v.traits |= StateDict | w.traits&Net
		v.in = []*value{w}
		return v
	}
	return it.at(r, opMoved, w)
}

// through gives what iterates over the first argument: enumerate, tqdm, cycle.
func (it *interp) through(r pysyntax.Ref, args []argument) *value {
	if len(args) == 0 {
		return it.at(r, opFixed)
	}
	return args[0].val
}
