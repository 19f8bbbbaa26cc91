package match

import (
	"slices"
	"strings"

	"sonde/model"
)

// typeNames are names of properties that say of which type an object is.
var typeNames = []string{"type", "object", "kind", "resourceType"}

// typeNameOf returns the type that an object with an id says that it has, in a property whose only value the document
// lists: "articles" for a resource of JSON:API. It returns "" if there is none, or if the object has a property of
// that name, because then the type only says which of its properties it has.
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

// onlyValue returns the text that is the only possible value of a schema, or the only one that the document gives as an
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
