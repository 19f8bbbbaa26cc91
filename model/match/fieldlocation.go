package match

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// LastSegment returns the last path segment of a Location header's value,
// absolute or relative, without percent encoding: the new resource's id. It is
// false where there is none.
func LastSegment(location string) (string, bool) {
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
