package json

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// schema is the part of JSON Schema 2020-12 that docs/format/report.schema.json uses. Reading it
// refuses other keywords, so a check that nothing carries out cannot slip in.
type schema struct {
	Meta                 string             `json:"$schema"`
	Title                string             `json:"title"`
	Description          string             `json:"description"`
	Ref                  string             `json:"$ref"`
	Defs                 map[string]*schema `json:"$defs"`
	Type                 string             `json:"type"`
	Const                any                `json:"const"`
	Enum                 []any              `json:"enum"`
	Required             []string           `json:"required"`
	Properties           map[string]*schema `json:"properties"`
	AdditionalProperties json.RawMessage    `json:"additionalProperties"`
	Items                *schema            `json:"items"`
	MinItems             *int               `json:"minItems"`
	MaxItems             *int               `json:"maxItems"`
	Minimum              *float64           `json:"minimum"`
	Pattern              string             `json:"pattern"`
}

func readSchema(t *testing.T) *schema {
	t.Helper()
	f, err := os.Open("../../../docs/format/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decoder := json.NewDecoder(f)
	decoder.DisallowUnknownFields()
	var s schema
	if err := decoder.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// validate returns what is wrong with document, each with its path.
func validate(root *schema, document []byte) []string {
	decoder := json.NewDecoder(strings.NewReader(string(document)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return []string{err.Error()}
	}
	v := validator{root: root}
	v.check(root, value, "$")
	return v.faults
}

type validator struct {
	root   *schema
	faults []string
}

func (v *validator) fault(path, format string, args ...any) {
	v.faults = append(v.faults, path+": "+fmt.Sprintf(format, args...))
}

// resolve follows references; one that leads nowhere is a fault of the schema.
func (v *validator) resolve(s *schema) *schema {
	for s.Ref != "" {
		name, ok := strings.CutPrefix(s.Ref, "#/$defs/")
		if s = v.root.Defs[name]; !ok || s == nil {
			panic("no such definition: " + name)
		}
	}
	return s
}

func (v *validator) check(s *schema, value any, path string) {
	s = v.resolve(s)
	if s.Const != nil && fmt.Sprint(s.Const) != fmt.Sprint(value) {
		v.fault(path, "is %v, not %v", value, s.Const)
	}
	if s.Enum != nil && !slices.Contains(s.Enum, value) {
		v.fault(path, "%v is none of %v", value, s.Enum)
	}
	switch s.Type {
	case "":
	case "object":
		v.object(s, value, path)
	case "array":
		v.array(s, value, path)
	case "string":
		text, ok := value.(string)
		if !ok {
			v.fault(path, "is no string")
		} else if s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(text) {
			v.fault(path, "%q does not match %s", text, s.Pattern)
		}
	case "boolean":
		if _, ok := value.(bool); !ok {
			v.fault(path, "is no boolean")
		}
	case "integer", "number":
		v.number(s, value, path)
	default:
		panic("unknown type " + s.Type)
	}
}

func (v *validator) number(s *schema, value any, path string) {
	n, ok := value.(json.Number)
	if !ok {
		v.fault(path, "is no number")
		return
	}
	if s.Type == "integer" {
		if _, err := n.Int64(); err != nil {
			v.fault(path, "%s is no integer", n)
		}
	}
	if x, _ := n.Float64(); s.Minimum != nil && x < *s.Minimum {
		v.fault(path, "%s is below %g", n, *s.Minimum)
	}
}

func (v *validator) array(s *schema, value any, path string) {
	items, ok := value.([]any)
	if !ok {
		v.fault(path, "is no list")
		return
	}
	if s.MinItems != nil && len(items) < *s.MinItems || s.MaxItems != nil && len(items) > *s.MaxItems {
		v.fault(path, "has %d items", len(items))
	}
	for i, item := range items {
		v.check(s.Items, item, fmt.Sprintf("%s[%d]", path, i))
	}
}

func (v *validator) object(s *schema, value any, path string) {
	fields, ok := value.(map[string]any)
	if !ok {
		v.fault(path, "is no object")
		return
	}
	for _, name := range s.Required {
		if _, ok := fields[name]; !ok {
			v.fault(path, "lacks %s", name)
		}
	}
	for name, field := range fields {
		if property := s.Properties[name]; property != nil {
			v.check(property, field, path+"."+name)
			continue
		}
		var other schema
		switch {
		case string(s.AdditionalProperties) == "false":
			v.fault(path, "has an unknown field %s", name)
		case s.AdditionalProperties != nil && json.Unmarshal(s.AdditionalProperties, &other) == nil:
			v.check(&other, field, path+"."+name)
		}
	}
}

// structFields returns the JSON names of every field reachable from t, by the name of its struct.
func structFields(t reflect.Type, into map[string]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || into[t.Name()] {
		return
	}
	into[t.Name()] = true
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "-" {
			into["."+name] = true
			structFields(t.Field(i).Type, into)
		}
	}
}

// schemaFields returns the names of every property of s.
func schemaFields(s *schema, into map[string]bool) {
	if s == nil {
		return
	}
	for name, property := range s.Properties {
		into["."+name] = true
		schemaFields(property, into)
	}
	for _, definition := range s.Defs {
		schemaFields(definition, into)
	}
	schemaFields(s.Items, into)
}
