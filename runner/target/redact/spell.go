package redact

import (
	"html"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unit is the character that a part of a text encodes: a byte, or a character in UTF-8.
type unit struct {
	is  [utf8.UTFMax]byte
	n   int // number of its bytes
	end int // of the part of the text

	read bool // the escapes that it begins were read
}

func byteUnit(c byte, end int) unit { return unit{is: [utf8.UTFMax]byte{c}, n: 1, end: end} }

func runeUnit(r rune, end int) unit {
	u := unit{end: end}
	u.n = utf8.EncodeRune(u.is[:], r)
	return u
}

// begins reports whether a text begins with the unit.
func (u *unit) begins(s string) bool {
	return len(s) >= u.n && s[0] == u.is[0] && (u.n == 1 || s[:u.n] == string(u.is[:u.n]))
}

// opener are the bytes with which an escape begins.
var opener = [256]bool{'%': true, '\\': true, '&': true}

// Limits of what is read as one character.
const (
	deepest = 3 // how often it may be escaped, as for JSON, then HTML, then a URL
	maxOver = 8 // backslashes in a row, a power of two
	maxWays = 10
)

// units are all characters that a position of a text may encode.
type units struct {
	all   [maxWays]unit
	n     int
	inner bool // within an escape
}

func (u *units) add(x unit) {
	if u.n < maxWays {
		u.all[u.n] = x
		u.n++
	}
}

// read fills in the characters at a position within the text: the plain byte first, and the one
// that is escaped most often last.
func (u *units) read(s string, i int) {
	c := s[i]
	u.n = 0
	u.add(byteUnit(c, i+1))
	if c == '+' {
		u.add(byteUnit(' ', i+1))
	}
	from := 0
	for range deepest {
		to := u.n
		for ; from < to; from++ {
			if x := &u.all[from]; x.n == 1 && opener[x.is[0]] && !x.read {
				u.escapes(s, x.is[0], x.end)
			}
		}
	}
}

// escapes adds the characters of an escape whose opener ended at a position.
func (u *units) escapes(s string, open byte, at int) {
	switch open {
	case '%':
		u.percent(s, at)
	case '\\':
		u.backslash(s, at)
	default:
		u.entity(s, at)
	}
}

func (u *units) percent(s string, at int) {
	c, ok := hexByte(s, at)
	if !ok {
		return
	}
	u.add(byteUnit(c, at+2))
	if c == '+' { // an encoded space
		u.add(byteUnit(' ', at+2))
	}
}

func hexByte(s string, at int) (byte, bool) {
	if at+2 > len(s) {
		return 0, false
	}
	high, low := digit(s[at]), digit(s[at+1])
	return byte(high<<4 | low), high < 16 && low < 16
}

// digit returns the value of a hexadecimal digit, a large one if c is not a digit.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return 1 << 10
}

// number reads up to most digits of a base.
func number(s string, at, base, most int) (v rune, end int) {
	for end = at; end < len(s) && end-at < most; end++ {
		d := digit(s[end])
		if d >= base {
			break
		}
		v = v*rune(base) + rune(d)
		if v > utf8.MaxRune {
			v = utf8.MaxRune + 1
		}
	}
	return v, end
}

// controls are the letters that encode control characters after a backslash.
var controls = [256]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', 'v': '\v', 'a': '\a', 'e': '\x1b'}

// backslash reads an escape of JSON and most programming languages. In a text that was escaped
// again, there are more backslashes, which may themselves be escaped in another way.
func (u *units) backslash(s string, at int) {
	if u.inner {
		return
	}
	over := 1
	for ; over < maxOver && at < len(s); over++ {
		end := escapedBackslash(s, at)
		if end == 0 {
			break
		}
		at = end
		if over&(over+1) == 0 { // 2, 4 or 8 of them with the first
			u.add(unit{is: [utf8.UTFMax]byte{'\\'}, n: 1, end: at, read: true})
		}
	}
	if at >= len(s) || over == maxOver {
		return
	}
	u.punctuation(s, at)
	u.letter(s, at)
}

// escapedBackslash returns the end of a backslash, plain or escaped, 0 if there is none.
func escapedBackslash(s string, at int) int {
	switch s[at] {
	case '\\':
		return at + 1
	case '%', '&':
		u := units{inner: true}
		u.read(s, at)
		for _, x := range u.all[:u.n] {
			if x.n == 1 && x.is[0] == '\\' {
				return x.end
			}
		}
	}
	return 0
}

// punctuation reads a punctuation mark after backslashes, which may be escaped.
func (u *units) punctuation(s string, at int) {
	c := s[at]
	if c == '%' || c == '&' {
		inner := units{inner: true}
		inner.read(s, at)
		for _, x := range inner.all[:inner.n] {
			if x.n == 1 && x.is[0] > ' ' && !isWord(x.is[0]) {
				u.add(x)
			}
		}
	} else if c > ' ' && !isWord(c) {
		u.add(byteUnit(c, at+1))
	}
}

// letter reads a letter or a digit after backslashes.
func (u *units) letter(s string, at int) {
	switch c := s[at]; {
	case c == 'u' || c == 'U':
		u.unicode(s, at)
	case c == 'x':
		if v, ok := hexByte(s, at+1); ok {
			u.add(byteUnit(v, at+3))
		}
	case c >= '0' && c <= '7':
		if v, end := number(s, at, 8, 3); v < 256 {
			u.add(byteUnit(byte(v), end))
		}
	case controls[c] != 0:
		u.add(byteUnit(controls[c], at+1))
	}
}

// unicode reads \u0041, \u{41}, \U00000041 and pairs of surrogates.
func (u *units) unicode(s string, at int) {
	digits := s[at+1:]
	switch {
	case s[at] == 'U':
		if v, end := number(digits, 0, 16, 8); end == 8 && v <= utf8.MaxRune {
			u.add(runeUnit(v, at+1+end))
		}
	case strings.HasPrefix(digits, "{"):
		if v, end := number(digits, 1, 16, 6); end > 1 && end < len(digits) && digits[end] == '}' && v <= utf8.MaxRune {
			u.add(runeUnit(v, at+end+2))
		}
	default:
		v, end := number(digits, 0, 16, 4)
		if end < 4 {
			return
		}
		if utf16.IsSurrogate(v) {
			rest := strings.TrimLeft(digits[4:min(len(digits), 4+maxOver+1)], `\`)
			skipped := min(len(digits), 4+maxOver+1) - len(rest)
			if skipped == 4 || skipped >= len(digits) || digits[skipped] != 'u' {
				return
			}
			low, last := number(digits, skipped+1, 16, 4)
			if last != skipped+5 {
				return
			}
			v, end = utf16.DecodeRune(v, low), last
		}
		u.add(runeUnit(v, at+1+end))
	}
}

// longestName is longer than any name of a character in HTML.
const longestName = 33

// entity reads a character of HTML after its &.
func (u *units) entity(s string, at int) {
	if at >= len(s) {
		return
	}
	if end := after(s, at, '#'); end > 0 {
		base, least := 10, end
		if least < len(s) && s[least]|' ' == 'x' {
			base, least = 16, least+1
		}
		v, end := number(s, least, base, 10)
		if end == least || v > utf8.MaxRune {
			return
		}
		if semicolon := after(s, end, ';'); semicolon > 0 {
			end = semicolon
		}
		u.add(runeUnit(v, end))
		return
	}
	end := at
	for end < len(s) && end-at < longestName && isAlphanumeric(s[end]) {
		end++
	}
	if semicolon := after(s, end, ';'); semicolon > 0 && end > at {
		if is := named(s[at:end]); is != "" {
			x := unit{n: len(is), end: semicolon}
			copy(x.is[:], is)
			u.add(x)
		}
	}
}

// after returns the end of a character at a position, plain or escaped, otherwise 0.
func after(s string, at int, c byte) int {
	if at >= len(s) {
		return 0
	}
	if s[at] == c {
		return at + 1
	}
	if s[at] == '%' {
		for strings.HasPrefix(s[at+1:], "25") {
			at += 2
		}
		if v, ok := hexByte(s, at+1); ok && v == c {
			return at + 3
		}
	}
	return 0
}

// named returns the character of HTML with a name, "" if there is none.
func named(name string) string {
	switch name {
	case "quot":
		return `"`
	case "amp":
		return "&"
	case "lt":
		return "<"
	case "gt":
		return ">"
	case "apos":
		return "'"
	}
	text := "&" + name + ";"
	if is := html.UnescapeString(text); is != text && len(is) <= utf8.UTFMax {
		return is
	}
	return ""
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// walker compares a text with a pattern, of which each character may be escaped.
type walker struct {
	text    string
	pattern *pattern
	steps   int
	reached int // the furthest index of a mismatch in the pattern
}

// maxSteps bounds the comparisons at one position, whatever the text contains.
const maxSteps = 1024

// walk reports whether the pattern from the byte have on is at a position of the text, and where it
// ends.
func (w *walker) walk(have, at int) (end int, ok bool) {
	want := w.pattern.text
	for have < len(want) {
		w.reached = max(w.reached, have)
		if at >= len(w.text) {
			return 0, false
		}
		c := w.text[at]
		switch {
		case opener[c] || c == '+' && want[have] == ' ':
			return w.branch(have, at)
		case c == want[have]:
			have, at = have+1, at+1
		case w.pattern.wrapped && have > 0 && (c == '\n' || c == '\r'):
			at++
		default:
			return 0, false
		}
	}
	return at, true
}

// branch continues with each character that may be at a position.
func (w *walker) branch(have, at int) (end int, ok bool) {
	var u units
	u.read(w.text, at)
	for i := u.n - 1; i >= 0; i-- {
		w.steps++
		if w.steps > maxSteps {
			return 0, false
		}
		x, next := &u.all[i], have
		switch {
		case x.begins(w.pattern.text[have:]):
			next += x.n
		case w.pattern.wrapped && have > 0 && x.n == 1 && (x.is[0] == '\n' || x.is[0] == '\r'):
		default:
			continue
		}
		end, ok = w.walk(next, x.end)
		if ok {
			return end, true
		}
	}
	return 0, false
}
