package openapi

import (
	"encoding/json"

	"sonde/model"
)

// example has the examples that the document gives for a parameter or a media type outside the schema.
type example struct {
	of     **model.Schema
	values []any
}

// example collects the examples of a parameter or a media type. addExamples adds them to the schema after all
// schemas are converted.
func (c *converter) example(of **model.Schema, clean *node) {
	var found []any
	for _, key := range []string{"example", "x-example"} {
		if n := clean.get(key); n != nil {
			found = append(found, plainValue(n))
		}
	}
	if named := clean.get("examples"); named != nil {
		for _, e := range named.kids {
			for _, key := range []string{"value", "dataValue"} {
				if n := e.get(key); n != nil {
					found = append(found, plainValue(n))
				}
			}
		}
	}
	if len(found) > 0 && *of != nil {
		c.examples = append(c.examples, example{of, found})
	}
}

// addExamples adds the collected examples to their schemas, before the schema's own examples. It adds them to a copy
// of the schema, because the schema may be shared.
func (c *converter) addExamples() {
	for _, e := range c.examples {
		s := **e.of
		s.Examples = append(e.values, s.Examples...)
		*e.of = &s
	}
}

// plainValue returns a value of the clean tree in the types to which encoding/json decodes values.
func plainValue(n *node) any {
	switch n.kind {
	case isText:
		return n.text
	case isFlag:
		return n.text == "true"
	case isNumber:
		f, _ := json.Number(n.text).Float64() // the numbers of the clean tree are valid
		return f
	case isList:
		list := make([]any, len(n.kids))
		for i, kid := range n.kids {
			list[i] = plainValue(kid)
		}
		return list
	case isObject:
		object := make(map[string]any, len(n.keys))
		for i, key := range n.keys {
			object[key] = plainValue(n.kids[i])
		}
		return object
	default:
		return nil
	}
}
