package model

import (
	"net/url"
	"strings"
)

// Arg is one value of a call outside of the body: in the path, the query, a header or a cookie. A parameter whose
// value is a list may need several Args.
type Arg struct {
	In    Location `json:"in"`
	Name  string   `json:"name"`
	Value string   `json:"value"`
	// Escaped reports whether Value is already escaped and is therefore sent unchanged. Such a Value contains
	// separators of the parameter's style, or a prefix such as ";name=".
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

// Prefix returns the text before the value in a path: ";name=" in the matrix style, "." in
// the label style, else "".
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

// PlainValue returns the unescaped value without its prefix.
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

// WithValue returns the argument with another plain value and the same prefix, such as ";name=".
func (a Arg) WithValue(value string) Arg {
	lead := a.Prefix()
	a.Escaped = lead != ""
	if a.Escaped {
		value = lead + EscapePath(value)
	}
	a.Value = value
	return a
}

// EscapePath escapes a text for one segment of a path. It also escapes a text of dots only, because "." and
// ".." would change the path.
func EscapePath(text string) string {
	if strings.Trim(text, ".") == "" {
		return strings.ReplaceAll(text, ".", "%2E")
	}
	return url.PathEscape(text)
}

// EscapeQuery escapes a text for a query. A space becomes %20, since not all services
// decode "+" as a space.
func EscapeQuery(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
