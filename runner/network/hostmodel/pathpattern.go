package hostmodel

import (
	"strings"
	"unicode"
)

// pathPattern returns the path of a URL. It replaces each segment that contains a digit by the parameter {id}, except
// a version: "/v1/users/7" becomes "/v1/users/{id}".
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

// isVersion reports whether a segment is a v and one or two digits, such as v1 in /v1/charges.
func isVersion(part string) bool {
	return len(part) > 1 && len(part) < 4 && part[0] == 'v' && strings.Trim(part[1:], "0123456789") == ""
}
