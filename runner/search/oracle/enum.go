package oracle

import (
	"encoding/json"

	"sonde/model"
)

// manyValues is the minimum number of values for which an enumeration is indexed. A shorter enumeration is searched.
const manyValues = 32

// enumeration is an index of the values of a schema.
type enumeration struct {
	texts   map[string]bool
	numbers map[float64]bool
	written map[string]bool // numbers and other values as JSON text, which is exact
}

func newEnumeration(values []any) *enumeration {
	e := &enumeration{texts: map[string]bool{}, numbers: map[float64]bool{}, written: map[string]bool{}}
	for _, v := range values {
		if text, ok := v.(string); ok {
			e.texts[text] = true
			continue
		}
		data, err := json.Marshal(v)
		if err != nil {
			continue
		}
		e.written[string(data)] = true
		if n, err := json.Number(data).Float64(); err == nil {
			e.numbers[n] = true
		}
	}
	return e
}

// has reports whether a text or a number equals one of the values; see same.
func (e *enumeration) has(v any) bool {
	switch v := v.(type) {
	case string:
		return e.texts[v]
	case json.Number:
		n, err := v.Float64()
		return e.written[v.String()] || err == nil && e.numbers[n]
	}
	return false
}

// inEnum reports whether a value is in the enumeration of a schema.
func (c *checker) inEnum(s *model.Schema, v any) bool {
	_, text := v.(string)
	_, number := v.(json.Number)
	if len(s.Enum) >= manyValues && (text || number) {
		return c.enumeration(s).has(v)
	}
	for _, e := range s.Enum {
		if same(e, v) {
			return true
		}
	}
	return false
}

// enumeration returns the index of the values that a schema enumerates. It makes the index when it is first needed.
func (c *checker) enumeration(s *model.Schema) *enumeration {
	if c.enums == nil {
		c.enums = map[*model.Schema]*enumeration{}
	}
	if c.enums[s] == nil {
		c.enums[s] = newEnumeration(s.Enum)
	}
	return c.enums[s]
}
