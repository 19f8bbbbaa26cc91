package individual

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// partViolations returns the violations that are possible in the values inside a JSON value.
func partViolations(s *model.Schema, v any) (all []violation) {
	eachPart(s, v, func(path []string, s *model.Schema, _ any, required bool) {
		all = append(all, violationsOfPart(path, s, required)...)
	})
	return all
}

// violationsOfPart returns the violations that are possible in one value inside a JSON body.
func violationsOfPart(path []string, s *model.Schema, required bool) (all []violation) {
	at := violation{in: model.InBody, path: path}
	if required {
		all = append(all, at.without())
	}
	for _, with := range invalidValues(s) {
		all = append(all, at.instead(with))
	}
	return all
}

// visitor is called with the path, the schema and the value of a part of a JSON value.
type visitor func(path []string, s *model.Schema, v any, required bool)

// eachPart calls visit with each value inside a JSON value, in order of the paths. It visits only the first element of a list,
// and no value without a schema.
func eachPart(s *model.Schema, v any, visit visitor) { visitPart(s, v, nil, false, visit) }

func visitPart(s *model.Schema, v any, path []string, required bool, visit visitor) {
	if s == nil {
		return
	}
	if len(path) > 0 {
		visit(path, s, v, required)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if p := model.FindInParts(s, func(s *model.Schema) *model.Property { return s.Property(name) }); p != nil {
				visitPart(p.Schema, v[name], append(slices.Clip(path), name), p.Required, visit)
			}
		}
	case []any:
		if len(v) > 0 && s.Items != nil {
			visitPart(s.Items, v[0], append(slices.Clip(path), "0"), false, visit)
		}
	}
}

// textPaths returns the paths of all texts in a JSON value. Of a list it reads the first element only.
func textPaths(v any, path []string) (all [][]string) {
	switch v := v.(type) {
	case string:
		return [][]string{path}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, textPaths(v[name], append(slices.Clip(path), name))...)
		}
	case []any:
		if len(v) > 0 {
			return textPaths(v[0], append(slices.Clip(path), "0"))
		}
	}
	return all
}

// maxInvalidText is the maximum length of a text that is too short or too long for its schema.
const maxInvalidText = 8192

// invalidValues returns JSON values that a schema does not allow: of another type, just outside the bounds, or
// not in the enumeration.
func invalidValues(s *model.Schema) []string {
	var all []string
	if !s.Nullable && s.Type != "" && s.Type != "null" {
		all = append(all, "null")
	}
	switch s.Type {
	case "integer", "number":
		all = append(all, `"x"`)
		all = append(all, invalidNumbers(s)...)
	case "boolean", "array", "object":
		all = append(all, `"x"`)
	case "string":
		all = append(all, "7")
		for _, text := range invalidStrings(s) {
			all = append(all, quoted(text))
		}
	}
	return all
}

// invalidTexts is like invalidValues, for a value that is sent as text.
func invalidTexts(s *model.Schema) []string {
	switch s.Type {
	case "integer", "number":
		return append([]string{"x"}, invalidNumbers(s)...)
	case "boolean":
		return []string{"x"}
	case "string":
		return invalidStrings(s)
	}
	return nil
}

// otherTypes returns JSON values of further types that a schema does not allow: those that invalidValues leaves out.
func otherTypes(s *model.Schema) []string {
	switch s.Type {
	case "integer":
		return []string{"1.5", "true", "[]", "{}"}
	case "number":
		return []string{"true", "[]", "{}"}
	case "boolean":
		return []string{"7", "[]", "{}"}
	case "string":
		return []string{"true", "[]", "{}"}
	case "array":
		return []string{"7", "{}"}
	case "object":
		return []string{"7", "[]"}
	}
	return nil
}

// invalidNumbers returns numbers that a schema does not allow: just outside the bounds, not a multiple of MultipleOf,
// or not in the enumeration.
func invalidNumbers(s *model.Schema) []string {
	var all []string
	if n, ok := notListed(s.Enum); ok {
		all = append(all, strconv.FormatFloat(n, 'f', -1, 64))
	}
	if s.MultipleOf != nil {
		all = append(all, strconv.FormatFloat(*s.MultipleOf*1.5, 'f', -1, 64))
	}
	for _, bound := range []struct {
		at   *float64
		step float64
	}{{s.Min, -1}, {s.Max, 1}} {
		if bound.at != nil && math.Abs(*bound.at) < 1<<53 {
			all = append(all, strconv.FormatFloat(*bound.at+bound.step, 'f', -1, 64))
		}
	}
	return all
}

// notListed returns a number that an enumeration of numbers does not have. It returns false if the enumeration has no number.
func notListed(enum []any) (n float64, ok bool) {
	for _, v := range enum {
		if listed, isNumber := v.(float64); isNumber && math.Abs(listed) < 1<<53 {
			n, ok = max(n, listed+1), true
		}
	}
	return n, ok
}

// invalidStrings returns texts that a schema of strings does not allow.
func invalidStrings(s *model.Schema) []string {
	var all []string
	if len(s.Enum) > 0 || s.Const != nil || s.Format != "" {
		all = append(all, "x-none")
	}
	if text, ok := gene.NonMatchingText(s.Pattern); ok {
		all = append(all, text)
	}
	if s.MinLength > 0 && s.MinLength <= maxInvalidText {
		all = append(all, strings.Repeat("x", s.MinLength-1))
	}
	if s.MaxLength != nil && *s.MaxLength >= 0 && *s.MaxLength < maxInvalidText {
		all = append(all, strings.Repeat("x", *s.MaxLength+1))
	}
	return all
}

func quoted(text string) string {
	data, _ := json.Marshal(text) // every string has a JSON text
	return string(data)
}

// decode parses JSON, with numbers as json.Number. It returns nil if the text is not JSON.
func decode(data string) any {
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// replace applies the violation to a JSON text. It returns the text unchanged if the text has no value at the
// violation's path.
func (v violation) replace(data string) string {
	value, ok := v.within(decode(data), v.path)
	if !ok {
		return data
	}
	out, err := json.Marshal(value)
	if err != nil {
		return data
	}
	return string(out)
}

// within applies the violation at a path inside a JSON value. It returns false if there is no value at the path.
func (v violation) within(value any, path []string) (any, bool) {
	if len(path) == 0 {
		return json.RawMessage(v.with), true
	}
	switch in := value.(type) {
	case map[string]any:
		old, there := in[path[0]]
		switch {
		case len(path) == 1 && v.does == adds:
			in[path[0]] = json.RawMessage(v.with)
			return value, true
		case !there:
			return value, false
		case len(path) == 1 && v.does == omits:
			delete(in, path[0])
			return value, true
		}
		part, ok := v.within(old, path[1:])
		in[path[0]] = part
		return value, ok
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(in) {
			return value, false
		}
		part, ok := v.within(in[i], path[1:])
		in[i] = part
		return value, ok
	}
	return value, false
}
