package model

import (
	"encoding/json"
	"fmt"
	"strings"
)

// HeaderFields are the fields of an answer's header or trailer. A name may have several values. In JSON, a name with
// one value has a string, a name with several values has a list of strings.
type HeaderFields map[string][]string

// NewHeaderField returns a header with a single field, which has a single value.
func NewHeaderField(name, value string) HeaderFields { return HeaderFields{name: {value}} }

// value returns the first value of a field, "" if there is none. It ignores the case of the name.
func (h HeaderFields) value(name string) string {
	for own, values := range h {
		if strings.EqualFold(own, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// MarshalJSON encodes a field with a single value as a string, and all other fields as lists of strings.
func (h HeaderFields) MarshalJSON() ([]byte, error) {
	all := make(map[string]any, len(h))
	for name, values := range h {
		if len(values) == 1 {
			all[name] = values[0]
		} else {
			all[name] = values
		}
	}
	return json.Marshal(all)
}

// UnmarshalJSON decodes an object whose values are strings or lists of strings.
func (h *HeaderFields) UnmarshalJSON(data []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil || all == nil {
		return err
	}
	*h = make(HeaderFields, len(all))
	for name, value := range all {
		var one string
		var many []string
		switch {
		case json.Unmarshal(value, &one) == nil:
			many = []string{one}
		case json.Unmarshal(value, &many) != nil:
			return fmt.Errorf("the value of the header %.60q is not a text or a list of texts", name)
		}
		(*h)[name] = many
	}
	return nil
}
