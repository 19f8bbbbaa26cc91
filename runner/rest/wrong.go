package rest

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/gene"
)

// partFlaws are the flaws of a JSON value and of what is inside it.
func partFlaws(s *model.Schema, v any, path []string) []flaw {
	at := flaw{in: model.InBody, path: path}
	var all []flaw
	if len(path) > 0 && s != nil {
		for _, with := range wrongValues(s) {
			all = append(all, at.instead(with))
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			p := find(s, func(s *model.Schema) *model.Property { return s.Property(name) })
			if p == nil {
				continue
			}
			inside := append(slices.Clip(path), name)
			if p.Required {
				all = append(all, flaw{in: model.InBody, path: inside, gone: true})
			}
			all = append(all, partFlaws(p.Schema, v[name], inside)...)
		}
	case []any:
		if len(v) > 0 && s != nil && s.Items != nil {
			all = append(all, partFlaws(s.Items, v[0], append(slices.Clip(path), "0"))...)
		}
	}
	return all
}

// longestWrong is the longest text that is sent because it is too long.
const longestWrong = 8192

// wrongValues are JSON values that a schema does not allow: of another type,
// just outside of its bounds, none of its list.
func wrongValues(s *model.Schema) []string {
	var all []string
	if !s.Nullable && s.Type != "" && s.Type != "null" {
		all = append(all, "null")
	}
	switch s.Type {
	case "integer", "number":
		all = append(all, `"x"`)
		all = append(all, outOfRange(s)...)
	case "boolean", "array", "object":
		all = append(all, `"x"`)
	case "string":
		all = append(all, "7")
		for _, text := range wrongStrings(s) {
			all = append(all, quoted(text))
		}
	}
	return all
}

// wrongTexts is wrongValues for a value that is text anyway.
func wrongTexts(s *model.Schema) []string {
	switch s.Type {
	case "integer", "number":
		return append([]string{"x"}, outOfRange(s)...)
	case "boolean":
		return []string{"x"}
	case "string":
		return wrongStrings(s)
	}
	return nil
}

// outOfRange returns whole numbers just outside of the bounds.
func outOfRange(s *model.Schema) []string {
	var all []string
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

func wrongStrings(s *model.Schema) []string {
	var all []string
	if len(s.Enum) > 0 || s.Const != nil || s.Format != "" {
		all = append(all, "x-none")
	}
	if text, ok := gene.Breaking(s.Pattern); ok {
		all = append(all, text)
	}
	if s.MinLength > 0 && s.MinLength <= longestWrong {
		all = append(all, strings.Repeat("x", s.MinLength-1))
	}
	if s.MaxLength != nil && *s.MaxLength >= 0 && *s.MaxLength < longestWrong {
		all = append(all, strings.Repeat("x", *s.MaxLength+1))
	}
	return all
}

func quoted(text string) string {
	data, _ := json.Marshal(text) // every string has a JSON text
	return string(data)
}

// decode reads JSON, numbers as they are written; nil if it is none.
func decode(data string) any {
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// replace puts the flaw at its place in a JSON text, which stays as it is where
// it lacks the place.
func (f flaw) replace(data string) string {
	v, ok := f.within(decode(data), f.path)
	if !ok {
		return data
	}
	out, err := json.Marshal(v)
	if err != nil {
		return data
	}
	return string(out)
}

func (f flaw) within(v any, path []string) (any, bool) {
	if len(path) == 0 {
		return json.RawMessage(f.with), true
	}
	switch in := v.(type) {
	case map[string]any:
		old, there := in[path[0]]
		if !there {
			return v, false
		}
		if f.gone && len(path) == 1 {
			delete(in, path[0])
			return v, true
		}
		part, ok := f.within(old, path[1:])
		in[path[0]] = part
		return v, ok
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(in) {
			return v, false
		}
		part, ok := f.within(in[i], path[1:])
		in[i] = part
		return v, ok
	}
	return v, false
}
