package record

import (
	"net/url"
	"strings"
)

// named masks the values in a text that follow a secret name and "=" or ":", as in a query, a log, a
// settings file, or in JSON whose end is missing.
func (m *masker) named(s string) string {
	if len(s) < len("k=v") {
		return s
	}
	var out strings.Builder
	done := 0
	for i := strings.IndexAny(s, ":="); i >= 0 && i < len(s); {
		from, to := i, i
		if name := nameBefore(s[done:i]); name != "" && m.secret(name) {
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
		return url.QueryEscape(m.hide(v))
	}
	return m.hide(raw)
}

// longestNamed is the maximum length of a name that is recognised.
const longestNamed = 100

// nameBefore returns the name at the end of a text, without quotes and spaces around it.
func nameBefore(s string) string {
	s = strings.TrimRight(s[max(0, len(s)-longestNamed):], " \t\"'`\\]")
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

// The bytes of names, and of the letters in them.
var (
	inName   = bytesOf(digits + letters + "_-.$")
	inLetter = bytesOf(letters)
)

// schemes are words before a credential.
var schemes = []string{"Bearer", "Basic", "Token", "Digest", "ApiKey"}

// endsValue are the bytes that end a value without quotes.
var endsValue = bytesOf(" \t\r\n&;,<>\"'`{}[]()|")

// valueAfter returns the value after the "=" or ":" at a position; it is empty if there is none.
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
	if v := s[from:to]; v == "true" || v == "false" || v == "null" || s[sep] == ':' && prose(v) {
		return from, from
	}
	return from, to
}

// quoteAt returns the quote at the start of a text, with the backslashes before it.
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

// longWord is longer than the words of messages are.
const longWord = 16

// prose reports whether the text after "password:" may be a word of a message.
func prose(v string) bool {
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
