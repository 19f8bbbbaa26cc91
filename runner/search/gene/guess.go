package gene

import (
	"slices"

	"sonde/model"
)

var types = []string{"object", "array", "boolean", "integer", "number", "string", "null"}

// typeOf returns the type of a schema. If the schema has no valid type, typeOf guesses it from other keywords.
func typeOf(m *model.Schema) string {
	if slices.Contains(types, m.Type) {
		return m.Type
	}
	_, isWhole := wholeFormats[m.Format]
	switch {
	case len(m.Properties)+len(m.Required)+m.MinProps > 0 || m.Additional != nil || m.MaxProps != nil:
		return "object"
	case m.Items != nil || m.MinItems > 0 || m.MaxItems != nil || m.Unique:
		return "array"
	case isWhole:
		return "integer"
	case m.Format == "float" || m.Format == "double":
		return "number"
	case m.Pattern != "" || m.MinLength > 0 || m.MaxLength != nil || m.Format != "":
		return "string"
	case m.Min != nil || m.Max != nil || m.MultipleOf != nil:
		return "number"
	}
	return typeOfSeeds(m)
}

// typeOfSeeds returns the type of the first example, or of the default if there is no example. Without either
// it returns "string".
func typeOfSeeds(m *model.Schema) string {
	seeds := seedsOf(m)
	if len(seeds) == 0 {
		return "string"
	}
	switch v := seeds[0].(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case bool:
		return "boolean"
	default:
		if _, ok := whole(v); ok {
			return "integer"
		}
		if _, ok := number(v); ok {
			return "number"
		}
	}
	return "string"
}
