package match

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// LastSegment returns the last path segment of a Location header's value, which is the new resource's id,
// without percent encoding. The value may be absolute or relative. ok is false if there is no such segment.
func LastSegment(location string) (id string, ok bool) {
	u, err := url.Parse(strings.TrimSpace(location))
	if err != nil {
		return "", false
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	last, err := url.PathUnescape(path[strings.LastIndex(path, "/")+1:])
	if err != nil || last == "" || last == "." || last == ".." || !utf8.ValidString(last) {
		return "", false
	}
	return last, true
}
