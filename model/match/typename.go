package match

import (
	"slices"
	"strings"

	"sonde/model"
)

// typeNames are names of properties that state the type of their object.
var typeNames = []string{"type", "object", "kind", "resourceType"}

// typeNameOf returns the type that an object with an id declares, such as "articles" in JSON:API. This is the only
// value of a property in typeNames, as onlyValue returns it. It returns "" if there is none. It also returns "" if
// the type is the name of another property of the object, because such a type only says which property is set.
func typeNameOf(s *model.Schema) string {
	name, hasID := "", false
	each := func(p model.Property) {
		if slices.Contains(typeNames, p.Name) && name == "" {
			name = onlyValue(p.Schema)
		}
		hasID = hasID || slices.Contains(strictIDWords, strings.ToLower(strings.TrimPrefix(p.Name, "_")))
	}
	for _, p := range s.Properties {
		each(p)
	}
	for _, part := range s.AllOf {
		for _, p := range part.Properties {
			each(p)
		}
	}
	if !hasID || slices.ContainsFunc(s.Properties, func(p model.Property) bool { return p.Name == name }) {
		return ""
	}
	return name
}

// onlyValue returns the only text that a schema gives: its const, its only enum value, its default or its only
// example. It returns "" if there is none.
func onlyValue(s *model.Schema) string {
	for _, list := range [][]any{{s.Const}, s.Enum, {s.Default}, s.Examples} {
		if text, ok := first(list).(string); ok {
			if len(list) == 1 {
				return text
			}
			return ""
		}
	}
	return ""
}
