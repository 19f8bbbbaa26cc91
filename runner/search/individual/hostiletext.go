package individual

import (
	"slices"
	"strings"

	"sonde/model"
)

// longText is the length of the long hostile text.
const longText = 10_000

// hostileTexts are texts that services often fail to handle, although many schemas allow them, such as control
// characters, characters with a meaning in SQL, HTML or templates, characters that look like others or change the
// direction of writing, and a long text. They are valid UTF-8 and have no surrogates, so that tests can be stored as
// JSON.
var hostileTexts = []string{
	"a\x00b",
	"a\r\nX-Injected: 1",
	"'\"`",
	"../../../../etc/passwd",
	"%2e%2e%2f%00",
	"{{7*7}}${7*7}<%= 7*7 %>",
	"1' OR '1'='1' --",
	"; sleep 0 | id && echo",
	"<script>alert(1)</script>",
	"e\u0301\u202e\u200b\U0001f600",
	strings.Repeat("x", longText),
	" ",
	"-1",
	"9223372036854775808",
}

// invalidUTF8 is an escaped text whose bytes are not UTF-8, for paths and queries.
const invalidUTF8 = "%ff%fe"

// hostileIn returns the hostile texts that can be sent at a location.
func hostileIn(in model.Location) (all []string) {
	for _, text := range hostileTexts {
		if isSendable(in, text) {
			all = append(all, text)
		}
	}
	return all
}

// oddNames returns the hostile texts that are used as names of files. It leaves out two texts: the path of a file
// that a service must not overwrite, and the long text.
func oddNames() []string {
	return slices.DeleteFunc(slices.Clone(hostileTexts), func(text string) bool {
		return strings.Contains(text, "../") || len(text) == longText
	})
}

// isSendable reports whether a text can be sent at a location. Headers and cookies can have only printable ASCII, and
// lose the spaces at the ends of a value. In a path, a text must not be empty: a path with an empty segment is the
// path of another operation.
func isSendable(in model.Location, text string) bool {
	switch in {
	case model.InPath:
		return text != ""
	case model.InHeader, model.InCookie:
		isOther := func(r rune) bool { return r < ' ' || r > '~' }
		return !strings.ContainsFunc(text, isOther) && strings.TrimSpace(text) == text
	}
	return true
}

// isText reports whether a schema allows texts, and has no enumeration and no constant.
func isText(s *model.Schema) bool {
	if s == nil || len(s.Enum) > 0 || s.Const != nil {
		return false
	}
	return s.Type == "string" || s.Type == "" && s.Items == nil && len(s.Properties) == 0
}
