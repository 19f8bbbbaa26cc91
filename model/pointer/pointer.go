// Package pointer reads and writes JSON pointers (RFC 6901).
package pointer

import (
	"strconv"
	"strings"
)

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Escape returns a name as a reference token of a pointer.
func Escape(name string) string { return escaper.Replace(name) }

// Unescape returns the name of a reference token.
func Unescape(token string) string { return unescaper.Replace(token) }

// Tokens returns the unescaped tokens of a pointer. It returns nil for "" and for a text that does not start with a
// slash.
func Tokens(pointer string) []string {
	if pointer == "" || pointer[0] != '/' {
		return nil
	}
	parts := strings.Split(pointer[1:], "/")
	for i, part := range parts {
		parts[i] = Unescape(part)
	}
	return parts
}

// LastToken returns the unescaped name at the end of a pointer.
func LastToken(pointer string) string {
	return Unescape(pointer[strings.LastIndexByte(pointer, '/')+1:])
}

// Dotted returns a pointer in dotted form for display: "metadata.name" for "/metadata/name".
func Dotted(pointer string) string {
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, t := range tokens {
		tokens[i] = Unescape(t)
	}
	return strings.Join(tokens, ".")
}

// Parent returns a pointer without its last token.
func Parent(pointer string) string {
	return pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
}

// Lookup returns the value at a pointer in a value that encoding/json decoded, and reports whether it exists. For the
// pointer "", a nil v does not exist.
func Lookup(v any, pointer string) (any, bool) {
	if pointer == "" {
		return v, v != nil
	}
	token, rest, more := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if more {
		rest = "/" + rest
	}
	switch v := v.(type) {
	case map[string]any:
		inner, ok := v[Unescape(token)]
		if !ok {
			return nil, false
		}
		return inside(inner, rest)
	case []any:
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(v) {
			return nil, false
		}
		return inside(v[i], rest)
	}
	return nil, false
}

// inside returns the value at the rest of a pointer in v. The rest is "" or starts with a slash.
func inside(v any, rest string) (any, bool) {
	if rest == "" {
		return v, true
	}
	return Lookup(v, rest)
}
