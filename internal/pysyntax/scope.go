package pysyntax

// Scopes says which scope each name of a file belongs to: the module (None), a function, a lambda, a class body or
// a comprehension.
type Scopes struct {
	file     *File
	binds    map[Ref]map[string]bool
	globals  map[Ref]map[string]bool
	nonlocal map[Ref]map[string]bool
}

// NewScopes finds every binding of f.
func NewScopes(f *File) *Scopes {
	s := &Scopes{file: f, binds: map[Ref]map[string]bool{}, globals: map[Ref]map[string]bool{}, nonlocal: map[Ref]map[string]bool{}}
	for r := range f.Walk(None) {
		s.collect(r)
	}
	return s
}

// Of returns the innermost scope that r stands in.
func (s *Scopes) Of(r Ref) Ref {
	child := r
	for a := range s.file.Ancestors(r) {
		switch s.file.Kind(a) {
		case FunctionDefinition, Lambda, ClassDefinition:
			if s.file.nodes[child].Field == FieldBody {
				return a
			}
		case ListComprehension, SetComprehension, DictionaryComprehension, GeneratorExpression:
			return a
		}
		child = a
	}
	return None
}

// Binds reports whether name is bound in scope itself.
func (s *Scopes) Binds(scope Ref, name string) bool {
	return s.binds[scope][name] && !s.globals[scope][name] && !s.nonlocal[scope][name]
}

// Resolve returns the scope that binds name as used at r; names bound nowhere belong to the module.
func (s *Scopes) Resolve(name string, r Ref) Ref {
	scope := s.Of(r)
	for first := true; scope != None; first = false {
		if s.globals[scope][name] {
			return None
		}
		if s.Binds(scope, name) && (first || s.file.Kind(scope) != ClassDefinition) {
			return scope
		}
		scope = s.Of(scope)
	}
	return None
}

func (s *Scopes) collect(r Ref) {
	f := s.file
	switch f.Kind(r) {
	case Assignment, AugmentedAssignment, ForStatement, ForInClause:
		s.targets(f.Child(r, FieldLeft), s.Of(r))
	case NamedExpression:
		scope := s.Of(r)
		for f.Is(scope, ListComprehension, SetComprehension, DictionaryComprehension, GeneratorExpression) {
			scope = s.Of(scope)
		}
		s.targets(f.Child(r, FieldName), scope)
	case AsPatternTarget:
		for c := range f.Children(r) {
			s.targets(c, s.Of(r))
		}
	case FunctionDefinition, ClassDefinition:
		s.targets(f.Child(r, FieldName), s.Of(r))
		s.parameters(r)
	case Lambda:
		s.parameters(r)
	case ImportStatement, ImportFromStatement:
		s.imports(r)
	case CasePattern:
		if d := f.FirstChild(r); f.Kind(d) == DottedName && f.NextSibling(f.FirstChild(d)) == None {
			s.bind(s.Of(r), f.Text(d))
		}
	case GlobalStatement:
		s.declare(s.globals, r)
	case NonlocalStatement:
		s.declare(s.nonlocal, r)
	}
}

// targets binds the names of an assignment's left side; attributes and subscripts bind none.
func (s *Scopes) targets(r, scope Ref) {
	if r == None {
		return
	}
	switch s.file.Kind(r) {
	case Identifier:
		s.bind(scope, s.file.Text(r))
	case PatternList, TuplePattern, ListPattern, ListSplatPattern, Tuple, List, ExpressionList, ParenthesizedExpression:
		for c := range s.file.Children(r) {
			s.targets(c, scope)
		}
	}
}

func (s *Scopes) parameters(function Ref) {
	for _, p := range s.file.Parameters(function) {
		s.bind(function, p)
	}
}

func (s *Scopes) imports(r Ref) {
	f := s.file
	for c := range f.Children(r) {
		if f.nodes[c].Field != FieldName {
			continue
		}
		name := c
		switch {
		case f.Kind(c) == AliasedImport:
			name = f.Child(c, FieldAlias)
		case f.Kind(r) == ImportStatement:
			name = f.FirstChild(c) // import a.b binds a
		}
		s.bind(s.Of(r), f.Text(name))
	}
}

func (s *Scopes) declare(set map[Ref]map[string]bool, r Ref) {
	for c := range s.file.Children(r) {
		if s.file.Kind(c) == Identifier {
			put(set, s.Of(r), s.file.Text(c))
		}
	}
}

func (s *Scopes) bind(scope Ref, name string) { put(s.binds, scope, name) }

func put(set map[Ref]map[string]bool, scope Ref, name string) {
	if set[scope] == nil {
		set[scope] = map[string]bool{}
	}
	set[scope][name] = true
}

// Parameters returns the names of a function's or lambda's parameters, in order.
func (f *File) Parameters(function Ref) []string {
	var names []string
	for p := range f.Children(f.Child(function, FieldParameters)) {
		if name := f.parameter(p); name != None {
			names = append(names, f.Text(name))
		}
	}
	return names
}

// parameter returns the identifier of one parameter, None for separators.
func (f *File) parameter(p Ref) Ref {
	switch f.Kind(p) {
	case Identifier:
		return p
	case DefaultParameter, TypedDefaultParameter:
		return f.Child(p, FieldName)
	case TypedParameter, ListSplatPattern, DictionarySplatPattern:
		for c := range f.Children(p) {
			return f.parameter(c)
		}
	}
	return None
}
