package match

import (
	"slices"
	"strings"

	"sonde/model"
)

// typeNames are names of properties that state the type of their object.
var typeNames = []string{"type", "object", "kind", "resourceType"}

// typeNameOf returns the type that an object with an id declares by a property in typeNames, such as "articles" in
// JSON:API. It returns "" if there is none. It also returns "" if the object has a property with the name of the type,
// because such a type only says which property is set.
func typeNameOf(s *model.Schema) string {
	name := declaredType(s)
	if name == "" || !hasID(s) || slices.ContainsFunc(s.Properties, func(p model.Property) bool { return p.Name == name }) {
		return ""
	}
	return name
}

// declaredType returns the type that an object states by a property in typeNames: "articles" if the only value of the
// property is "articles", see onlyValue. The first such property counts. declaredType returns "" if there is none.
func declaredType(s *model.Schema) string {
	declared := func(properties []model.Property) string {
		for i := range properties {
			if p := &properties[i]; slices.Contains(typeNames, p.Name) {
				if name := onlyValue(p.Schema); name != "" {
					return name
				}
			}
		}
		return ""
	}
	name := declared(s.Properties)
	for i := 0; i < len(s.AllOf) && name == ""; i++ {
		name = declared(s.AllOf[i].Properties)
	}
	return name
}

// hasID reports whether an object has an id.
func hasID(s *model.Schema) bool {
	isID := func(p model.Property) bool {
		return slices.Contains(strictIDWords, strings.ToLower(strings.TrimPrefix(p.Name, "_")))
	}
	return slices.ContainsFunc(s.Properties, isID) ||
		slices.ContainsFunc(s.AllOf, func(part *model.Schema) bool { return slices.ContainsFunc(part.Properties, isID) })
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
