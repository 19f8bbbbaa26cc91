package model

import (
	"net/url"
	"strings"
)

// Arg is one value outside the body. A parameter that is a list may need
// several.
type Arg struct {
	In    Location `json:"in"`
	Name  string   `json:"name"`
	Value string   `json:"value"`
	// Escaped tells that Value is escaped already, and is sent as it is: it has
	// separators of its style in it, or what leads a value in the path.
	Escaped bool `json:"escaped,omitempty"`
}

// Encoded returns the value as it is sent in a path, a query or a cookie.
func (a Arg) Encoded() string {
	switch {
	case a.Escaped:
		return a.Value
	case a.In == InPath:
		return EscapePath(a.Value)
	}
	return EscapeQuery(a.Value)
}

// Prefix returns what stands before the value in a path: ";name=" in the matrix
// style, "." in the label style.
func (a Arg) Prefix() string {
	matrix := ";" + EscapePath(a.Name) + "="
	switch {
	case a.In != InPath || !a.Escaped:
		return ""
	case strings.HasPrefix(a.Value, matrix):
		return matrix
	case strings.HasPrefix(a.Value, "."):
		return "."
	}
	return ""
}

// PlainValue returns the value alone: without what leads it, and not escaped.
func (a Arg) PlainValue() string {
	if !a.Escaped {
		return a.Value
	}
	text := strings.TrimPrefix(a.Value, a.Prefix())
	if own, err := url.PathUnescape(text); err == nil {
		return own
	}
	return text
}

// WithValue returns the argument with another value, led by what leads this one.
func (a Arg) WithValue(value string) Arg {
	lead := a.Prefix()
	a.Escaped = lead != ""
	if a.Escaped {
		value = lead + EscapePath(value)
	}
	a.Value = value
	return a
}

// EscapePath keeps a text within its segment of a path: also one of dots alone,
// which would otherwise climb.
func EscapePath(text string) string {
	if strings.Trim(text, ".") == "" {
		return strings.ReplaceAll(text, ".", "%2E")
	}
	return url.PathEscape(text)
}

// EscapeQuery keeps a text within its place in a query. A space is no plus: not
// all services read that as one.
func EscapeQuery(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
