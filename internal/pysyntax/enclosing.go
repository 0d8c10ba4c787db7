package pysyntax

// IsStatement reports whether k is a statement, or a clause of one that has code of its own in its head.
func (k Kind) IsStatement() bool {
	switch k {
	case ExpressionStatement, AssertStatement, ReturnStatement, DeleteStatement, RaiseStatement, PassStatement,
		BreakStatement, ContinueStatement, ImportStatement, ImportFromStatement, FutureImportStatement,
		GlobalStatement, NonlocalStatement, PrintStatement, ExecStatement, TypeAliasStatement:
		return true
	}
	return k.IsCompound()
}

// IsCompound reports whether k is a statement or clause with a body.
func (k Kind) IsCompound() bool {
	switch k {
	case IfStatement, ForStatement, WhileStatement, TryStatement, WithStatement, MatchStatement,
		FunctionDefinition, ClassDefinition, DecoratedDefinition, ElifClause, ExceptClause, CaseClause:
		return true
	}
	return false
}

// Enclosing returns the nearest ancestor of r that is one of kinds, None if there is none.
func (f *File) Enclosing(r Ref, kinds ...Kind) Ref {
	for a := range f.Ancestors(r) {
		if f.Is(a, kinds...) {
			return a
		}
	}
	return None
}

// Statement returns the innermost statement that holds r, r itself if it is one.
func (f *File) Statement(r Ref) Ref {
	for r != None && !f.Kind(r).IsStatement() {
		r = f.Parent(r)
	}
	return r
}

// Function returns the innermost function definition or lambda around r, None on module or class level.
// Decorators, argument defaults and annotations of a function run outside of it.
func (f *File) Function(r Ref) Ref {
	child := r
	for a := range f.Ancestors(r) {
		switch {
		case f.Is(a, FunctionDefinition, Lambda) && f.runsInside(child, a):
			return a
		case f.Kind(a) == ClassDefinition:
			return None
		}
		child = a
	}
	return None
}

func (f *File) runsInside(child, function Ref) bool {
	return f.nodes[child].Field == FieldBody || f.Kind(function) == FunctionDefinition && f.Kind(child) == Comment
}

// Class returns the class whose method the function definition is, decorated or not.
func (f *File) Class(definition Ref) Ref {
	if f.Kind(definition) != FunctionDefinition {
		return None
	}
	for a := range f.Ancestors(definition) {
		switch f.Kind(a) {
		case FunctionDefinition, Lambda:
			return None
		case ClassDefinition:
			return a
		}
	}
	return None
}

// Method returns the method of that name of a class, decorated or not; None if the class itself has none.
func (f *File) Method(class Ref, name string) Ref {
	if class == None {
		return None
	}
	for r := range f.Walk(class) {
		if f.Kind(r) == FunctionDefinition && f.Class(r) == class && f.Name(r) == name {
			return r
		}
	}
	return None
}

// Name returns the name of a function or class definition.
func (f *File) Name(definition Ref) string {
	if f.Kind(definition) == Lambda {
		return "<lambda>"
	}
	if name := f.Child(definition, FieldName); name != None {
		return f.Text(name)
	}
	return ""
}

// Body returns the block of a compound statement, None if it has none.
func (f *File) Body(r Ref) Ref {
	if f.Kind(r) == DecoratedDefinition {
		r = f.Child(r, FieldDefinition)
	}
	for c := range f.Children(r) {
		if f.Kind(c) == Block || f.nodes[c].Field == FieldBody {
			return c
		}
	}
	return None
}

// Head returns the byte after the head of statement r: where its body begins, or its end if it has none.
func (f *File) Head(r Ref) uint32 {
	if f.Kind(r).IsCompound() {
		if body := f.Body(r); body != None {
			return f.nodes[body].Start
		}
	}
	return f.nodes[r].End
}

// StatementsAt returns the statements that have code of their own on line, innermost first: several where
// semicolons or a body behind its colon put them on one line, none on blank lines and comments.
func (f *File) StatementsAt(line int) []Ref {
	start, end := f.LineSpan(line)
	var found []Ref
	for r := Ref(1); int(r) < len(f.nodes); {
		n := f.nodes[r]
		if n.End <= start || n.Start >= end {
			r = n.After
			continue
		}
		if n.Kind.IsStatement() {
			if head := f.Head(r); head > start && !f.blank(max(start, n.Start), min(end, head)) {
				found = append(found, r)
			}
		}
		r++
	}
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found
}

// blank reports whether nothing but space and comment stands in the bytes.
func (f *File) blank(start, end uint32) bool {
	for i := start; i < end; i++ {
		switch f.Source[i] {
		case ' ', '\t', '\f', '\r', '\n':
		case '#':
			return true
		default:
			return false
		}
	}
	return true
}
