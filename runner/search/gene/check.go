package gene

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"unicode/utf8"

	"sonde/model"
)

// checker checks decoded values against schemas. It ignores formats, and accepts values if it cannot
// interpret the schema. It is immutable.
type checker struct {
	patterns map[string]*regexp.Regexp
}

// newChecker returns a checker for some schemas. It compiles the patterns in the schemas.
func newChecker(schemas ...*model.Schema) *checker {
	c := &checker{map[string]*regexp.Regexp{}}
	seen := map[*model.Schema]bool{nil: true}
	for len(schemas) > 0 && len(seen) < maxProtos {
		s := schemas[0]
		schemas = schemas[1:]
		if seen[s] {
			continue
		}
		seen[s] = true
		if p := newPattern(s.Pattern); p != nil {
			c.patterns[s.Pattern] = p.match
		}
		schemas = slices.Concat(schemas, s.AllOf, s.OneOf, s.AnyOf, []*model.Schema{s.Not, s.Items, s.Additional})
		for _, p := range s.Properties {
			schemas = append(schemas, p.Schema)
		}
	}
	return c
}

// countValid returns for how many of the schemas a value is valid.
func (c *checker) countValid(schemas []*model.Schema, v any) int {
	return (&check{c, maxChecks}).count(schemas, v, deepest)
}

// maxChecks is the maximum number of schemas that are checked for one value.
const maxChecks = 10000

// check is the check of one value. When its steps are used up, it accepts every value.
type check struct {
	*checker
	steps int
}

// valid reports whether a value is valid for a schema, down to a depth of nested schemas. Deeper values are
// not checked.
func (c *check) valid(s *model.Schema, v any, depth int) bool {
	c.steps--
	if s == nil || depth == 0 || c.steps < 0 || v == nil && s.Nullable {
		return true
	}
	return isOf(s.Type, v) && listed(s, v) && c.keepsKind(s, v, depth) && c.keepsParts(s, v, depth-1)
}

func (c *check) keepsKind(s *model.Schema, v any, depth int) bool {
	switch v := v.(type) {
	case string:
		n, match := utf8.RuneCountInString(v), c.patterns[s.Pattern]
		return within(n, s.MinLength, s.MaxLength) && (match == nil || match.MatchString(v))
	case float64:
		return newIntervalOf(s).allows(v)
	case []any:
		return within(len(v), s.MinItems, s.MaxItems) && (!s.Unique || distinct(v)) &&
			!slices.ContainsFunc(v, func(e any) bool { return !c.valid(s.Items, e, depth-1) })
	case map[string]any:
		return c.keepsObject(s, v, depth-1)
	}
	return true
}

func (c *check) keepsObject(s *model.Schema, v map[string]any, depth int) bool {
	for _, name := range s.Required {
		if _, there := v[name]; !there {
			return false
		}
	}
	for _, p := range s.Properties {
		field, there := v[p.Name]
		if !there && p.Required || there && !c.valid(p.Schema, field, depth) {
			return false
		}
	}
	for name, field := range v {
		if s.Additional != nil && s.Property(name) == nil && !c.valid(s.Additional, field, depth) {
			return false
		}
	}
	return within(len(v), s.MinProps, s.MaxProps)
}

func (c *check) keepsParts(s *model.Schema, v any, depth int) bool {
	for _, part := range s.AllOf {
		if !c.valid(part, v, depth) {
			return false
		}
	}
	if len(s.AnyOf) > 0 && c.count(s.AnyOf, v, depth) == 0 || len(s.OneOf) > 0 && c.count(s.OneOf, v, depth) != 1 {
		return false
	}
	return s.Not == nil || depth == 0 || !c.valid(s.Not, v, depth)
}

// count returns for how many of the schemas a value is valid.
func (c *check) count(schemas []*model.Schema, v any, depth int) int {
	n := 0
	for _, s := range schemas {
		if c.valid(s, v, depth) {
			n++
		}
	}
	return n
}

// isOf reports whether a value is of a type of JSON Schema. Every value has the type "". A string also has every type
// that JSON Schema does not define.
func isOf(kind string, v any) bool {
	switch v := v.(type) {
	case nil:
		return kind == "" || kind == "null"
	case bool:
		return kind == "" || kind == "boolean"
	case string:
		return kind == "" || kind == "string" || !slices.Contains(types, kind)
	case float64:
		return kind == "" || kind == "number" || kind == "integer" && v == math.Trunc(v)
	case []any:
		return kind == "" || kind == "array"
	}
	return kind == "" || kind == "object"
}

// listed reports whether the enum and the const of a schema allow a value. A schema without them allows every value.
func listed(s *model.Schema, v any) bool {
	if s.Const != nil && !reflect.DeepEqual(s.Const, v) {
		return false
	}
	return len(s.Enum) == 0 || slices.ContainsFunc(s.Enum, func(e any) bool { return reflect.DeepEqual(e, v) })
}

func within(n, low int, high *int) bool { return n >= low && (high == nil || n <= *high) }

func distinct(list []any) bool {
	for i, v := range list {
		if slices.ContainsFunc(list[:i], func(e any) bool { return reflect.DeepEqual(e, v) }) {
			return false
		}
	}
	return true
}

// newIntervalOf returns the numbers that a schema allows. Unlike newInterval, it does not swap bounds that
// are in the wrong order.
func newIntervalOf(s *model.Schema) *interval {
	in := &interval{least: math.Inf(-1), most: math.Inf(1), grid: newGrid(s.MultipleOf)}
	if s.Min != nil {
		in.least = *s.Min
		if s.ExclusiveMin {
			in.least = math.Nextafter(in.least, math.Inf(1))
		}
	}
	if s.Max != nil {
		in.most = *s.Max
		if s.ExclusiveMax {
			in.most = math.Nextafter(in.most, math.Inf(-1))
		}
	}
	if in.grid != nil && !in.grid.narrow(-math.MaxFloat64, math.MaxFloat64) {
		in.grid = nil
	}
	return in
}

// valueOf returns the phenotype as encoding/json decodes it.
func valueOf(g Gene) any {
	var v any
	if err := json.Unmarshal(JSON(g), &v); err != nil {
		return nil // an absent Optional
	}
	return v
}
