package shape

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"sonde/model"
)

// violates reports whether a value violates its schema by its type, by its enum, or by its size. It
// does not look into lists and objects.
func violates(s *model.Schema, v any) bool {
	if s == nil {
		return false
	}
	switch v := v.(type) {
	case string:
		n := utf8.RuneCountInString(v)
		return hasOtherType(s, "string") || isNotInEnum(s, v) || n < s.MinLength || s.MaxLength != nil && n > *s.MaxLength
	case json.Number:
		n, err := v.Float64()
		return hasOtherType(s, "integer", "number") || err == nil && (isNotInEnum(s, n) || isOutOfRange(s, n))
	case bool:
		return hasOtherType(s, "boolean")
	case []any:
		return hasOtherType(s, "array") || len(v) < s.MinItems || s.MaxItems != nil && len(v) > *s.MaxItems
	case map[string]any:
		return hasOtherType(s, "object") || s.MaxProps != nil && len(v) > *s.MaxProps
	}
	return false
}

// hasOtherType reports whether the schema has a type, and the type is not in types.
func hasOtherType(s *model.Schema, types ...string) bool {
	return s.Type != "" && !slices.Contains(types, s.Type)
}

// isNotInEnum reports whether the schema has an enum without v.
func isNotInEnum(s *model.Schema, v any) bool { return len(s.Enum) > 0 && !slices.Contains(s.Enum, v) }

// isOutOfRange reports whether a number is below the minimum or above the maximum.
func isOutOfRange(s *model.Schema, n float64) bool {
	low, high := limits(s)
	return low != nil && n < *low || high != nil && n > *high
}
