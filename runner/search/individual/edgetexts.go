package individual

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// edgeText is a text that a schema allows, but that services often do not expect.
type edgeText struct {
	name string // such as "least"
	text string
}

// edgeTexts returns the texts at the edge of what a schema allows: numbers at the bounds, 0 and -1, texts of the least
// and of the greatest length, dates and times at the edge, and rare matches of a pattern. It returns nil for a schema
// with an enum or a const.
func edgeTexts(s *model.Schema) (all []edgeText) {
	if len(s.Enum) > 0 || s.Const != nil {
		return nil
	}
	switch s.Type {
	case "integer", "number":
		return edgeNumbers(s)
	case "string":
	default:
		return nil
	}
	if s.Pattern != "" {
		for i, text := range gene.PatternEdges(s.Pattern) {
			all = append(all, edgeText{fmt.Sprintf("pattern %d", i), text})
		}
		return all
	}
	if s.Format != "" {
		return edgeTimes[s.Format]
	}
	if s.MinLength == 0 {
		all = append(all, edgeText{"empty", ""})
	} else if s.MinLength <= maxInvalidText {
		all = append(all, edgeText{"shortest", strings.Repeat("x", s.MinLength)})
	}
	if s.MaxLength != nil && *s.MaxLength > 0 && *s.MaxLength <= maxInvalidText {
		all = append(all, edgeText{"longest", strings.Repeat("x", *s.MaxLength)})
	}
	return all
}

// edgeTimes has the edge texts of the formats "date" and "date-time".
var edgeTimes = map[string][]edgeText{
	"date": {{"first day", "0001-01-01"}, {"last day", "9999-12-31"}, {"leap day", "2024-02-29"}},
	"date-time": {
		{"first second", "0001-01-01T00:00:00Z"}, {"last second", "9999-12-31T23:59:59Z"}, {"leap second", "2016-12-31T23:59:60Z"},
	},
}

// maxEdgeList is the maximum number of elements in a list that edgeLists returns.
const maxEdgeList = 1000

// edgeLists returns the JSON texts of lists that services often do not expect: without elements, with too few or too
// many elements, and with an element twice. A text has the name "" if the schema does not allow the list. v is a list
// that the schema allows. If v is not a list or is empty, edgeLists returns nil.
func edgeLists(s *model.Schema, v any) (all []edgeText) {
	list, isList := v.([]any)
	if !isList || len(list) == 0 {
		return nil
	}
	of := func(n int) string {
		data, _ := json.Marshal(slices.Repeat(list[:1], n)) // cannot fail: the elements were decoded from JSON
		return string(data)
	}
	all = []edgeText{{"empty list", "[]"}, {"equal elements", of(2)}}
	if s.MinItems > 0 {
		all[0].name = ""
	}
	if s.Unique {
		all[1].name = ""
	}
	if s.MinItems > 1 && s.MinItems <= maxEdgeList {
		all = append(all, edgeText{"", of(s.MinItems - 1)})
	}
	if s.MaxItems != nil && *s.MaxItems >= 0 && *s.MaxItems < maxEdgeList {
		all = append(all, edgeText{"", of(*s.MaxItems + 1)})
	}
	return all
}

// edgeNumbers is like edgeTexts, for a schema of numbers. If the schema has no bounds, the bounds are those of its
// format.
func edgeNumbers(s *model.Schema) (all []edgeText) {
	least, greatest := strconv.Itoa(math.MinInt64), strconv.Itoa(math.MaxInt64)
	if s.Format == "int32" {
		least, greatest = strconv.Itoa(math.MinInt32), strconv.Itoa(math.MaxInt32)
	}
	if s.Min != nil {
		least = strconv.FormatFloat(*s.Min, 'f', -1, 64)
	}
	if s.Max != nil {
		greatest = strconv.FormatFloat(*s.Max, 'f', -1, 64)
	}
	texts := []edgeText{{"zero", "0"}, {"negative", "-1"}, {"greatest", greatest}, {"least", least}}
	if s.Type == "number" {
		texts = append(texts, edgeText{"huge", "1e308"})
	}
	for _, n := range texts {
		if v, err := strconv.ParseFloat(n.text, 64); err == nil && allows(s, v) {
			all = append(all, n)
		}
	}
	return all
}

// allows reports whether a number is inside the bounds of a schema.
func allows(s *model.Schema, v float64) bool {
	above := s.Min == nil || v > *s.Min || v == *s.Min && !s.ExclusiveMin
	below := s.Max == nil || v < *s.Max || v == *s.Max && !s.ExclusiveMax
	return above && below
}
