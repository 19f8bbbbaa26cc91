package redact

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// kind is how a secret is distinguished from text that equals it by chance.
type kind int

const (
	// long secrets are masked wherever they occur.
	long kind = iota
	// token is a short secret of letters and other characters, such as "s3cr3t": it is masked
	// unless a letter or a digit is next to it.
	token
	// common is a short secret that is a word, a number or very short, such as "admin" or "1234",
	// which many texts contain. It is masked if it is a complete value (the whole text, in quotes,
	// between tags, after "="; a number only in quotes or after a name), if the name of a secret
	// precedes it, or if part of it is escaped, as letters and digits are only escaped by a service
	// that repeats what was sent.
	common
)

// shortToken is the minimum length of a token.
const shortToken = 5

func kindOf(secret string) kind {
	switch {
	case len(secret) >= LongSecret:
		return long
	case len(secret) < shortToken:
		return common
	}
	letters, others := false, false
	for i := range len(secret) {
		if c := secret[i] | ' '; c >= 'a' && c <= 'z' || c >= utf8.RuneSelf {
			letters = true
		} else {
			others = true
		}
	}
	if letters && others {
		return token
	}
	return common
}

// alone reports whether a short secret at a position of a text is to be masked.
func (k kind) alone(s string, from, to int, at TextKind) bool {
	before, after := last(s[:from]), unitAfter(s, to)
	if isWord(before) || isWord(after) {
		return false
	}
	whole := from == 0 && to == len(s)
	quoted := before == after && (before == '"' || before == '\'' || before == '`')
	switch {
	case at == URLText:
		return before == '=' && (after == 0 || after == '&' || after == '#')
	case k == token || whole || quoted:
		return true
	case at == LineText && before == '=':
		return true
	case secretName.MatchString(s[max(0, from-nearby):from]):
		return true
	case isNumber(s[from:to]):
		return false
	}
	return before == '>' && after == '<' || before == '=' || escaped(s[from:to])
}

// nearby is the maximum distance of a secret from its name.
const nearby = 40

// secretName matches the name of a secret with what may be between it and the secret.
var secretName = regexp.MustCompile(`(?i)(?:pass|passwd|password|passwort|passphrase|passcode|pwd|pin|otp|secret|token|key|` +
	`credentials?|auth|authorization)` +
	`(?:["'\\\x60\])]|&quot;|&#34;|%22|\\u0022)*` + // the end of a quoted name
	`(?:\s*[:=>]\s*|\s+(?:is|was)?\s*|%3[AaDd]|\s*&(?:gt|#62);)` +
	`(?:["'\\\x60\[(<]|&quot;|&#34;|%22|\\u0022)*$`) // the beginning of a quoted value

// last returns the last character of a text if it is one byte, otherwise 0. An escape counts as
// the character it encodes.
func last(s string) byte {
	const longestEscape = 12
	var u units
	for back := min(longestEscape, len(s)); back > 1; back-- {
		from := len(s) - back
		if !opener[s[from]] {
			continue
		}
		u.read(s, from)
		for _, x := range u.all[:u.n] {
			if x.end == len(s) && x.n == 1 {
				return x.is[0]
			}
		}
	}
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}

// unitAfter returns the character at a position if it is one byte, 0 at the end.
func unitAfter(s string, at int) byte {
	if at >= len(s) {
		return 0
	}
	var u units
	u.read(s, at)
	return u.all[u.n-1].is[0]
}

func isWord(c byte) bool { return isAlphanumeric(c) || c == '_' || c >= utf8.RuneSelf }

func isNumber(s string) bool { return strings.Trim(s, "0123456789.-+") == "" }

// escaped reports whether a text contains an escape.
func escaped(s string) bool { return strings.ContainsAny(s, `%\&`) }
