package outside

import (
	"strings"
	"unicode"
)

// general is a path without what differs from time to time: a segment with a digit
// in it is a parameter.
func general(url string) string {
	path, _, _ := strings.Cut(url, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.ContainsFunc(part, unicode.IsDigit) && !version(part) {
			parts[i] = "{id}"
		}
	}
	return strings.Join(parts, "/")
}

// version reports whether a segment is one as in /v1/charges.
func version(part string) bool {
	return len(part) > 1 && len(part) < 4 && part[0] == 'v' && strings.Trim(part[1:], "0123456789") == ""
}
