package shape

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"sonde/model"
)

// breaks reports whether a value violates its schema: its type, its allowed values, or its size.
func breaks(s *model.Schema, v any) bool {
	if s == nil {
		return false
	}
	switch v := v.(type) {
	case string:
		n := utf8.RuneCountInString(v)
		return other(s, "string") || none(s, v) || n < s.MinLength || s.MaxLength != nil && n > *s.MaxLength
	case json.Number:
		n, err := v.Float64()
		return other(s, "integer", "number") || err == nil && (none(s, n) || outOf(s, n))
	case bool:
		return other(s, "boolean")
	case []any:
		return other(s, "array") || len(v) < s.MinItems || s.MaxItems != nil && len(v) > *s.MaxItems
	case map[string]any:
		return other(s, "object") || s.MaxProps != nil && len(v) > *s.MaxProps
	}
	return false
}

func other(s *model.Schema, types ...string) bool {
	return s.Type != "" && !slices.Contains(types, s.Type)
}

func none(s *model.Schema, v any) bool { return len(s.Enum) > 0 && !slices.Contains(s.Enum, v) }

func outOf(s *model.Schema, n float64) bool {
	low, high := edges(s)
	return low != nil && n < *low || high != nil && n > *high
}
