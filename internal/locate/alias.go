package locate

import "github.com/torchleak/torchleak/internal/pysyntax"

// maxVariables bounds how many names of one holder are followed.
const maxVariables = 40

// aliases returns the variables with all other names that the sources give to what they hold: assignments,
// loops over it, arguments, argument defaults and bound methods.
func (l *Locator) aliases(variables []variable) []variable {
	for i := 0; i < len(variables) && len(variables) < maxVariables; i++ {
		v := variables[i]
		if v.method != "" && v.distance > 3 {
			continue
		}
		for _, s := range l.order {
			for _, a := range l.namesOf(s, v) {
				a.distance = v.distance + 1
				variables = addVariable(variables, a)
			}
		}
	}
	return variables
}

func addVariable(variables []variable, v variable) []variable {
	for _, w := range variables {
		w.distance = v.distance
		if w == v {
			return variables
		}
	}
	return append(variables, v)
}

// namesOf returns the names that s gives to v.
func (l *Locator) namesOf(s *source, v variable) []variable {
	var found []variable
	for _, e := range s.effects {
		if e.action == Assign {
			if method, ok := l.refers(s, e.value, v); ok {
				found = s.named(found, e.target, method)
			}
		}
		if s.Kind(e.node) == pysyntax.Call {
			found = append(found, l.passed(s, e.node, v)...)
		}
	}
	for _, kind := range []pysyntax.Kind{pysyntax.ForStatement, pysyntax.ForInClause} {
		for _, r := range s.all(kind) {
			if right := s.Child(r, pysyntax.FieldRight); l.match(s, right, v) >= fair {
				for c := range s.Walk(s.Child(r, pysyntax.FieldLeft)) {
					found = s.named(found, c, "")
				}
			}
		}
	}
	for _, kind := range []pysyntax.Kind{pysyntax.DefaultParameter, pysyntax.TypedDefaultParameter} {
		for _, r := range s.all(kind) {
			if method, ok := l.refers(s, s.Child(r, pysyntax.FieldValue), v); ok {
				scope := s.Parent(s.Parent(r))
				found = append(found, variable{name: s.Text(s.Child(r, pysyntax.FieldName)), source: s, scope: scope, method: method})
			}
		}
	}
	return found
}

// refers reports whether an expression is v itself, or a method of it, which is named then.
func (l *Locator) refers(s *source, r pysyntax.Ref, v variable) (method string, ok bool) {
	if l.match(s, r, v) >= fair {
		return v.method, true
	}
	if s.Kind(r) == pysyntax.Attribute && v.method == "" {
		name := s.Text(s.Child(r, pysyntax.FieldAttribute))
		if _, known := containerCalls[name]; known && l.match(s, s.Child(r, pysyntax.FieldObject), v) >= fair {
			return name, true
		}
	}
	return "", false
}

// named adds the variable that target is, if it is one.
func (s *source) named(found []variable, target pysyntax.Ref, method string) []variable {
	switch s.Kind(target) {
	case pysyntax.Identifier:
		name := s.Text(target)
		return append(found, variable{name: name, source: s, scope: s.scopes.Resolve(name, target), method: method})
	case pysyntax.Attribute:
		if class := s.selfClass(s.Child(target, pysyntax.FieldObject)); class != "" {
			return append(found, variable{name: s.Text(s.Child(target, pysyntax.FieldAttribute)), attribute: true, class: class, method: method})
		}
	}
	return found
}

// passed returns the parameters that v is bound to by a call.
func (l *Locator) passed(s *source, call pysyntax.Ref, v variable) []variable {
	callee := s.Child(call, pysyntax.FieldFunction)
	shift := 0
	if s.lastName(callee) == "partial" {
		callee, shift = s.argument(call, 0), 1
	}
	name := s.lastName(callee)
	if name == "" {
		return nil
	}
	var found []variable
	position := -1 - shift
	for a := range s.Children(s.Child(call, pysyntax.FieldArguments)) {
		if s.Kind(a) == pysyntax.Comment {
			continue
		}
		position++
		value, keyword := a, ""
		if s.Kind(a) == pysyntax.KeywordArgument {
			value, keyword = s.Child(a, pysyntax.FieldValue), s.Text(s.Child(a, pysyntax.FieldName))
		}
		if method, ok := l.refers(s, value, v); ok && position >= 0 {
			found = append(found, l.parameters(name, position, keyword, method)...)
		}
	}
	return found
}

// parameters returns the parameter at a position, or of a keyword, of every function or class called name.
func (l *Locator) parameters(name string, position int, keyword, method string) []variable {
	var found []variable
	for _, s := range l.order {
		for _, f := range s.all(pysyntax.FunctionDefinition) {
			class := s.Class(f)
			own := s.Name(f)
			if own != name && (own != "__init__" || class == pysyntax.None || s.Name(class) != name) {
				continue
			}
			params := s.Parameters(f)
			at := position
			if class != pysyntax.None && !s.static(f) {
				at++ // self
			}
			for i, p := range params {
				if keyword == p || keyword == "" && i == at {
					found = append(found, variable{name: p, source: s, scope: f, method: method})
				}
			}
		}
	}
	return found
}
