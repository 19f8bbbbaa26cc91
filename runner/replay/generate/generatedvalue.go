package generate

import (
	"fmt"
	"regexp"
	"strings"
)

// Regular expressions of values that a service generates anew in each run, such as ids, times and tokens.
const (
	uuidForm = `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`
	timeForm = `\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?`
	// mailTimeForm is the form of times in mail and HTTP headers (RFC 5322): Mon, 02 Jan 2006 15:04:05 -0700.
	mailTimeForm = `[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} ([A-Z]{3}|[+-]\d{4})`
	jwtForm      = `eyJ[\w-]+\.[\w-]+\.[\w-]*`
)

var (
	isUUID     = regexp.MustCompile(`^` + uuidForm + `$`)
	isTime     = regexp.MustCompile(`^` + timeForm + `$`)
	isMailTime = regexp.MustCompile(`^` + mailTimeForm + `$`)
	isJWT      = regexp.MustCompile(`^` + jwtForm + `$`)
	isHex      = regexp.MustCompile(`^([0-9a-f]{12,}|[0-9A-F]{12,})$`)
	isULID     = regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	isBlob     = regexp.MustCompile(`^[A-Za-z0-9+/_=-]{16,}$`)
	isDigit    = regexp.MustCompile(`^\d+$`)
)

// looksGenerated reports whether a text has the form of a random id, a hash or a token.
func looksGenerated(text string) bool {
	switch {
	case isUUID.MatchString(text), isJWT.MatchString(text), isULID.MatchString(text):
		return true
	case isHex.MatchString(text):
		return hasDigit.MatchString(text) && hasLetter.MatchString(text)
	}
	return isBlob.MatchString(text) && alternates(text)
}

// alternates reports whether a text changes between small letters, capitals and digits too often to
// be words.
func alternates(text string) bool {
	changes, kind := 0, 0
	for _, r := range text {
		next := 0
		switch {
		case r >= '0' && r <= '9':
			next = 1
		case r >= 'A' && r <= 'Z':
			next = 2
		case r >= 'a' && r <= 'z':
			next = 3
		}
		if next != kind && next != 0 {
			changes++
		}
		kind = next
	}
	return changes*3 >= len(text) && hasDigit.MatchString(text)
}

// generatedPattern returns a regular expression for texts of the same form as a generated text. For a UUID, it
// matches all UUIDs.
func generatedPattern(text string) string {
	switch {
	case isUUID.MatchString(text):
		return uuidForm
	case isTime.MatchString(text):
		return timeForm
	case isMailTime.MatchString(text):
		return mailTimeForm
	case isJWT.MatchString(text):
		return jwtForm
	case isDigit.MatchString(text) && strings.HasPrefix(text, "0"):
		return fmt.Sprintf(`\d{%d}`, len(text))
	case isDigit.MatchString(text):
		return `\d+`
	case isHex.MatchString(text):
		return fmt.Sprintf(`[0-9a-fA-F]{%d}`, len(text))
	case isULID.MatchString(text):
		return `[0-9A-Z]{26}`
	}
	return patternOfParts(text)
}

// piece matches a word, or the characters between two words.
var piece = regexp.MustCompile(`[A-Za-z0-9]+|[^A-Za-z0-9]+`)

// patternOfParts returns a regular expression that keeps words and separators. In place of a number, it allows any
// number. In place of a part that has letters and digits, it allows the same number of letters and digits. In place of
// a whole text that looks random, it allows any text of this length.
func patternOfParts(text string) string {
	if isBlob.MatchString(text) && alternates(text) {
		return fmt.Sprintf(`[A-Za-z0-9+/_=-]{%d}`, len(text))
	}
	all := ""
	for _, p := range piece.FindAllString(text, -1) {
		switch {
		case isDigit.MatchString(p):
			all += generatedPattern(p)
		case hasDigit.MatchString(p):
			all += fmt.Sprintf(`[A-Za-z0-9]{%d}`, len(p))
		default:
			all += regexp.QuoteMeta(p)
		}
	}
	return all
}

// hostPort matches an address of this machine, with or without a port.
var hostPort = regexp.MustCompile(`(127\.0\.0\.1|localhost|\[::1\])(:\d+)?`)
