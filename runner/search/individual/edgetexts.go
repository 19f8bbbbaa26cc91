package individual

import (
	"fmt"
	"math"
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

// edgeTexts returns the texts at the edge of what a schema allows: numbers at the bounds, 0 and -1, texts of the least and of
// the greatest length, and rare matches of a pattern.
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
		return nil
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

// edgeNumbers is edgeTexts for a schema of numbers. A schema without bounds has those of its format.
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
	for _, n := range []edgeText{{"zero", "0"}, {"negative", "-1"}, {"greatest", greatest}, {"least", least}} {
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
