package oracle

import (
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sonde/model"
	"sonde/model/pointer"
)

// fromText returns the text of a parameter as a JSON value of the schema's type. It returns the text itself if the
// text is not of this type.
func fromText(s *model.Schema, text string) any {
	if s == nil {
		return text
	}
	for _, kind := range s.Types() {
		switch kind {
		case "string":
			return text
		case "boolean":
			if b, err := strconv.ParseBool(text); err == nil && (text == "true" || text == "false") {
				return b
			}
		case "integer", "number":
			if _, err := strconv.ParseFloat(text, 64); (err == nil || isRangeError(err)) && isJSONNumber(text) {
				return json.Number(text)
			}
		}
	}
	return text
}

func isRangeError(err error) bool { return strings.Contains(err.Error(), "out of range") }

// isJSONNumber reports whether a text is a number of JSON, which has no sign "+", no letters but "e" and no separators.
func isJSONNumber(text string) bool { return json.Valid([]byte(text)) }

// value returns the violation of a value of a request, nil if there is none. Unlike a checker, which judges answers,
// it checks all keywords of the schema, except for what it cannot judge:
//   - values beyond its limits, and patterns that Go cannot read
//   - the keyword "not"
//   - required names without a property in the same schema, which may be read-only in another part of the schema
func (c *inputCheck) value(s *model.Schema, v any, place string, nested int) *inputViolation {
	c.steps++
	if s == nil || c.steps > maxSteps || nested > maxNested || maskedText(v) || v == nil && nullable(s, 0) {
		return nil
	}
	for _, violated := range []string{typeKeyword(s, v), c.choiceKeyword(s, v), c.boundKeyword(s, v)} {
		if violated != "" {
			return &inputViolation{violated, place}
		}
	}
	if w := c.contents(s, v, place, nested); w != nil {
		return w
	}
	for _, part := range s.AllOf {
		if w := c.value(part, v, place, nested+1); w != nil && w.constraint != "additionalProperties" { // another part may declare it
			return w
		}
	}
	if w := c.alternatives("anyOf", s.AnyOf, v, place, nested+1); w != nil {
		return w
	}
	return c.alternatives("oneOf", s.OneOf, v, place, nested+1)
}

// alternatives checks a value against the schemas of a keyword, such as oneOf. If the value matches none of them,
// alternatives returns its violation. If the value violates different constraints of these schemas, the returned
// constraint is the keyword. alternatives returns nil if there are no schemas.
func (c *inputCheck) alternatives(keyword string, all []*model.Schema, v any, place string, nested int) *inputViolation {
	var first *inputViolation
	for _, s := range all {
		w := c.value(s, v, place, nested)
		switch {
		case w == nil:
			return nil
		case first == nil:
			first = w
		case *first != *w:
			first = &inputViolation{keyword, place}
		}
	}
	return first
}

// contents returns the violation of an element of a list or a property of an object.
func (c *inputCheck) contents(s *model.Schema, v any, place string, nested int) *inputViolation {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if w := c.value(s.Items, item, place+"/*", nested+1); w != nil {
				return w
			}
		}
	case map[string]any:
		return c.object(s, v, place, nested)
	}
	return nil
}

// object returns the violation of the properties of an object.
func (c *inputCheck) object(s *model.Schema, v map[string]any, place string, nested int) *inputViolation {
	if maskedName(v) {
		return nil
	}
	for _, p := range s.Properties {
		field, has := v[p.Name]
		inside := place + "/" + pointer.Escape(p.Name)
		readOnly := p.Schema != nil && p.Schema.ReadOnly
		switch {
		case !has && p.Required && !readOnly && !c.partial && p.Schema != nil && p.Schema.Default == nil:
			return &inputViolation{"required", inside}
		case !has || readOnly:
			continue
		}
		if w := c.value(p.Schema, field, inside, nested+1); w != nil {
			return w
		}
	}
	return c.furtherProperties(s, v, place, nested)
}

// furtherProperties returns the violation of the properties that a schema does not declare.
func (c *inputCheck) furtherProperties(s *model.Schema, v map[string]any, place string, nested int) *inputViolation {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if s.Property(name) != nil {
			continue
		}
		inside := place + "/" + pointer.Escape(name)
		if s.Closed && len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) == 0 {
			return &inputViolation{"additionalProperties", inside}
		}
		if s.Additional != nil {
			if w := c.value(s.Additional, v[name], inside, nested+1); w != nil {
				return w
			}
		}
	}
	return nil
}

// typeKeyword returns "type" if a value is not of the type of a schema, else "".
func typeKeyword(s *model.Schema, v any) string {
	fits := true
	switch s.Type {
	case "string":
		_, fits = v.(string)
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
	if fits {
		return ""
	}
	return "type"
}

// choiceKeyword returns "const" or "enum" if the value violates this keyword, otherwise "".
func (c *inputCheck) choiceKeyword(s *model.Schema, v any) string {
	switch {
	case s.Const != nil && !same(s.Const, v):
		return "const"
	case len(s.Enum) > 0 && !c.rules.checks.inEnum(s, v):
		return "enum"
	}
	return ""
}

// boundKeyword returns the first keyword that the value violates, among those for values of its type. It returns ""
// if there is none.
func (c *inputCheck) boundKeyword(s *model.Schema, v any) string {
	switch v := v.(type) {
	case string:
		return c.textKeyword(s, v)
	case json.Number:
		return numberKeyword(s, v)
	case []any:
		switch {
		case len(v) < s.MinItems:
			return "minItems"
		case s.MaxItems != nil && len(v) > *s.MaxItems:
			return "maxItems"
		case s.Unique && hasEqualItems(v):
			return "uniqueItems"
		}
	case map[string]any:
		switch {
		case len(v) < s.MinProps:
			return "minProperties"
		case s.MaxProps != nil && len(v) > *s.MaxProps:
			return "maxProperties"
		}
	}
	return ""
}

// textKeyword returns the first keyword that a text violates, "" if there is none.
func (c *inputCheck) textKeyword(s *model.Schema, text string) string {
	length := utf8.RuneCountInString(text)
	switch {
	case length < s.MinLength:
		return "minLength"
	case s.MaxLength != nil && length > *s.MaxLength:
		return "maxLength"
	case s.Pattern != "" && !c.rules.matches(s.Pattern, text):
		return "pattern"
	case !keepsFormat(s.Format, text):
		return "format"
	}
	return ""
}

// matches reports whether a text matches the pattern of a schema. It returns true if Go cannot read the pattern.
func (r *Rules) matches(pattern, text string) bool {
	compiled, known := r.patterns[pattern]
	if !known {
		compiled, _ = regexp.Compile(pattern) // nil if Go cannot read it
		r.patterns[pattern] = compiled
	}
	return compiled == nil || compiled.MatchString(text)
}

// numberKeyword returns the first keyword that a number violates, "" if there is none.
func numberKeyword(s *model.Schema, n json.Number) string {
	f, err := n.Float64()
	if err != nil { // the number is too large for a float64
		f = math.Copysign(math.MaxFloat64, f)
	}
	switch {
	case s.Min != nil && (f < *s.Min || s.ExclusiveMin && f == *s.Min):
		return "minimum"
	case s.Max != nil && (f > *s.Max || s.ExclusiveMax && f == *s.Max):
		return "maximum"
	case s.MultipleOf != nil && !isMultiple(n, *s.MultipleOf):
		return "multipleOf"
	case s.Format == "int32" && (f < math.MinInt32 || f > math.MaxInt32), s.Format == "int64" && (f < math.MinInt64 || f > math.MaxInt64):
		return "format"
	}
	return ""
}

// isMultiple reports whether a number is a multiple of another one. It computes in decimals, because 0.3 is a
// multiple of 0.1.
func isMultiple(n json.Number, of float64) bool {
	const longest = 40
	if of <= 0 || len(n) > longest {
		return true
	}
	a, okA := new(big.Rat).SetString(n.String())
	b, okB := new(big.Rat).SetString(strconv.FormatFloat(of, 'g', -1, 64))
	return !okA || !okB || a.Quo(a, b).IsInt()
}

// hasEqualItems reports whether two elements of a list are equal as JSON.
func hasEqualItems(list []any) bool {
	known := map[string]bool{}
	for _, item := range list {
		text, err := json.Marshal(item)
		if err != nil || known[string(text)] {
			return err == nil
		}
		known[string(text)] = true
	}
	return false
}
