package redact

import (
	"html"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unit is one way to read a part of a text: as a byte or as a UTF-8 character. The part is the character
// itself, or an escape that encodes it.
type unit struct {
	char [utf8.UTFMax]byte
	n    int  // bytes of char
	end  int  // where the part of the text ends
	read bool // char is a backslash, and units.backslash has already read the escape that it begins
}

func byteUnit(c byte, end int) unit { return unit{char: [utf8.UTFMax]byte{c}, n: 1, end: end} }

func runeUnit(r rune, end int) unit {
	u := unit{end: end}
	u.n = utf8.EncodeRune(u.char[:], r)
	return u
}

// begins reports whether a text begins with the unit's character.
func (u *unit) begins(s string) bool {
	return len(s) >= u.n && s[0] == u.char[0] && (u.n == 1 || s[:u.n] == string(u.char[:u.n]))
}

// escapeStart has the bytes with which an escape begins.
var escapeStart = [256]bool{'%': true, '\\': true, '&': true}

// Limits of the reading of one character.
const (
	maxDepth       = 3  // how often the character may be escaped, such as for JSON, then HTML, then a URL
	maxBackslashes = 8  // backslashes in a row; a power of two
	maxReadings    = 10 // units at one position
)

// units are all readings of the character at one position of a text. For example, "%26amp;" is a
// percent sign, an escaped "&", or a twice escaped "&".
type units struct {
	all   [maxReadings]unit
	n     int
	inner bool // the position is within another escape
}

func (u *units) add(x unit) {
	if u.n < maxReadings {
		u.all[u.n] = x
		u.n++
	}
}

// read sets u to the readings at s[i]. The first is the plain byte, the last is the reading with the
// most levels of escapes.
func (u *units) read(s string, i int) {
	c := s[i]
	u.n = 0
	u.add(byteUnit(c, i+1))
	if c == '+' {
		u.add(byteUnit(' ', i+1))
	}
	from := 0
	for range maxDepth {
		to := u.n
		for ; from < to; from++ {
			if x := &u.all[from]; x.n == 1 && escapeStart[x.char[0]] && !x.read {
				u.escapes(s, x.char[0], x.end)
			}
		}
	}
}

// escapes adds the readings of an escape that begins with open. at is the position after open.
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

// percent reads an escape of a URL after its percent sign.
func (u *units) percent(s string, at int) {
	c, ok := hexByte(s, at)
	if !ok {
		return
	}
	u.add(byteUnit(c, at+2))
	if c == '+' { // a space that was encoded twice
		u.add(byteUnit(' ', at+2))
	}
}

// hexByte returns the byte that two hexadecimal digits encode, and false if there are no such digits.
func hexByte(s string, at int) (byte, bool) {
	if at+2 > len(s) {
		return 0, false
	}
	high, low := digit(s[at]), digit(s[at+1])
	return byte(high<<4 | low), high < 16 && low < 16
}

// digit returns the value of a hexadecimal digit, or a number above 15 if c is not a digit.
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

// number reads the number at s[at] in a base. It reads no more digits than most. end is the position
// after the number; it equals at if there is no digit. A number above utf8.MaxRune is returned as utf8.MaxRune+1.
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

// controlEscapes maps the letter after a backslash to the control character that the escape encodes.
var controlEscapes = [256]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', 'v': '\v', 'a': '\a', 'e': '\x1b'}

// backslash reads an escape of JSON or a programming language after its backslash. A text that was
// escaped several times has several backslashes, and they may themselves be escaped for a URL or HTML.
func (u *units) backslash(s string, at int) {
	if u.inner {
		return
	}
	over := 1
	for ; over < maxBackslashes && at < len(s); over++ {
		end := escapedBackslash(s, at)
		if end == 0 {
			break
		}
		at = end
		if over&(over+1) == 0 { // including the first, there are 2, 4 or 8 backslashes, which encode one
			u.add(unit{char: [utf8.UTFMax]byte{'\\'}, n: 1, end: at, read: true})
		}
	}
	if at >= len(s) || over == maxBackslashes {
		return
	}
	u.punctuation(s, at)
	u.letter(s, at)
}

// escapedBackslash returns the end of the backslash at s[at], which may be escaped for a URL or HTML.
// It returns 0 if there is no backslash.
func escapedBackslash(s string, at int) int {
	switch s[at] {
	case '\\':
		return at + 1
	case '%', '&':
		u := units{inner: true}
		u.read(s, at)
		for _, x := range u.all[:u.n] {
			if x.n == 1 && x.char[0] == '\\' {
				return x.end
			}
		}
	}
	return 0
}

// punctuation reads a punctuation mark after backslashes. The mark may be escaped for a URL or HTML.
func (u *units) punctuation(s string, at int) {
	c := s[at]
	if c == '%' || c == '&' {
		inner := units{inner: true}
		inner.read(s, at)
		for _, x := range inner.all[:inner.n] {
			if x.n == 1 && x.char[0] > ' ' && !isWord(x.char[0]) {
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
	case controlEscapes[c] != 0:
		u.add(byteUnit(controlEscapes[c], at+1))
	}
}

// unicode reads the escapes \u0041, \u{41}, \U00000041 and pairs of surrogates such as \ud83d\ude00. at
// is the position of the letter u or U.
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
			rest := strings.TrimLeft(digits[4:min(len(digits), 4+maxBackslashes+1)], `\`)
			skipped := min(len(digits), 4+maxBackslashes+1) - len(rest)
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

// longestName is the maximum length in bytes of an entity's name that is read. No name in HTML is
// longer.
const longestName = 33

// entity reads an entity of HTML, such as &amp; or &#38; or &#x26;, after its ampersand.
func (u *units) entity(s string, at int) {
	if at >= len(s) {
		return
	}
	if end := charEnd(s, at, '#'); end > 0 {
		base, least := 10, end
		if least < len(s) && s[least]|' ' == 'x' {
			base, least = 16, least+1
		}
		v, end := number(s, least, base, 10)
		if end == least || v > utf8.MaxRune {
			return
		}
		if semicolon := charEnd(s, end, ';'); semicolon > 0 {
			end = semicolon
		}
		u.add(runeUnit(v, end))
		return
	}
	end := at
	for end < len(s) && end-at < longestName && isAlphanumeric(s[end]) {
		end++
	}
	if semicolon := charEnd(s, end, ';'); semicolon > 0 && end > at {
		if is := namedEntity(s[at:end]); is != "" {
			x := unit{n: len(is), end: semicolon}
			copy(x.char[:], is)
			u.add(x)
		}
	}
}

// charEnd returns the end of the character c at s[at], which may be escaped for a URL, once or several
// times. It returns 0 if s[at] is not c.
func charEnd(s string, at int, c byte) int {
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

// namedEntity returns the text of an HTML entity, such as "&" for "amp". It returns "" if there is no
// such entity, or if the text has more than utf8.UTFMax bytes.
func namedEntity(name string) string {
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
