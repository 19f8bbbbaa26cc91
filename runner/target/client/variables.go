package client

import (
	"encoding/json"
	"mime"
	"net/url"
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

// withVariables returns a call with the variables replaced in its arguments and its body. An argument that is already
// escaped stays.
func (c *Client) withVariables(call model.Call) model.Call {
	if len(c.variables) == 0 {
		return call
	}
	call.Args = slices.Clone(call.Args)
	for i, a := range call.Args {
		if !a.Escaped {
			call.Args[i].Value = c.replace(a.Value, func(value string) string { return value })
		}
	}
	if call.Body != nil {
		call.Body = &model.Payload{Media: call.Body.Media, Data: c.replace(call.Body.Data, escapingIn(call.Body.Media))}
	}
	return call
}

func (c *Client) replace(text string, escape func(value string) string) string {
	return model.FillSecrets(text, func(name string) string {
		value, ok := c.variables[name]
		if !ok {
			return "${" + name + "}"
		}
		return escape(value)
	})
}

// escapingIn returns the function that escapes a value for a body of a media type: for a JSON string, or for a form.
func escapingIn(media string) func(value string) string {
	kind, _, err := mime.ParseMediaType(media)
	switch {
	case err != nil:
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		return insideJSON
	case kind == "application/x-www-form-urlencoded":
		return url.QueryEscape
	}
	return func(value string) string { return value }
}

// insideJSON returns a text as it is written between the quotes of a JSON string.
func insideJSON(text string) string {
	quoted, _ := json.Marshal(text) // a string always marshals
	return string(quoted[1 : len(quoted)-1])
}
