package pysyntax

// Field is the part a node plays in its parent.
type Field uint8

// Fields, named as in tree-sitter's Python grammar.
const (
	NoField Field = iota
	FieldAlias
	FieldAlternative
	FieldArgument
	FieldArguments
	FieldAttribute
	FieldBody
	FieldCause
	FieldCode
	FieldCondition
	FieldConsequence
	FieldDefinition
	FieldExpression
	FieldFormatSpecifier
	FieldFunction
	FieldGuard
	FieldKey
	FieldLeft
	FieldModuleName
	FieldName
	FieldObject
	FieldOperator
	FieldOperators
	FieldParameters
	FieldReturnType
	FieldRight
	FieldSubject
	FieldSubscript
	FieldSuperclasses
	FieldType
	FieldTypeConversion
	FieldTypeParameters
	FieldValue
	fieldCount
)

var fieldNames = [fieldCount]string{
	FieldAlias:           "alias",
	FieldAlternative:     "alternative",
	FieldArgument:        "argument",
	FieldArguments:       "arguments",
	FieldAttribute:       "attribute",
	FieldBody:            "body",
	FieldCause:           "cause",
	FieldCode:            "code",
	FieldCondition:       "condition",
	FieldConsequence:     "consequence",
	FieldDefinition:      "definition",
	FieldExpression:      "expression",
	FieldFormatSpecifier: "format_specifier",
	FieldFunction:        "function",
	FieldGuard:           "guard",
	FieldKey:             "key",
	FieldLeft:            "left",
	FieldModuleName:      "module_name",
	FieldName:            "name",
	FieldObject:          "object",
	FieldOperator:        "operator",
	FieldOperators:       "operators",
	FieldParameters:      "parameters",
	FieldReturnType:      "return_type",
	FieldRight:           "right",
	FieldSubject:         "subject",
	FieldSubscript:       "subscript",
	FieldSuperclasses:    "superclasses",
	FieldType:            "type",
	FieldTypeConversion:  "type_conversion",
	FieldTypeParameters:  "type_parameters",
	FieldValue:           "value",
}

// String returns the grammar's name of the field, empty for none.
func (f Field) String() string {
	if f < fieldCount {
		return fieldNames[f]
	}
	return ""
}
