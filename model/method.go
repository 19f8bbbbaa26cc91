package model

import (
	"regexp"
	"slices"
)

// methodToken matches the methods that Sonde calls. HTTP allows more characters, such as "$" and "`". Sonde does not:
// methods become part of commands and of source code, and no registered method has such characters.
var methodToken = regexp.MustCompile(`^[A-Z][A-Z0-9_-]{0,39}$`)

// IsMethod reports whether a text is an HTTP method that Sonde can call: in upper case, and not CONNECT, which opens a
// tunnel instead of calling an operation.
func IsMethod(text string) bool { return text != "CONNECT" && methodToken.MatchString(text) }

// safeMethods are the methods that change nothing according to the registry of HTTP methods (RFC 9110, section 9.2.1).
var safeMethods = []string{"GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "REPORT", "SEARCH"}

// IsSafeMethod reports whether a method changes nothing as HTTP defines it. It returns false for unknown methods.
func IsSafeMethod(method string) bool { return slices.Contains(safeMethods, method) }
