package export

import (
	"slices"
	"strings"
	"unicode"

	"sonde/model/match"
)

// words splits a name such as "orderItems", "order-items" or "HTTPServer" into lower-case words. It drops all
// characters except letters and digits.
func words(name string) []string {
	var all []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			all = append(all, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush()
			continue
		}
		if len(word) > 0 && beginsWord(runes, i) {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return all
}

// beginsWord reports whether a word begins at index i, such as the B in "aB" and in "ABc".
func beginsWord(runes []rune, i int) bool {
	if !unicode.IsUpper(runes[i]) {
		return false
	}
	return !unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])
}

var initialisms = []string{"api", "html", "http", "id", "ip", "json", "sku", "sql", "ui", "uri", "url", "uuid", "xml"}

// pascal joins words such as [order id] to "OrderID".
func pascal(words []string) string {
	var name strings.Builder
	for _, w := range words {
		name.WriteString(capital(w))
	}
	return name.String()
}

// camel joins words such as [order id] to "orderID".
func camel(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0] + pascal(words[1:])
}

func capital(word string) string {
	if slices.Contains(initialisms, word) {
		return strings.ToUpper(word)
	}
	runes := []rune(word)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

// irregular has the plurals that do not follow the rules of plural.
var irregular = map[string]string{
	"person": "people", "child": "children", "man": "men", "woman": "women",
	"mouse": "mice", "foot": "feet", "tooth": "teeth", "index": "indices", "vertex": "vertices",
	"matrix": "matrices", "criterion": "criteria", "analysis": "analyses",
	"shelf": "shelves", "hero": "heroes", "quiz": "quizzes",
	"news": "news", "series": "series", "species": "species", "always": "always",
}

// singular returns the singular of an English word. It uses the rules that match fields with resources.
func singular(word string) string { return match.Singular(word) }

// plural returns the plural of an English word. It returns a plural unchanged.
func plural(word string) string {
	if many, ok := irregular[word]; ok {
		return many
	}
	switch {
	case singular(word) != word:
		return word
	case strings.HasSuffix(word, "y") && !hasEnd(word, "ay", "ey", "oy", "uy"):
		return strings.TrimSuffix(word, "y") + "ies"
	case hasEnd(word, "s", "sh", "ch", "x", "z"):
		return word + "es"
	}
	return word + "s"
}

func hasEnd(word string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(word, end) })
}
