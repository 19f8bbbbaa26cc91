package oracle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/answer"
	"sonde/model/pointer"
)

// checker checks JSON values against schemas: types, required and forbidden properties, constants, enumerations
// and, leniently, formats. It does not check what else a schema may require, such as the length of a text. It
// accepts values beyond its limits, and masked texts and property names.
type checker struct {
	steps int                            // values checked so far
	enums map[*model.Schema]*enumeration // indexes of enumerations with many values
}

const (
	maxSteps  = 20_000 // values that are checked in one body
	maxNested = 100    // levels of nested schemas
)

// body checks a whole body. ok is true if the body matches the schema. Otherwise wrong is the finding,
// without its Call.
func (c *checker) body(s *model.Schema, body []byte) (wrong Finding, ok bool) {
	if len(body) == 0 {
		return Finding{Oracle: schemaBroken, Expected: "JSON" + ofName(s), Actual: "an empty body", Signature: "empty"}, false
	}
	v, ok := read(body)
	if !ok && tooDeep(body) {
		return Finding{}, true
	}
	if !ok {
		return Finding{Oracle: schemaBroken, Expected: "JSON" + ofName(s), Actual: model.Excerpt(body), Signature: "no JSON"}, false
	}
	return c.value(s, v)
}

// xmlBody is like body for a body that is an XML document.
func (c *checker) xmlBody(s *model.Schema, body []byte) (wrong Finding, ok bool) {
	v, err := answer.ReadXML(string(body), s)
	switch {
	case errors.Is(err, answer.ErrUnclear):
		return Finding{}, true
	case err != nil:
		return Finding{Oracle: schemaBroken, Expected: "XML" + ofName(s), Actual: model.Excerpt(body), Signature: "no XML"}, false
	}
	// The type of a text in XML is that of the schema, which is not clear if there are alternatives.
	if wrong, ok = c.value(s, v); ok || hasAlternatives(s, map[*model.Schema]bool{}) {
		return Finding{}, true
	}
	// Because of the prefix, package export makes no assertion of this text. Such an assertion would be about a JSON
	// pointer.
	wrong.Expected = "in XML, " + wrong.Expected
	return wrong, false
}

// hasAlternatives reports whether a schema, or a schema inside it, has alternatives. seen has the schemas that were
// visited already.
func hasAlternatives(s *model.Schema, seen map[*model.Schema]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	if len(s.OneOf)+len(s.AnyOf) > 0 || hasAlternatives(s.Items, seen) || hasAlternatives(s.Additional, seen) {
		return true
	}
	has := func(s *model.Schema) bool { return hasAlternatives(s, seen) }
	return slices.ContainsFunc(s.AllOf, has) ||
		slices.ContainsFunc(s.Properties, func(p model.Property) bool { return has(p.Schema) })
}

// value checks the value of a body.
func (c *checker) value(s *model.Schema, v any) (wrong Finding, ok bool) {
	c.steps = 0
	w := c.check(s, v, "", 0)
	if w == nil {
		return Finding{}, true
	}
	return Finding{
		Oracle:    schemaBroken,
		Expected:  cmp.Or(w.place, "the answer") + ofName(s) + " " + w.expected,
		Actual:    w.actual,
		Signature: w.place + " " + w.expected,
	}, false
}

// ofName returns " of NAME" for a schema with a name, otherwise "".
func ofName(s *model.Schema) string {
	if s.Name == "" {
		return ""
	}
	return " of " + s.Name
}

// schemaViolation is a value that does not match its schema.
type schemaViolation struct {
	place    string // JSON pointer, with "*" for each index
	expected string
	actual   string
}

// check checks one value. It returns nil if the value matches the schema. place is the JSON pointer of the
// value, with "*" for each index.
func (c *checker) check(s *model.Schema, v any, place string, nested int) *schemaViolation {
	if w := c.checkOpen(s, v, place, nested); w != nil {
		return w
	}
	return checkClosed(s, v, place)
}

// checkOpen is like check, but accepts undeclared properties. It checks a schema that is part of another
// schema, because such a part does not declare all properties.
func (c *checker) checkOpen(s *model.Schema, v any, place string, nested int) *schemaViolation {
	c.steps++
	if s == nil || c.steps > maxSteps || nested > maxNested || v == nil && nullable(s, 0) {
		return nil
	}
	if w := checkType(s, v, place); w != nil {
		return w
	}
	if w := c.checkEnum(s, v, place); w != nil {
		return w
	}
	if w := c.checkContents(s, v, place, nested+1); w != nil {
		return w
	}
	for _, part := range s.AllOf {
		if w := c.checkOpen(part, v, place, nested+1); w != nil {
			return w
		}
	}
	if w := c.checkAlternatives(s.AnyOf, v, place, nested+1); w != nil {
		if types := s.Types(); len(types) > 1 {
			w.expected = "is of type " + strings.Join(types, " or ")
		}
		return w
	}
	return c.checkAlternatives(s.OneOf, v, place, nested+1)
}

// nullable reports whether a schema accepts null. This is so in each of these cases:
//   - The schema or its enumeration says so.
//   - One of its alternatives accepts null.
//   - The schema has no type, no properties and no alternatives, and each part of its allOf accepts null.
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

// checkAlternatives checks that a value matches at least one of the schemas. A value that matches
// several is accepted, because then the spec is wrong and not the service.
func (c *checker) checkAlternatives(all []*model.Schema, v any, place string, nested int) *schemaViolation {
	var first *schemaViolation
	for _, s := range all {
		w := c.check(s, v, place, nested)
		if w == nil {
			return nil
		}
		if first == nil {
			first = w
		}
	}
	if len(all) > 1 {
		return &schemaViolation{place: place, expected: fmt.Sprintf("is one of %d alternatives", len(all)), actual: brief(v)}
	}
	return first
}

// checkContents checks the elements of a list or the properties of an object. Like the other checks, it
// returns nil if all match.
func (c *checker) checkContents(s *model.Schema, v any, place string, nested int) *schemaViolation {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if w := c.check(s.Items, item, place+"/*", nested); w != nil {
				return w
			}
		}
	case map[string]any:
		return c.checkObject(s, v, place, nested)
	}
	return nil
}

// checkObject checks the properties of an object.
func (c *checker) checkObject(s *model.Schema, v map[string]any, place string, nested int) *schemaViolation {
	for i := range s.Properties {
		p := &s.Properties[i]
		field, has := v[p.Name]
		if !has && p.Required && !p.Schema.WriteOnly && !maskedName(v) {
			return &schemaViolation{place: place, expected: fmt.Sprintf("has %q", p.Name), actual: brief(v)}
		}
		if !has {
			continue
		}
		if w := c.check(p.Schema, field, place+"/"+pointer.Escape(p.Name), nested); w != nil {
			return w
		}
	}
	if s.Additional == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if s.Property(name) == nil && !maskedText(name) {
			if w := c.check(s.Additional, v[name], place+"/*", nested); w != nil {
				return w
			}
		}
	}
	return nil
}

// checkClosed checks that an object has only declared properties, if its schema forbids others. It does not
// check a schema with allOf, anyOf or oneOf.
func checkClosed(s *model.Schema, v any, place string) *schemaViolation {
	object, is := v.(map[string]any)
	if !is || s == nil || !s.Closed || len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if s.Property(name) == nil && !maskedText(name) {
			return &schemaViolation{place: place, expected: "has no further property", actual: brief(name)}
		}
	}
	return nil
}

// checkType checks the type of a value, and the format of a text.
func checkType(s *model.Schema, v any, place string) *schemaViolation {
	fits := true
	switch s.Type {
	case "string":
		text, is := v.(string)
		if is && !maskedText(v) && !hasFormat(s.Format, text) {
			return &schemaViolation{place: place, expected: "is a " + s.Format, actual: brief(v)}
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
		return &schemaViolation{place: place, expected: "is of type " + s.Type, actual: brief(v)}
	}
	return nil
}

// isInteger reports whether a number has no fraction. For example, 1.0 and 1e3 are integers.
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

// checkEnum checks that a value is the constant of its schema and in the schema's enumeration, if there are any.
func (c *checker) checkEnum(s *model.Schema, v any, place string) *schemaViolation {
	if maskedText(v) {
		return nil
	}
	if s.Const != nil && !same(s.Const, v) {
		return &schemaViolation{place: place, expected: "is " + brief(s.Const), actual: brief(v)}
	}
	if len(s.Enum) == 0 || c.inEnum(s, v) {
		return nil
	}
	return &schemaViolation{place: place, expected: "is one of " + brief(s.Enum[:min(len(s.Enum), briefLength)]), actual: brief(v)}
}

// same reports whether a value in a spec equals a value in an answer.
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

// briefLength is how many values of an enumeration a finding shows at most.
const briefLength = 40

// brief returns a value as JSON on one line, cut to 2*briefLength characters.
func brief(v any) string {
	const limit = 2 * briefLength
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
