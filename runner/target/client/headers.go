package client

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"sonde/model"

	"golang.org/x/net/http/httpguts"
)

// setHeaders resolves the headers that all requests to the service carry. It returns an error of one line if a variable
// in them is not set, or if a value cannot be sent.
func (c *Client) setHeaders(all []model.Credential) error {
	for _, h := range all {
		var f filler
		value := f.text(h.Value, true)
		switch {
		case len(f.missing) > 0:
			return fmt.Errorf("the header %s lacks a value: set %s in the environment", h.Name, strings.Join(f.missing, " and "))
		case !httpguts.ValidHeaderFieldName(h.Name) || !httpguts.ValidHeaderFieldValue(value):
			return fmt.Errorf("the header %s has a value that no header can carry: is there a line break in it?", h.Name)
		}
		for _, secret := range f.secrets {
			c.mask.hide(secret)
		}
		c.headers = append(c.headers, model.Credential{In: model.InHeader, Name: http.CanonicalHeaderKey(h.Name), Value: value})
	}
	return nil
}

// withHeaders returns a request to the service with the headers that all requests carry. A header that the request sets
// itself stays.
func (c *Client) withHeaders(r model.Request) model.Request {
	if len(c.headers) == 0 {
		return r
	}
	r.Header = maps.Clone(r.Header)
	if r.Header == nil {
		r.Header = map[string][]string{}
	}
	for _, h := range c.headers {
		if len(r.Header[h.Name]) == 0 {
			r.Header[h.Name] = []string{h.Value}
		}
	}
	return r
}
