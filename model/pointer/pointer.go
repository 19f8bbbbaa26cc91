// Package pointer reads and writes JSON pointers (RFC 6901), by which Sonde
// names places in documents and messages.
package pointer

import (
	"strconv"
	"strings"
)

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Escape writes a name as a part of a pointer.
func Escape(name string) string { return escaper.Replace(name) }

// Unescape reads a part of a pointer.
func Unescape(token string) string { return unescaper.Replace(token) }

// LastToken returns the name at a pointer's end.
func LastToken(pointer string) string {
	return Unescape(pointer[strings.LastIndexByte(pointer, '/')+1:])
}

// Parent returns a pointer without its last part.
func Parent(pointer string) string {
	return pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
}

// Lookup returns the value at a pointer in what encoding/json decoded, and whether
// there is one.
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

// inside goes on below a value that is there, null among them.
func inside(v any, rest string) (any, bool) {
	if rest == "" {
		return v, true
	}
	return Lookup(v, rest)
}
