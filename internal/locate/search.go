package locate

import (
	"regexp"
	"sort"
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// maxPlaces bounds what Writes returns.
const maxPlaces = 8

type candidate struct {
	source *source
	effect effect
	score  int
}

// search returns the statements that may write to h, best first.
func (l *Locator) search(h evidence.Holder, variables []variable) []candidate {
	var found []candidate
	for _, s := range l.order {
		for _, e := range s.effects {
			if c := l.judge(h, s, e, variables); c.score > 0 {
				found = append(found, c)
			}
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].score > found[j].score })
	for i, c := range found {
		if 2*c.score < found[0].score {
			return found[:i] // far behind the best is noise
		}
	}
	return found
}

// judge scores one effect as a write to h; 0 means it is none.
func (l *Locator) judge(h evidence.Holder, s *source, e effect, variables []variable) candidate {
	c := candidate{source: s, effect: e}
	switch h.Kind {
	case "hooks":
		c.score = s.judgeHook(h, e)
	case "optimizer":
		c.score = s.judgeOptimizer(e)
	case "cycle":
		c.score = max(s.judgeContext(h, e), l.judgeWrite(h, s, &c.effect, variables))
	default:
		c.score = l.judgeWrite(h, s, &c.effect, variables)
	}
	if c.score > 0 {
		c.score += s.context(h, c.effect)
	}
	if s.links(h, e) {
		c.score = 200
	}
	return c
}

// links reports whether e makes an object of a chain that h lies in, with what it is assigned to as the one before:
// self.last = Step(batch, self.last) for env.last.before.before.batch.
func (s *source) links(h evidence.Holder, e effect) bool {
	return e.action == Assign && s.Kind(e.value) == pysyntax.Call && h.Scope.Class != "" && s.lastName(e.value) == lastPart(h.Scope.Class) &&
		s.mentions(e.value, e.target) && Chained(h.Path)
}

var index = regexp.MustCompile(`\[[^\[\]]*\]`)

// Chained reports whether a path goes by one attribute twice in a row, as it does through a list of steps or a tree.
func Chained(path string) bool {
	names := strings.Split(index.ReplaceAllString(path, ""), ".")
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			return true
		}
	}
	return false
}

// judgeWrite scores a write to a variable. A call of a bound method becomes the write that it is.
func (l *Locator) judgeWrite(h evidence.Holder, s *source, e *effect, variables []variable) int {
	best := 0
	for _, v := range variables {
		strength := l.match(s, e.target, v)
		if e.action == Cache {
			strength = max(strength, l.match(s, e.value, v), s.matchMethod(*e, v))
		}
		if strength == noMatch {
			continue
		}
		written := *e
		if v.method != "" {
			if e.action != Call {
				continue
			}
			known := containerCalls[v.method]
			written.action, written.value = known.action, s.argument(e.node, known.argument)
		}
		fit := s.fit(h, written)
		if fit == 0 {
			continue
		}
		if h.Kind != "slot" && written.action == AugAssign && written.method == "+=" {
			written.action = Extend
		}
		if score := fit + 20*strength - 5*v.distance + s.key(h, written); score > best {
			best, *e = score, written
		}
	}
	if best == 0 && h.Kind == "exception" {
		return s.judgeException(*e)
	}
	return best
}

// matchMethod says how surely a decorated method is the one that v names.
func (s *source) matchMethod(e effect, v variable) int {
	if !v.attribute || s.Kind(e.node) != pysyntax.DecoratedDefinition || s.Text(e.target) != v.name {
		return noMatch
	}
	class := s.Class(s.Child(e.node, pysyntax.FieldDefinition))
	if class == pysyntax.None {
		return noMatch
	}
	return either(v.class == "" || s.Name(class) == v.class, exact, weak)
}

// fit says how well an action explains growth of a holder of that kind; 0 excludes it.
func (s *source) fit(h evidence.Holder, e effect) int {
	if h.Kind == "slot" {
		return s.fitSlot(e)
	}
	if e.action == Cache {
		return either(h.Kind == "cache", 40, 0)
	}
	if s.growing(e) && s.constant(e.value) && !h.Plain() {
		return 5 // numbers and strings: rarely what holds tensors
	}
	kind := strings.ToLower(h.Type)
	dict := strings.Contains(kind, "dict") || strings.Contains(kind, "counter")
	list := strings.Contains(kind, "list") || strings.Contains(kind, "deque")
	set := strings.Contains(kind, "set")
	switch e.action {
	case Append, Extend, Insert:
		return either(list, 40, either(dict || set, 15, 38))
	case SetItem, SetDefault:
		return either(dict, 40, either(list || set, 12, 36))
	case Add:
		return either(set, 40, either(list || dict, 10, 36))
	case Update:
		return either(dict || set, 38, either(list, 8, 34))
	case Register:
		return either(h.Kind == "registry", 42, 20)
	case AugAssign:
		return 30
	case SetAttr:
		return either(h.Kind == "registry", 38, 15)
	case Assign:
		switch {
		case s.constant(e.value), s.descends(e.value, e.target):
			return 0
		case s.mentions(e.value, e.target):
			return 32 // feats = feats + [x]
		case s.Kind(e.value) == pysyntax.Call && iterators[s.lastName(e.value)] && (iterators[h.Type] || strings.HasSuffix(h.Path, "[…]")):
			return 35
		}
		return either(h.Kind == "registry", 20, 0)
	case Call:
		return either(list || dict || set, 0, 12)
	}
	return 0
}

// iterators are the functions of itertools whose results keep what they have read.
var iterators = map[string]bool{"cycle": true, "tee": true}

// descends reports whether an expression is only a way from target to something that it leads to, as in
// node = node.children[k].
func (s *source) descends(value, target pysyntax.Ref) bool {
	for r := value; ; {
		switch s.Kind(r) {
		case pysyntax.Attribute:
			r = s.Child(r, pysyntax.FieldObject)
		case pysyntax.Subscript:
			r = s.Child(r, pysyntax.FieldValue)
		default:
			return r != value && s.Is(r, pysyntax.Identifier) && s.Text(r) == s.Text(target)
		}
	}
}

var pathKey = regexp.MustCompile(`\['([^'…]*)'\]$`)

// key compares the key that a holder's path ends with to the one that a statement writes below.
func (s *source) key(h evidence.Holder, e effect) int {
	m := pathKey.FindStringSubmatch(h.Path)
	if m == nil {
		return 0
	}
	for r := range s.Walk(s.whole(e)) {
		if s.Kind(r) == pysyntax.StringContent {
			return either(s.Says(r, m[1]), 10, -15)
		}
	}
	return 0
}

// fitSlot scores writes to one name whose value grows: sums, carried state, averages.
func (s *source) fitSlot(e effect) int {
	switch e.action {
	case AugAssign, InPlace:
		return either(s.constant(e.value), 5, 40)
	case Assign, SetItem, SetAttr:
		switch {
		case s.constant(e.value):
			return 0
		case s.mentions(e.value, e.target):
			return 40
		}
		return 25
	}
	return 0
}

func either(b bool, yes, no int) int {
	if b {
		return yes
	}
	return no
}

func (s *source) growing(e effect) bool {
	switch e.action {
	case Append, Insert, Add, SetItem, SetDefault:
		return true
	}
	return false
}

// mentions reports whether an expression uses what is assigned to: total + loss for total.
func (s *source) mentions(value, target pysyntax.Ref) bool {
	if value == pysyntax.None || target == pysyntax.None {
		return false
	}
	text := s.Text(s.base(target))
	for r := range s.Walk(value) {
		if s.Is(r, pysyntax.Identifier, pysyntax.Attribute) && s.Text(r) == text {
			return true
		}
	}
	return false
}

// context scores where a write stands: statements that run every step grow memory, those that set up do not.
func (s *source) context(h evidence.Holder, e effect) int {
	score := 0
	function := s.Function(e.node)
	looped := s.loop(e.node, function) != pysyntax.None
	if looped {
		score += 6
	}
	if function == pysyntax.None {
		if !looped {
			score -= 12
		}
		return score
	}
	name := s.Name(function)
	switch {
	case h.Hook != nil && h.Kind != "hooks" && name == h.Hook.Function:
		score += 15
	case name == "__init__" || name == "reset" || name == "clear" || name == "build" || name == "setup":
		score -= 20
	}
	return score
}

// judgeHook scores registrations of hooks.
func (s *source) judgeHook(h evidence.Holder, e effect) int {
	if e.action != RegisterHook || h.Hook == nil && h.Scope.Name == "" && h.Path == "" {
		return 0
	}
	score := 30
	hook := h.Hook
	if hook == nil {
		return score
	}
	if kind := strings.Trim(strings.TrimSuffix(hook.Table, "s"), "_"); kind != "" && strings.Contains(e.method, strings.TrimSuffix(kind, "_hook")) {
		score += 15
	}
	if name := lastPart(hook.Function); name != "" && e.value != pysyntax.None {
		switch {
		case s.lastName(e.value) == name, s.Kind(e.value) == pysyntax.Lambda && name == "<lambda>":
			score += 30
		case strings.Contains(s.Text(e.value), name):
			score += 20
		}
	}
	if module := lastPart(hook.Module); module != "" && e.target != pysyntax.None && s.lastName(e.target) == module {
		score += 10
	}
	return score
}

// judgeOptimizer scores what makes an optimizer's groups or state grow.
func (s *source) judgeOptimizer(e effect) int {
	switch e.action {
	case AddGroup:
		return 80
	case SetItem, Append, Extend, Update:
		text := s.Text(e.target)
		if strings.HasSuffix(text, ".state") || strings.HasSuffix(text, ".param_groups") || strings.Contains(text, "param_groups[") {
			return 60
		}
	}
	return 0
}

// judgeContext scores attributes set on the ctx of an autograd function.
func (s *source) judgeContext(h evidence.Holder, e effect) int {
	if e.action != Assign || s.Kind(e.target) != pysyntax.Attribute {
		return 0
	}
	function := s.Function(e.node)
	class := s.Class(function)
	if class == pysyntax.None || s.Name(function) != "forward" {
		return 0
	}
	params := s.Parameters(function)
	if len(params) == 0 || s.Text(s.Child(e.target, pysyntax.FieldObject)) != params[0] || !s.autogradFunction(class) || s.constant(e.value) {
		return 0
	}
	score := 50
	attribute := s.Text(s.Child(e.target, pysyntax.FieldAttribute))
	if strings.Contains(h.Path, s.Name(class)) || h.Scope.Class == s.Name(class) {
		score += 20
	}
	if h.Scope.Name == attribute || strings.Contains(h.Path, "."+attribute) {
		score += 30
	}
	return score
}

func (s *source) autogradFunction(class pysyntax.Ref) bool {
	for b := range s.Children(s.Child(class, pysyntax.FieldSuperclasses)) {
		if strings.HasSuffix(s.Text(b), "Function") {
			return true
		}
	}
	return false
}

// judgeException scores statements of an except clause that store its exception.
func (s *source) judgeException(e effect) int {
	if !s.stores(e) || e.value == pysyntax.None {
		return 0
	}
	clause := s.Enclosing(e.node, pysyntax.ExceptClause)
	if clause == pysyntax.None {
		return 0
	}
	name := s.exceptName(clause)
	if name == pysyntax.None || !s.mentions(e.value, name) {
		return 0
	}
	if s.Kind(e.value) == pysyntax.Call {
		return 15 // str(e) and its like keep no traceback
	}
	return 60
}

func (s *source) stores(e effect) bool {
	switch e.action {
	case Append, Extend, Insert, Add, Update, SetDefault, SetItem, Assign, AugAssign, SetAttr:
		return true
	}
	return false
}

// places turns candidates into places, one for each statement.
func (l *Locator) places(found []candidate) []Place {
	var all []Place
	seen := map[finding.Location]bool{}
	for _, c := range found {
		p := l.place(c.source, c.effect, nil)
		if !seen[p.Location] && len(all) < maxPlaces {
			seen[p.Location] = true
			all = append(all, p)
		}
	}
	return all
}
