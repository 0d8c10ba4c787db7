package pysyntax

// Kind says what a node is. The names are those of tree-sitter's Python grammar.
type Kind uint8

// Kinds of nodes. Token is an operator or keyword that stands in a field; Error is text that did not parse.
const (
	Other Kind = iota
	Error
	Token
	AliasedImport
	ArgumentList
	AsPattern
	AsPatternTarget
	AssertStatement
	Assignment
	Attribute
	AugmentedAssignment
	Await
	BinaryOperator
	Block
	BooleanOperator
	BreakStatement
	Call
	CaseClause
	CasePattern
	Chevron
	ClassDefinition
	ClassPattern
	Comment
	ComparisonOperator
	ComplexPattern
	ConcatenatedString
	ConditionalExpression
	ConstrainedType
	ContinueStatement
	DecoratedDefinition
	Decorator
	DefaultParameter
	DeleteStatement
	DictPattern
	Dictionary
	DictionaryComprehension
	DictionarySplat
	DictionarySplatPattern
	DottedName
	ElifClause
	Ellipsis
	ElseClause
	EscapeInterpolation
	EscapeSequence
	ExceptClause
	ExecStatement
	ExpressionList
	ExpressionStatement
	FalseValue
	FinallyClause
	Float
	ForInClause
	ForStatement
	FormatExpression
	FormatSpecifier
	FunctionDefinition
	FutureImportStatement
	GeneratorExpression
	GenericType
	GlobalStatement
	Identifier
	IfClause
	IfStatement
	ImportFromStatement
	ImportPrefix
	ImportStatement
	Integer
	Interpolation
	KeywordArgument
	KeywordPattern
	KeywordSeparator
	Lambda
	LambdaParameters
	LineContinuation
	List
	ListComprehension
	ListPattern
	ListSplat
	ListSplatPattern
	MatchStatement
	MemberType
	Module
	NamedExpression
	NoneValue
	NonlocalStatement
	NotOperator
	Pair
	Parameters
	ParenthesizedExpression
	ParenthesizedListSplat
	PassStatement
	PatternList
	PositionalSeparator
	PrintStatement
	RaiseStatement
	RelativeImport
	ReturnStatement
	Set
	SetComprehension
	Slice
	SplatPattern
	SplatType
	String
	StringContent
	StringEnd
	StringStart
	Subscript
	TrueValue
	TryStatement
	Tuple
	TuplePattern
	Type
	TypeAliasStatement
	TypeConversion
	TypeParameter
	TypedDefaultParameter
	TypedParameter
	UnaryOperator
	UnionPattern
	UnionType
	WhileStatement
	WildcardImport
	WithClause
	WithItem
	WithStatement
	Yield
	kindCount
)

var kindNames = [kindCount]string{
	Other:                   "other",
	Error:                   "ERROR",
	Token:                   "token",
	AliasedImport:           "aliased_import",
	ArgumentList:            "argument_list",
	AsPattern:               "as_pattern",
	AsPatternTarget:         "as_pattern_target",
	AssertStatement:         "assert_statement",
	Assignment:              "assignment",
	Attribute:               "attribute",
	AugmentedAssignment:     "augmented_assignment",
	Await:                   "await",
	BinaryOperator:          "binary_operator",
	Block:                   "block",
	BooleanOperator:         "boolean_operator",
	BreakStatement:          "break_statement",
	Call:                    "call",
	CaseClause:              "case_clause",
	CasePattern:             "case_pattern",
	Chevron:                 "chevron",
	ClassDefinition:         "class_definition",
	ClassPattern:            "class_pattern",
	Comment:                 "comment",
	ComparisonOperator:      "comparison_operator",
	ComplexPattern:          "complex_pattern",
	ConcatenatedString:      "concatenated_string",
	ConditionalExpression:   "conditional_expression",
	ConstrainedType:         "constrained_type",
	ContinueStatement:       "continue_statement",
	DecoratedDefinition:     "decorated_definition",
	Decorator:               "decorator",
	DefaultParameter:        "default_parameter",
	DeleteStatement:         "delete_statement",
	DictPattern:             "dict_pattern",
	Dictionary:              "dictionary",
	DictionaryComprehension: "dictionary_comprehension",
	DictionarySplat:         "dictionary_splat",
	DictionarySplatPattern:  "dictionary_splat_pattern",
	DottedName:              "dotted_name",
	ElifClause:              "elif_clause",
	Ellipsis:                "ellipsis",
	ElseClause:              "else_clause",
	EscapeInterpolation:     "escape_interpolation",
	EscapeSequence:          "escape_sequence",
	ExceptClause:            "except_clause",
	ExecStatement:           "exec_statement",
	ExpressionList:          "expression_list",
	ExpressionStatement:     "expression_statement",
	FalseValue:              "false",
	FinallyClause:           "finally_clause",
	Float:                   "float",
	ForInClause:             "for_in_clause",
	ForStatement:            "for_statement",
	FormatExpression:        "format_expression",
	FormatSpecifier:         "format_specifier",
	FunctionDefinition:      "function_definition",
	FutureImportStatement:   "future_import_statement",
	GeneratorExpression:     "generator_expression",
	GenericType:             "generic_type",
	GlobalStatement:         "global_statement",
	Identifier:              "identifier",
	IfClause:                "if_clause",
	IfStatement:             "if_statement",
	ImportFromStatement:     "import_from_statement",
	ImportPrefix:            "import_prefix",
	ImportStatement:         "import_statement",
	Integer:                 "integer",
	Interpolation:           "interpolation",
	KeywordArgument:         "keyword_argument",
	KeywordPattern:          "keyword_pattern",
	KeywordSeparator:        "keyword_separator",
	Lambda:                  "lambda",
	LambdaParameters:        "lambda_parameters",
	LineContinuation:        "line_continuation",
	List:                    "list",
	ListComprehension:       "list_comprehension",
	ListPattern:             "list_pattern",
	ListSplat:               "list_splat",
	ListSplatPattern:        "list_splat_pattern",
	MatchStatement:          "match_statement",
	MemberType:              "member_type",
	Module:                  "module",
	NamedExpression:         "named_expression",
	NoneValue:               "none",
	NonlocalStatement:       "nonlocal_statement",
	NotOperator:             "not_operator",
	Pair:                    "pair",
	Parameters:              "parameters",
	ParenthesizedExpression: "parenthesized_expression",
	ParenthesizedListSplat:  "parenthesized_list_splat",
	PassStatement:           "pass_statement",
	PatternList:             "pattern_list",
	PositionalSeparator:     "positional_separator",
	PrintStatement:          "print_statement",
	RaiseStatement:          "raise_statement",
	RelativeImport:          "relative_import",
	ReturnStatement:         "return_statement",
	Set:                     "set",
	SetComprehension:        "set_comprehension",
	Slice:                   "slice",
	SplatPattern:            "splat_pattern",
	SplatType:               "splat_type",
	String:                  "string",
	StringContent:           "string_content",
	StringEnd:               "string_end",
	StringStart:             "string_start",
	Subscript:               "subscript",
	TrueValue:               "true",
	TryStatement:            "try_statement",
	Tuple:                   "tuple",
	TuplePattern:            "tuple_pattern",
	Type:                    "type",
	TypeAliasStatement:      "type_alias_statement",
	TypeConversion:          "type_conversion",
	TypeParameter:           "type_parameter",
	TypedDefaultParameter:   "typed_default_parameter",
	TypedParameter:          "typed_parameter",
	UnaryOperator:           "unary_operator",
	UnionPattern:            "union_pattern",
	UnionType:               "union_type",
	WhileStatement:          "while_statement",
	WildcardImport:          "wildcard_import",
	WithClause:              "with_clause",
	WithItem:                "with_item",
	WithStatement:           "with_statement",
	Yield:                   "yield",
}

// String returns the grammar's name of the kind.
func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return "other"
}
