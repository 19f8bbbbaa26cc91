package redact

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// secretKind says how a secret is distinguished from text that equals it by chance. In a URL, a short secret, token
// or common, is masked only if it is the whole value of a query parameter.
type secretKind int

const (
	// long is a secret of at least LongSecret bytes. It is masked wherever it occurs.
	long secretKind = iota
	// token is a short secret of at least minToken bytes, with letters and other characters, such as
	// "s3cr3t". It is masked unless a letter, a digit or an underscore is next to it.
	token
	// common is a short secret that many texts contain by chance: a word, a number, or a secret of
	// less than minToken bytes, such as "admin" or "1234". It is masked only if no letter, digit or
	// underscore is next to it, and one of these holds:
	//   - it is a complete value: the whole text, in quotes, or after "=" in LineText;
	//   - it is not a number, and is between tags, or after "=" in BodyText;
	//   - the name of a secret precedes it;
	//   - some of its characters are escaped, because a service only escapes letters and digits if
	//     it repeats what was sent.
	common
)

// minToken is the minimum length in bytes of a token.
const minToken = 5

func kindOf(secret string) secretKind {
	switch {
	case len(secret) >= LongSecret:
		return long
	case len(secret) < minToken:
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

// matches reports whether the short secret s[from:to] is to be masked, judging by the text around it.
func (k secretKind) matches(s string, from, to int, at TextKind) bool {
	before, after := lastByte(s[:from]), unitAfter(s, to)
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
	case secretName.MatchString(s[max(0, from-maxNameDistance):from]):
		return true
	case isNumber(s[from:to]):
		return false
	}
	return before == '>' && after == '<' || before == '=' || escaped(s[from:to])
}

// maxNameDistance is the maximum number of bytes from the beginning of a secret's name to the secret.
const maxNameDistance = 40

// secretName matches the name of a secret and the punctuation between the name and the secret. Package
// runner/replay/record has a longer list of names: a wrong match there hides a field of a recording,
// while here it only masks a text that equals a secret.
var secretName = regexp.MustCompile(`(?i)(?:pass|passwd|password|passwort|passphrase|passcode|pwd|pin|otp|secret|token|key|` +
	`credentials?|auth|authorization)` +
	`(?:["'\\\x60\])]|&quot;|&#34;|%22|\\u0022)*` + // the end of a quoted name
	`(?:\s*[:=>]\s*|\s+(?:is|was)?\s*|%3[AaDd]|\s*&(?:gt|#62);)` +
	`(?:["'\\\x60\[(<]|&quot;|&#34;|%22|\\u0022)*$`) // the beginning of a quoted value

// lastByte returns the last byte of a text, 0 if the text is empty. If an escape of a single byte ends
// the text, lastByte returns the encoded byte.
func lastByte(s string) byte {
	const longestEscape = 12
	var u units
	for back := min(longestEscape, len(s)); back > 1; back-- {
		from := len(s) - back
		if !escapeStart[s[from]] {
			continue
		}
		u.read(s, from)
		for _, x := range u.all[:u.n] {
			if x.end == len(s) && x.n == 1 {
				return x.char[0]
			}
		}
	}
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}

// unitAfter returns the first byte of the character at s[at], 0 at the end of s. If an escape begins
// at s[at], it returns the first byte of the encoded character.
func unitAfter(s string, at int) byte {
	if at >= len(s) {
		return 0
	}
	var u units
	u.read(s, at)
	return u.all[u.n-1].char[0]
}

func isWord(c byte) bool { return isAlphanumeric(c) || c == '_' || c >= utf8.RuneSelf }

func isNumber(s string) bool { return strings.Trim(s, "0123456789.-+") == "" }

// escaped reports whether a text contains an escape.
func escaped(s string) bool { return strings.ContainsAny(s, `%\&`) }
