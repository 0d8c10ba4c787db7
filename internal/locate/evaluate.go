package locate

import (
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// modelWords are parts of the names that models go by.
var modelWords = []string{
	"model", "net", "module", "policy", "actor", "critic", "encoder", "decoder", "generator", "discriminator", "backbone",
	"head", "transformer", "rnn", "lstm", "gru", "cell", "classifier", "agent", "student", "teacher", "vae", "forward", "embed",
}

// plainWords are parts of the names of calls that run no model, plainNames the whole names of some.
var (
	plainWords = []string{"loss", "crit", "metric", "accuracy", "dataset", "loader", "optim", "sched", "parameters", "state_dict"}
	plainNames = map[string]bool{
		"print": true, "range": true, "zip": true, "enumerate": true, "len": true, "iter": true, "next": true, "load": true, "item": true,
		"append": true, "stack": true, "cat": true, "mean": true, "sum": true, "eval": true, "train": true, "to": true, "cuda": true,
		"cpu": true, "detach": true, "zero_grad": true, "modules": true, "children": true, "apply": true, "requires_grad_": true, "super": true,
	}
)

// plainMethod matches methods of models that run nothing forward.
var plainMethod = regexp.MustCompile(`^(load|save|set|add|get|on|log|register|update|reset|init|step|close|share|named|freeze|unfreeze)(_|$)`)

// Scores of callees as models.
const (
	plainCall   = 0
	unknownCall = 5
	namedModel  = 30 // called like a model
	evalModel   = 50 // .eval() is called on it in the same function
)

// Evaluation returns the statement that runs the model whose output p keeps, so that no_grad can go around it. It
// returns false where there is none, where gradients are off already, and where switching them off would take them
// away from a backward pass.
func (l *Locator) Evaluation(p Place) (Place, bool) {
	if !p.Readable() {
		return Place{}, false
	}
	s := l.sourceOf(p.File)
	if s == nil {
		return Place{}, false
	}
	if p.Function != "forward" && p.Function != "__call__" {
		if e, n := s.modelCall(p.Statement, p.Stored, p.Scope); n > plainCall {
			return l.evaluation(s, e, p)
		}
	}
	// The store stands in a hook, a forward or a helper: the run is in one of its callers.
	for i := 1; i < len(p.Calls); i++ {
		f := p.Calls[i]
		if !l.user(f.File) || f.Function == "forward" || f.Function == "__call__" {
			continue
		}
		caller, effects := l.effectsAt(f)
		if len(effects) == 0 {
			continue
		}
		statement := effects[0].statement
		if e, n := caller.modelCall(statement, statement, caller.Function(statement)); n >= namedModel {
			q := p
			q.Calls = p.Calls[i:]
			return l.evaluation(caller, e, q)
		}
	}
	return Place{}, false
}

func (l *Locator) evaluation(s *source, e effect, from Place) (Place, bool) {
	if s.gradOff(e.node) || l.feedsBackward(s, e.statement, 3) || from.File == s.File && l.trainedWith(s, from) {
		return Place{}, false
	}
	found := l.place(s, e.run(), nil)
	if found.Scope == from.Scope && len(from.Calls) > 1 {
		found.Calls = append(found.Calls, from.Calls[1:]...)
	}
	return found, true
}

// run is the call of a model as the effect it is: what it makes is the call itself.
func (e effect) run() effect {
	e.action, e.value = Evaluate, e.node
	return e
}

// evaluating returns the first effect of a statement, or the call of a model whose result it merely names.
func (s *source) evaluating(effects []effect) effect {
	first := effects[0]
	if first.action != Assign && first.action != Call {
		return first
	}
	evals := s.evaluated(s.Function(first.node))
	for _, e := range effects {
		if e.action == Call && (e.node == first.value || e.node == first.node) && s.model(e, evals) >= namedModel {
			return e.run()
		}
	}
	return first
}

// modelCall returns the first call of a model among the assignments that make value, or in its own statement, and how
// surely it is one.
func (s *source) modelCall(statement, value, function pysyntax.Ref) (effect, int) {
	evals := s.evaluated(function)
	within := s.effectsIn(statement)
	for _, e := range s.flow(value) {
		within = append(within, s.effectsIn(e.statement)...)
	}
	best, score := s.bestModel(within, evals, unknownCall)
	if score < namedModel {
		// The value says nothing, as in a callback: any model that the function runs beside it.
		var all []effect
		for _, e := range s.effects {
			if s.Function(e.node) == function && s.Within(e.node, s.loop(statement, function)) {
				all = append(all, e)
			}
		}
		if e, n := s.bestModel(all, evals, namedModel); n >= namedModel {
			return e, n
		}
	}
	return best, score
}

// bestModel returns the call most like a model's, the first of equals in the source.
func (s *source) bestModel(effects []effect, evals map[string]bool, least int) (best effect, score int) {
	for _, e := range effects {
		if e.action != Call {
			continue
		}
		n := s.model(e, evals)
		if n < least || n < score || n == score && best.node < e.node {
			continue
		}
		best, score = e, n
	}
	return best, score
}

// evaluated returns the expressions that the function puts into evaluation mode.
func (s *source) evaluated(function pysyntax.Ref) map[string]bool {
	found := map[string]bool{}
	for _, e := range s.effects {
		if e.action == Call && e.method == "eval" && s.Function(e.node) == function {
			found[s.Text(s.Child(e.target, pysyntax.FieldObject))] = true
		}
	}
	return found
}

// model scores a call as one that runs a model.
func (s *source) model(e effect, evals map[string]bool) int {
	text := s.Text(e.target)
	if evals[text] || evals[strings.TrimSuffix(text, ".forward")] {
		return evalModel
	}
	root, _, _ := strings.Cut(text, ".")
	last := s.lastName(e.target)
	name := strings.ToLower(last)
	object := s.Child(e.target, pysyntax.FieldObject)
	switch {
	case last == "" || last != name && strings.ToUpper(last[:1]) == last[:1]:
		return plainCall // no name, or that of a class
	case root == "torch" || root == "F" || root == "nn" || root == "np" || root == "math":
		return plainCall
	case plainNames[name] || contains(name, plainWords) || plainMethod.MatchString(name):
		return plainCall
	case object != pysyntax.None && contains(strings.ToLower(s.lastName(object)), plainWords):
		return plainCall
	case text == "self" || contains(name, modelWords):
		return namedModel
	case object == pysyntax.None:
	case contains(strings.ToLower(s.lastName(object)), modelWords):
		return namedModel // model.generate(…), policy.act(…)
	case s.local(s.base(object), e.node):
		return plainCall // a method of a local value: out.argmax(…)
	}
	return unknownCall
}

// local reports whether r is a name of the function that node runs in.
func (s *source) local(r, node pysyntax.Ref) bool {
	function := s.Function(node)
	return function != pysyntax.None && s.Kind(r) == pysyntax.Identifier && s.scopes.Resolve(s.Text(r), r) == function
}

func contains(name string, words []string) bool {
	for _, w := range words {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// trainedWith reports whether something that p stores was made by a statement that runs a model for a backward pass.
func (l *Locator) trainedWith(s *source, p Place) bool {
	for _, e := range s.flow(p.Stored) {
		if s.reachesModel(e) && l.feedsBackward(s, e.statement, 1) {
			return true
		}
	}
	return false
}

// reachesModel reports whether an effect's value comes out of a model, or of a function that one is given to.
func (s *source) reachesModel(e effect) bool {
	if s.runsModel(e.statement) {
		return true
	}
	for r := range s.Walk(e.value) {
		if s.Kind(r) != pysyntax.Call {
			continue
		}
		for a := range s.Children(s.Child(r, pysyntax.FieldArguments)) {
			if s.Is(a, pysyntax.Identifier, pysyntax.Attribute) && contains(strings.ToLower(s.lastName(a)), modelWords) {
				return true
			}
		}
	}
	return false
}

// evaluationName matches functions that frameworks call for a result and not for a loss.
var evaluationName = regexp.MustCompile(`^_*(eval|valid|val_|test|predict|infer|generate|sample|score|embed|encode|act|rollout)`)

// Trains reports whether what the statement makes may go into a backward pass: then it runs in training as well,
// whatever was seen of it.
func (l *Locator) Trains(p Place) bool {
	if !p.Readable() {
		return false
	}
	s := l.sourceOf(p.File)
	return s != nil && l.feedsBackward(s, p.Statement, 3)
}

// feedsBackward reports whether what statement makes goes into a backward pass, in its function or, by return or
// yield, in a caller. A function whose callers are not among the user's sources hands its result to a framework: only
// its name can say that this is none that trains with it.
func (l *Locator) feedsBackward(s *source, statement pysyntax.Ref, depth int) bool {
	return l.feeds(s, statement, depth, true)
}

// feeds is feedsBackward with the answer for functions that nobody among the sources calls.
func (l *Locator) feeds(s *source, statement pysyntax.Ref, depth int, framework bool) bool {
	function := s.Function(statement)
	returned := false
	for _, e := range s.effects {
		if s.Function(e.node) != function {
			continue
		}
		switch {
		case e.action == Backward || e.method == "manual_backward":
			if s.madeBy(e.node, statement) {
				return true
			}
		case e.action == Return || e.action == Yield:
			returned = returned || s.madeBy(e.node, statement)
		}
	}
	if !returned || function == pysyntax.None || depth == 0 {
		return false
	}
	name := s.Name(function)
	called := false
	for _, o := range l.order {
		for _, e := range o.effects {
			if e.method != name || o.Function(e.node) == function {
				continue
			}
			called = true
			if l.feeds(o, e.statement, depth-1, framework) {
				return true
			}
		}
	}
	return framework && !called && s.Kind(function) == pysyntax.FunctionDefinition && name != "forward" && name != "__call__" && !evaluationName.MatchString(name)
}

// madeBy reports whether the value of r is made by a statement, or stands in it.
func (s *source) madeBy(r, statement pysyntax.Ref) bool {
	if s.Statement(r) == statement {
		return true
	}
	for _, e := range s.flow(r) {
		if e.statement == statement {
			return true
		}
	}
	return false
}
