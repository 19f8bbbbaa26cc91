package record

import (
	"net/url"
	"strings"
)

// namedValues masks values after a secret name and "=" or ":". Such pairs occur in queries, logs,
// settings, and in JSON that is truncated.
func (m *masker) namedValues(s string) string {
	if len(s) < len("k=v") {
		return s
	}
	var out strings.Builder
	done := 0
	for i := strings.IndexAny(s, ":="); i >= 0 && i < len(s); {
		from, to := i, i
		if name := nameBefore(s[done:i]); name != "" && m.isSecretName(name) {
			from, to = valueAfter(s, i)
		}
		if to > from {
			out.WriteString(s[done:from])
			out.WriteString(m.escapedValue(s[from:to]))
			done, i = to, to
		} else {
			i++
		}
		next := strings.IndexAny(s[i:], ":=")
		if next < 0 {
			break
		}
		i += next
	}
	if done == 0 {
		return s
	}
	out.WriteString(s[done:])
	return out.String()
}

// escapedValue returns the pseudonym of a value that may be escaped for a URL.
func (m *masker) escapedValue(raw string) string {
	if v, err := url.QueryUnescape(raw); err == nil && v != raw && strings.Contains(raw, "%") {
		return url.QueryEscape(m.pseudonymFor(v))
	}
	return m.pseudonymFor(raw)
}

// maxNameLength is the maximum length of a name that is recognised.
const maxNameLength = 100

// nameBefore returns the name at the end of a text. Spaces, quotes, backslashes and "]" may follow the name. It returns
// "" if there is none. A name begins or ends with a letter.
func nameBefore(s string) string {
	s = strings.TrimRight(s[max(0, len(s)-maxNameLength):], " \t\"'`\\]")
	from := len(s)
	for from > 0 && inName[s[from-1]] {
		from--
	}
	name := s[from:]
	if name == "" || !inLetter[name[len(name)-1]] && !inLetter[name[0]] {
		return ""
	}
	return name
}

// The bytes of names, and letters.
var (
	inName   = byteSet(digits + letters + "_-.$")
	inLetter = byteSet(letters)
)

// schemes are words before a credential.
var schemes = []string{"Bearer", "Basic", "Token", "Digest", "ApiKey"}

// endsValue are the bytes that end a value without quotes.
var endsValue = byteSet(" \t\r\n&;,<>\"'`{}[]()|")

// valueAfter returns the position of the value after the "=" or ":" at sep. It returns an empty range if
// there is no value, or if the value is most likely no secret, such as true.
func valueAfter(s string, sep int) (from, to int) {
	from = sep + 1
	for from < len(s) && (s[from] == ' ' || s[from] == '\t') {
		from++
	}
	if quote := quoteAt(s[from:]); quote != "" {
		from += len(quote)
		if end := strings.Index(s[from:], quote); end >= 0 {
			return from, from + end
		}
		return from, len(s)
	}
	for _, scheme := range schemes {
		if len(s)-from > len(scheme) && strings.EqualFold(s[from:from+len(scheme)], scheme) &&
			s[from+len(scheme)] == ' ' {
			from += len(scheme) + 1
		}
	}
	for to = from; to < len(s) && !endsValue[s[to]]; to++ {
	}
	if v := s[from:to]; v == "true" || v == "false" || v == "null" || isPlaceholder(v) || s[sep] == ':' && looksLikeProse(v) {
		return from, from
	}
	return from, to
}

// isPlaceholder reports whether a value is a parameter of a query, such as $1, whose argument is elsewhere.
func isPlaceholder(v string) bool {
	number, ok := strings.CutPrefix(v, "$")
	return ok && number != "" && strings.Trim(number, digits) == ""
}

// quoteAt returns the quote at the start of a text with the backslashes before it, "" if there is
// none.
func quoteAt(s string) string {
	n := 0
	for n < len(s) && s[n] == '\\' {
		n++
	}
	if n < len(s) && (s[n] == '"' || s[n] == '\'' || s[n] == '`') {
		return s[:n+1]
	}
	return ""
}

// longWord is the length, in bytes, from which on looksLikeProse does not take a value for a word.
const longWord = 16

// looksLikeProse reports whether a value, such as the one after "password:" or "Bearer", may be a word of a message to
// people.
func looksLikeProse(v string) bool {
	if len(v) >= longWord {
		return false
	}
	for i := range len(v) {
		if !inLetter[v[i]] && v[i] != '.' || i > 0 && v[i] >= 'A' && v[i] <= 'Z' {
			return false
		}
	}
	return true
}
