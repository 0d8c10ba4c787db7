package pyflow

import (
	"bytes"
	"slices"
	"sort"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

func list(words ...string) [][]byte {
	var all [][]byte
	for _, w := range words {
		all = append(all, []byte(w))
	}
	return all
}

var (
	// A file that has none of these has nothing to do with tensors.
	signs = list("torch", ".backward(", ".eval()", "_hook(", "lightning", "accelerate", "transformers", "fastai", "matplotlib", "append(sys.exc_info")
	// A function that has one of these may train, evaluate, register, cache or ask for memory.
	triggers = setOf(".backward(", "manual_backward", ".eval()", "zero_grad", ".step(", "DataLoader", "_hook(", "maxsize=None", "lru_cache(None)", "functools.cache", "@cache",
		"autograd.Function", "(Function)", "new_group", "new_subgroups", "init_device_mesh", "onnx.export(", "export.export(", "jit.script(", "memory_snapshot", "empty_cache", "gc.collect", "jit.trace(", "torch.compile(", "detect_anomaly", "profiler", "max_memory_allocated",
		"on_train_batch", "_batch_end(", ".getvalue()", "compute_loss(", "Optimizer)", "optimizer.state[", "gc.disable", "sys.exc_info()", "deepcopy(self.model", "register_parameter(", "memory_summary", "memory_history", "CUDA_ALLOC_CONF", "training_step", "validation_step", "add_param_group",
		"plt.", "pyplot", "Dataset)", "create_graph", "retain_graph", "memory_reserved", "memory_allocated", "set_to_none", "epoch").
		only("@cache", ends).only("functools.cache", ends).only("compute_loss(", begins).only("register_parameter(", adds).
		only("_hook(", registers).only(".eval()", evaluates)
	// These ask for something only where tensors are made or a model is read, or where an attribute is given something.
	foreverTriggers = setOf("while True", "while 1:")
	choiceTriggers  = setOf(".log_prob(")
	loops           = list("for ", "while ")
	selfDot         = []byte("self.")
	defWord         = []byte("def ")
	forwardWord     = []byte("def forward(")
	initWord        = []byte("__init__(")
	classWord       = []byte("\nclass ")
	rawDoc          = []byte("\"'rRuU")

	toWord       = []byte(".to(")
	sampling     = []byte(".log_prob(")
	noneArgument = []byte(", None")
	tensorWords  = list("torch", "from_pretrained(")

	putting = list(".append(", ".add(", ".extend(")
	empties = list(" = []", " = {}", " = list()", " = dict()", " = deque(", " = defaultdict(", " = collections.")
	filling = list(".append(", "[")

	tripleQuotes = list(`"""`, "'''")
)

// Matters reports whether anything could be found in source. It is cheap: files that do not matter need not be
// parsed, they are offered to the index in case another one calls into them.
func Matters(source []byte) bool {
	if !contains(source, signs) {
		return false
	}
	if sets := triggering(source); inAny(sets, source) && inAny(sets, spoken(source)) {
		return true
	}
	return bytes.Contains(source, forwardWord) && (ownContainer(source) || moduleKeeps(source))
}

// triggering are the triggers that count in source.
func triggering(source []byte) []*wordSet {
	sets := []*wordSet{triggers}
	if contains(source, tensorWords) {
		sets = append(sets, foreverTriggers)
	}
	if bytes.Contains(source, sampling) && keepsOnSelf(source) {
		sets = append(sets, choiceTriggers)
	}
	return sets
}

func inAny(sets []*wordSet, source []byte) bool {
	return slices.ContainsFunc(sets, func(s *wordSet) bool { return s.in(source) })
}

// asking returns where source asks for something.
func asking(source []byte) []uint32 {
	var at []uint32
	for _, s := range triggering(source) {
		at = append(at, s.all(source)...)
	}
	slices.Sort(at)
	return at
}

// moduleKeeps reports whether a class that has a forward puts something into an attribute.
func moduleKeeps(source []byte) bool {
	for len(source) > 0 {
		end := bytes.Index(source, classWord)
		if end < 0 {
			end = len(source)
		}
		if class := source[:end]; bytes.Contains(class, forwardWord) && (keepsOnSelf(class) || ofClass(class)) {
			return true
		}
		source = source[min(end+len(classWord), len(source)):]
	}
	return false
}

// spoken returns source without comments that have a line of their own and without docstrings: what these speak of is not done.
func spoken(source []byte) []byte {
	said := make([]byte, 0, len(source))
	for len(source) > 0 {
		end := bytes.IndexByte(source, '\n') + 1
		if end == 0 {
			end = len(source)
		}
		line := bytes.TrimLeft(source[:end], " \t")
		if at := tripled(line); at >= 0 {
			quote := line[at : at+3]
			after := end - len(line) + at + 3
			if close := bytes.Index(source[after:], quote); close >= 0 {
				end = after + close + 3
			} else {
				end = len(source)
			}
			if at <= 1 && bytes.IndexByte(rawDoc, line[0]) >= 0 {
				source = source[end:]
				continue
			}
		} else if len(line) > 0 && line[0] == '#' {
			source = source[end:]
			continue
		}
		said = append(said, source[:end]...)
		source = source[end:]
	}
	return said
}

// tripled returns where the first three quotes stand that open a string over several lines, -1 where none do.
func tripled(line []byte) int {
	at := -1
	for _, quote := range tripleQuotes {
		if i := bytes.Index(line, quote); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at >= 0 && bytes.IndexByte(line[:at], '#') >= 0 {
		return -1 // in a comment
	}
	return at
}

func contains(source []byte, words [][]byte) bool {
	for _, w := range words {
		if bytes.Contains(source, w) {
			return true
		}
	}
	return false
}

// keeps reports whether a line puts something into an attribute: self.x.append(…), self.x[…] = …, self.x += …,
// self.x = … self.x …; or whether the module has a container of its own that is appended to.
func keeps(source []byte) bool {
	return keepsOnSelf(source) || ofClass(source) || ownContainer(source)
}

func keepsOnSelf(source []byte) bool {
	beginning := false // within __init__, where every list is filled once
	for rest := source; ; {
		i := bytes.Index(rest, selfDot)
		if i < 0 {
			break
		}
		if d := bytes.LastIndex(rest[:i], defWord); d >= 0 {
			beginning = bytes.HasPrefix(rest[d+len(defWord):], initWord)
		}
		rest = rest[i+len(selfDot):]
		if !beginning && keepsHere(rest) {
			return true
		}
	}
	return false
}

// ofClass reports whether something is appended to an attribute of what may be a class: Net.seen.append(…), cls.seen.append(…).
func ofClass(source []byte) bool {
	for _, then := range putting {
		for from := 0; ; {
			i := bytes.Index(source[from:], then)
			if i < 0 {
				break
			}
			start := from + i
			for start > 0 && (wordByte(source[start-1]) || source[start-1] == '.') {
				start--
			}
			if path := source[start : from+i]; bytes.IndexByte(path, '.') >= 0 && !bytes.HasPrefix(path, selfDot) {
				return true
			}
			from += i + len(then)
		}
	}
	return false
}

// hooks reports whether a function registers hooks.
func (d *fn) hooks() bool {
	n := d.unit.file.Node(d.node)
	return bytes.Contains(d.unit.file.Source[n.Start:n.End], []byte("_hook("))
}

// acts reports whether a method keeps how likely what it chooses was: it is called for every step of an episode.
func (d *fn) acts() bool {
	if d.class == nil || d.name == "__init__" {
		return false
	}
	n := d.unit.file.Node(d.node)
	source := d.unit.file.Source[n.Start:n.End]
	return bytes.Contains(source, sampling) && keepsOnSelf(source)
}

// worth reports whether a function can hold a finding by itself: it asks for something, or it stores in a loop.
func (d *fn) worth(role Role) bool {
	n := d.unit.file.Node(d.node)
	switch role {
	case Forward, FunctionForward, TrainingStep, EvaluationStep:
		n = d.unit.file.Node(d.class.node)
		return d.unit.own || d.unit.asks(n) || keeps(d.unit.file.Source[n.Start:n.End]) || d.unit.makes(d.class.node, (*class).records)
	}
	return d.unit.asks(n) || d.remembers() || d.acts() || len(d.unit.signs) > 0 && (contains(d.unit.file.Source[n.Start:n.End], loops) || d.drives())
}

// remembers reports whether a decorator keeps the results of a function.
func (d *fn) remembers() bool { return UnboundedCache(d.unit.file, d.node) != pysyntax.None }

// drives reports whether a function makes an instance of a class of its file that trains or evaluates: what it hands
// over may be what keeps.
func (d *fn) drives() bool {
	return d.unit.makes(d.node, func(c *class) bool { return d.unit.asks(d.unit.file.Node(c.node)) })
}

// makes reports whether an instance of such a class of the file is made below r.
func (u *unit) makes(r pysyntax.Ref, such func(*class) bool) bool {
	f := u.file
	for r := range f.Walk(r) {
		if f.Kind(r) == pysyntax.Call {
			if c := u.classes[f.Text(f.Child(r, pysyntax.FieldFunction))]; c != nil && such(c) {
				return true
			}
		}
	}
	return false
}

// records reports whether c is no module and puts something into itself: a module that has one keeps by it.
func (c *class) records() bool {
	n := c.unit.file.Node(c.node)
	return c.methods["forward"] == nil && keepsOnSelf(c.unit.file.Source[n.Start:n.End])
}

// asks reports whether a trigger stands in the bytes of a node.
func (u *unit) asks(n pysyntax.Node) bool {
	i := sort.Search(len(u.signs), func(i int) bool { return u.signs[i] >= n.Start })
	return i < len(u.signs) && u.signs[i] < n.End
}

// keepsHere looks at what follows "self." for a statement that keeps something.
func keepsHere(rest []byte) bool {
	n := 0
	for n < len(rest) && wordByte(rest[n]) {
		n++
	}
	if n == 0 || n == len(rest) {
		return false
	}
	if rest[n] == '.' { // of a part: self.memory.seen.append(…)
		if part := rest[n+1:]; len(part) > 0 && wordByte(part[0]) && keepsHere(part) {
			return true
		}
	}
	name, after := rest[:n], rest[n:]
	if end := bytes.IndexByte(after, '\n'); end >= 0 {
		after = after[:end]
	}
	switch {
	case len(after) == 0:
		return false
	case bytes.HasPrefix(after, []byte(".append")), bytes.HasPrefix(after, []byte(".extend(")),
		bytes.HasPrefix(after, []byte(".add(")), bytes.HasPrefix(after, []byte(".put(")), bytes.HasPrefix(after, []byte(".insert(")):
		return true
	case bytes.HasPrefix(after, []byte(" += ")):
		return !digits(after[len(" += "):]) // a counter
	case after[0] == '[':
		return bytes.Contains(after, []byte("] = ")) || bytes.Contains(after, []byte("].append("))
	case bytes.HasPrefix(after, []byte(" = ")):
		for {
			i := bytes.Index(after, name)
			if i < 0 {
				return false
			}
			end := i + len(name)
			if i >= len(selfDot) && bytes.HasSuffix(after[:i], selfDot) && (end == len(after) || !wordByte(after[end])) &&
				!bytes.HasPrefix(after[end:], toWord) { // elsewhere it is the same
				return true
			}
			after = after[end:]
		}
	}
	return false
}

func digits(text []byte) bool { return len(bytes.Trim(text, "0123456789 \r")) == 0 }

func wordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// begins and ends report whether a name does not go on before, or behind.
func begins(source []byte, from, _ int) bool { return from == 0 || !wordByte(source[from-1]) }

func ends(source []byte, _, to int) bool { return to == len(source) || !wordByte(source[to]) }

// adds reports whether a call registers a parameter, and not that there is none.
func adds(source []byte, _, to int) bool {
	end := bytes.IndexByte(source[to:], ')')
	return end < 0 || !bytes.HasSuffix(source[to:to+end], noneArgument)
}

// registers reports whether a hook's name is called, not defined; what a state dict is loaded through sees no step.
func registers(source []byte, from, _ int) bool {
	start := from
	for start > 0 && wordByte(source[start-1]) {
		start--
	}
	return !bytes.HasSuffix(source[:start], defWord) && string(source[start:from]) != "_register_load_state_dict_pre"
}

// maxInit is how many bytes of __init__ are looked through.
const maxInit = 4096

// evaluates reports whether eval() is called at another time than when a module is made: there it freezes a part of it.
func evaluates(source []byte, from, _ int) bool {
	start := max(0, from-maxInit)
	d := bytes.LastIndex(source[start:from], defWord)
	if d < 0 || !bytes.HasPrefix(source[start+d+len(defWord):], initWord) {
		return true
	}
	d += start
	class := source[max(bytes.LastIndex(source[:d], classWord), 0):]
	if end := bytes.Index(class[1:], classWord); end >= 0 {
		class = class[:end+1]
	}
	return !bytes.Contains(class, forwardWord)
}

// ownContainer reports whether a container that the module's own code makes is appended to.
func ownContainer(source []byte) bool {
	for line := source; len(line) > 0; {
		end := bytes.IndexByte(line, '\n') + 1
		if end == 0 {
			end = len(line)
		}
		if wordByte(line[0]) {
			if at := bytes.IndexByte(line[:end], ' '); at > 0 && begun(line[at:end], empties) && filled(source, line[:at]) {
				return true
			}
		}
		line = line[end:]
	}
	return false
}

func begun(text []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(w []byte) bool { return bytes.HasPrefix(text, w) })
}

// filled reports whether a container is appended to, or one of those in it.
func filled(source, name []byte) bool {
	for _, then := range filling {
		if bytes.Contains(source, append(append([]byte(nil), name...), then...)) {
			return true
		}
	}
	return false
}

// wordSet finds any of many words in one pass: a table of the words' first two bytes says where to look closer.
type wordSet struct {
	first [1 << 16]uint8 // 1 + the bucket of words that begin with these bytes
	words [][]word
}

// word is one of them. Not everywhere does it mean what it is looked for.
type word struct {
	text  []byte
	means func(source []byte, from, to int) bool // nil: everywhere
}

func setOf(words ...string) *wordSet {
	s := &wordSet{}
	for _, w := range words {
		pair := uint16(w[0])<<8 | uint16(w[1])
		if s.first[pair] == 0 {
			s.words = append(s.words, nil)
			s.first[pair] = uint8(len(s.words))
		}
		b := s.first[pair] - 1
		s.words[b] = append(s.words[b], word{text: []byte(w)})
	}
	return s
}

// only lets a word count where it means something.
func (s *wordSet) only(text string, means func(source []byte, from, to int) bool) *wordSet {
	bucket := s.words[s.first[uint16(text[0])<<8|uint16(text[1])]-1]
	for i := range bucket {
		if string(bucket[i].text) == text {
			bucket[i].means = means
		}
	}
	return s
}

// next returns where the next of the words begins, from on, -1 where there is none.
func (s *wordSet) next(source []byte, from int) int {
	for i := from; i+1 < len(source); i++ {
		b := s.first[uint16(source[i])<<8|uint16(source[i+1])]
		if b == 0 {
			continue
		}
		for _, w := range s.words[b-1] {
			if bytes.HasPrefix(source[i:], w.text) && (w.means == nil || w.means(source, i, i+len(w.text))) {
				return i
			}
		}
	}
	return -1
}

func (s *wordSet) in(source []byte) bool { return s.next(source, 0) >= 0 }

// all returns where the words begin.
func (s *wordSet) all(source []byte) []uint32 {
	var at []uint32
	for i := s.next(source, 0); i >= 0; i = s.next(source, i+1) {
		at = append(at, uint32(i))
	}
	return at
}
