package client

import (
	"encoding/json"
	"mime"
	"slices"
	"strings"

	"sonde/model"
)

// Variables are the values of ${NAME} in the calls of tests. The zero value replaces nothing.
type Variables struct {
	Values map[string]string
	// Secrets are values, or parts of values, that must be neither stored nor shown.
	Secrets []string
}

// SetVariables sets the variables of the calls that PlayTest sends from now on. The tests that it returns keep
// ${NAME}. No request may be in flight.
func (c *Client) SetVariables(v Variables) {
	c.variables = v.Values
	for _, secret := range v.Secrets {
		c.mask.hide(secret)
	}
}

// FillVariables returns a call with variables replaced by their values in its arguments and its body. A name that has no
// value stays, and so do an argument that is already escaped, and the content of a file.
func FillVariables(call model.Call, values map[string]string) model.Call {
	if len(values) == 0 {
		return call
	}
	call.Args = slices.Clone(call.Args)
	for i, a := range call.Args {
		if !a.Escaped {
			call.Args[i].Value = fill(a.Value, values, func(value string) string { return value })
		}
	}
	if call.Body != nil {
		escape := escapingIn(call.Body.Media)
		body := call.Body.MapTexts(func(text string) string { return fill(text, values, escape) })
		call.Body = &body
	}
	return call
}

func fill(text string, values map[string]string, escape func(value string) string) string {
	return model.FillSecrets(text, func(name string) string {
		value, ok := values[name]
		if !ok {
			return "${" + name + "}"
		}
		return escape(value)
	})
}

// escapingIn returns the function that escapes a value for a text in a body of a media type: for a JSON string, or none.
func escapingIn(media string) func(value string) string {
	kind, _, err := mime.ParseMediaType(media)
	if err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json")) {
		return insideJSON
	}
	return func(value string) string { return value }
}

// insideJSON returns a text as it is written between the quotes of a JSON string.
func insideJSON(text string) string {
	quoted, _ := json.Marshal(text) // a string always marshals
	return string(quoted[1 : len(quoted)-1])
}
