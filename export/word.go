package export

import (
	"slices"
	"strings"
	"unicode"
)

// words splits a name such as "orderItems", "order-items" or "HTTPServer" into
// words in lower case. What may not stand in a Go name is left out.
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
		if len(word) > 0 && bound(runes, i) {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return all
}

// bound tells whether a word begins at i: before the B of "aB" and of "ABc".
func bound(runes []rune, i int) bool {
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

// uncountable are words that end like a plural, and are none.
var uncountable = []string{"news", "series", "species", "always", "canvas", "gas", "lens", "atlas", "alias", "bias"}

var irregular = map[string]string{
	"people": "person", "children": "child", "men": "man", "women": "woman",
	"mice": "mouse", "feet": "foot", "teeth": "tooth", "indices": "index", "vertices": "vertex",
	"matrices": "matrix", "criteria": "criterion", "movies": "movie", "cookies": "cookie",
	"aliases": "alias", "analyses": "analysis", "caches": "cache", "houses": "house", "databases": "database",
}

// singular returns one of what an English word in the plural names.
func singular(word string) string {
	if one, ok := irregular[word]; ok {
		return one
	}
	stem, plural := strings.CutSuffix(word, "s")
	if !plural || len(stem) < 2 || slices.Contains(uncountable, word) {
		return word
	}
	switch {
	case hasEnd(stem, "s", "u", "i"): // address, status, analysis
		return word
	case strings.HasSuffix(stem, "ie"):
		return strings.TrimSuffix(stem, "ie") + "y"
	case hasEnd(stem, "sse", "she", "che", "xe", "zze", "tuse", "buse"):
		return strings.TrimSuffix(stem, "e")
	}
	return stem
}

// plural returns many of what an English word names.
func plural(word string) string {
	for many, one := range irregular {
		if one == word {
			return many
		}
	}
	switch {
	case slices.Contains(uncountable, word) || singular(word) != word:
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
