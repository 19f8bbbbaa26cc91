package hostmodel

import (
	"strings"
	"unicode"
)

// pathPattern returns a path with its variable segments replaced: a segment that contains
// a digit becomes a parameter.
func pathPattern(url string) string {
	path, _, _ := strings.Cut(url, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.ContainsFunc(part, unicode.IsDigit) && !isVersion(part) {
			parts[i] = "{id}"
		}
	}
	return strings.Join(parts, "/")
}

// isVersion reports whether a segment is a version, as in /v1/charges.
func isVersion(part string) bool {
	return len(part) > 1 && len(part) < 4 && part[0] == 'v' && strings.Trim(part[1:], "0123456789") == ""
}
