package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// checker checks JSON values against schemas: types, required properties, enumerations and, leniently,
// formats. It accepts whatever else a schema may require, such as the length of a text, and what is nested
// deeper or takes longer than its limits. Masked parts are only known to be texts or property names.
type checker struct {
	steps int
	enums map[*model.Schema]*enumeration // those that have many values
}

const (
	maxSteps  = 20_000 // of one body
	maxNested = 100    // levels of nested schemas
)

// body checks a whole body. The Call of the finding is not set.
func (c *checker) body(s *model.Schema, body []byte) (wrong Finding, ok bool) {
	if len(body) == 0 {
		return Finding{Oracle: schemaBroken, Expected: "JSON" + called(s), Actual: "an empty body", Signature: "empty"}, false
	}
	v, ok := read(body)
	if !ok && tooDeep(body) {
		return Finding{}, true
	}
	if !ok {
		return Finding{Oracle: schemaBroken, Expected: "JSON" + called(s), Actual: model.Excerpt(body), Signature: "no JSON"}, false
	}
	c.steps = 0
	if w := c.value(s, v, "", 0); w != nil {
		where := w.place
		if where == "" {
			where = "the answer"
		}
		return Finding{
			Oracle:    schemaBroken,
			Call:      0,
			Expected:  where + called(s) + " " + w.expected,
			Actual:    w.came,
			Signature: w.place + " " + w.expected,
		}, false
	}
	return Finding{}, true
}

// called returns " of NAME" for a named schema, else "".
func called(s *model.Schema) string {
	if s.Name == "" {
		return ""
	}
	return " of " + s.Name
}

// schemaViolation is a value that does not match its schema.
type schemaViolation struct {
	place    string // JSON pointer, with "*" for each index
	expected string
	came     string
}

// value checks one value and returns nil if it matches.
func (c *checker) value(s *model.Schema, v any, place string, nested int) *schemaViolation {
	if w := c.open(s, v, place, nested); w != nil {
		return w
	}
	return closed(s, v, place)
}

// open is value without the check for undeclared properties: a schema that is part of another, or has
// parts, does not know all properties.
func (c *checker) open(s *model.Schema, v any, place string, nested int) *schemaViolation {
	c.steps++
	if s == nil || c.steps > maxSteps || nested > maxNested || v == nil && nullable(s, 0) {
		return nil
	}
	if w := ofType(s, v, place); w != nil {
		return w
	}
	if w := c.oneOf(s, v, place); w != nil {
		return w
	}
	if w := c.inside(s, v, place, nested+1); w != nil {
		return w
	}
	for _, part := range s.AllOf {
		if w := c.open(part, v, place, nested+1); w != nil {
			return w
		}
	}
	if w := c.alternatives(s.AnyOf, v, place, nested+1); w != nil {
		if types := s.Types(); len(types) > 1 {
			w.expected = "is of type " + strings.Join(types, " or ")
		}
		return w
	}
	return c.alternatives(s.OneOf, v, place, nested+1)
}

// nullable reports whether null is accepted: by the schema, by one of its alternatives, or because the
// schema has no type.
func nullable(s *model.Schema, nested int) bool {
	if s.Nullable || nested > maxNested || slices.Contains(s.Enum, nil) {
		return true
	}
	for _, alternatives := range [][]*model.Schema{s.AnyOf, s.OneOf} {
		for _, a := range alternatives {
			if nullable(a, nested+1) {
				return true
			}
		}
	}
	if s.Type != "" || len(s.Properties) > 0 || len(s.AnyOf)+len(s.OneOf) > 0 {
		return false
	}
	for _, part := range s.AllOf {
		if !nullable(part, nested+1) {
			return false
		}
	}
	return true
}

// alternatives requires one of the schemas to match. If several match, that is a fault of the spec and
// not of the service.
func (c *checker) alternatives(all []*model.Schema, v any, place string, nested int) *schemaViolation {
	var first *schemaViolation
	for _, s := range all {
		w := c.value(s, v, place, nested)
		if w == nil {
			return nil
		}
		if first == nil {
			first = w
		}
	}
	if len(all) > 1 {
		return &schemaViolation{place: place, expected: fmt.Sprintf("is one of %d alternatives", len(all)), came: brief(v)}
	}
	return first
}

// inside checks the contents of a list or an object.
func (c *checker) inside(s *model.Schema, v any, place string, nested int) *schemaViolation {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if w := c.value(s.Items, item, place+"/*", nested); w != nil {
				return w
			}
		}
	case map[string]any:
		return c.object(s, v, place, nested)
	}
	return nil
}

func (c *checker) object(s *model.Schema, v map[string]any, place string, nested int) *schemaViolation {
	for i := range s.Properties {
		p := &s.Properties[i]
		field, has := v[p.Name]
		if !has && p.Required && !p.Schema.WriteOnly && !maskedName(v) {
			return &schemaViolation{place: place, expected: fmt.Sprintf("has %q", p.Name), came: brief(v)}
		}
		if !has {
			continue
		}
		if w := c.value(p.Schema, field, place+"/"+pointer.Escape(p.Name), nested); w != nil {
			return w
		}
	}
	if s.Additional == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if s.Property(name) == nil && !maskedText(name) {
			if w := c.value(s.Additional, v[name], place+"/*", nested); w != nil {
				return w
			}
		}
	}
	return nil
}

// closed checks that an object has only the properties of its schema.
func closed(s *model.Schema, v any, place string) *schemaViolation {
	object, is := v.(map[string]any)
	if !is || s == nil || !s.Closed || len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if s.Property(name) == nil && !maskedText(name) {
			return &schemaViolation{place: place, expected: "has no further property", came: brief(name)}
		}
	}
	return nil
}

// ofType checks a value's type and format.
func ofType(s *model.Schema, v any, place string) *schemaViolation {
	fits := true
	switch s.Type {
	case "string":
		text, is := v.(string)
		if is && !maskedText(v) && !hasFormat(s.Format, text) {
			return &schemaViolation{place: place, expected: "is a " + s.Format, came: brief(v)}
		}
		fits = is
	case "boolean":
		_, fits = v.(bool)
	case "integer":
		n, is := v.(json.Number)
		fits = is && isInteger(n)
	case "number":
		_, fits = v.(json.Number)
	case "array":
		_, fits = v.([]any)
	case "object":
		_, fits = v.(map[string]any)
	}
	if !fits {
		return &schemaViolation{place: place, expected: "is of type " + s.Type, came: brief(v)}
	}
	return nil
}

// isInteger reports whether a number has no fraction: 1.0 and 1e3 have none.
func isInteger(n json.Number) bool {
	text := n.String()
	if !strings.ContainsAny(text, ".eE") {
		return true
	}
	if len(text) > 40 { // parsing it would take too long
		return true
	}
	f, _, err := big.ParseFloat(text, 10, 256, big.ToNearestEven)
	return err != nil || f.IsInt()
}

// oneOf checks enumerations and constants.
func (c *checker) oneOf(s *model.Schema, v any, place string) *schemaViolation {
	if maskedText(v) {
		return nil
	}
	if s.Const != nil && !same(s.Const, v) {
		return &schemaViolation{place: place, expected: "is " + brief(s.Const), came: brief(v)}
	}
	if len(s.Enum) == 0 || c.lists(s, v) {
		return nil
	}
	return &schemaViolation{place: place, expected: "is one of " + brief(s.Enum[:min(len(s.Enum), briefly)]), came: brief(v)}
}

// same reports whether a value of a spec equals one of an answer.
func same(want, got any) bool {
	if n, ok := got.(json.Number); ok {
		a, err := json.Marshal(want)
		if err != nil {
			return false
		}
		if n.String() == string(a) {
			return true
		}
		x, errX := n.Float64()
		y, errY := json.Number(a).Float64()
		return errX == nil && errY == nil && x == y
	}
	if want, ok := want.(string); ok {
		return want == got
	}
	a, errA := json.Marshal(want)
	b, errB := json.Marshal(got)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// briefly is the number of values of a list that fit into a short line.
const briefly = 40

// brief returns a value as one short line.
func brief(v any) string {
	const limit = 2 * briefly
	data, err := json.Marshal(v)
	if err != nil {
		return "a value that cannot be shown"
	}
	text := []rune(model.Excerpt(data))
	if len(text) > limit {
		return string(text[:limit-1]) + "…"
	}
	return string(text)
}
