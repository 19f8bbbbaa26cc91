package match

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/model/resource"
)

// identities are words in a field's name that say that it identifies something, the clearest
// first.
var identities = []string{"id", "uuid", "guid", "code", "key", "slug", "number", "arn"}

// handles are the identities that have no other meaning.
var handles = []string{"id", "uuid", "guid", "arn"}

// irregular are the plurals that Singular's rules get wrong.
var irregular = map[string]string{
	"ids": "id", "people": "person", "children": "child", "men": "man", "women": "woman",
	"mice": "mouse", "feet": "foot", "teeth": "tooth", "geese": "goose",
	"indices": "index", "indexes": "index", "vertices": "vertex", "matrices": "matrix",
	"movies": "movie", "cookies": "cookie", "shoes": "shoe", "ties": "tie", "pies": "pie",
	"calories": "calorie", "zombies": "zombie", "selfies": "selfie",
	"series": "series", "species": "species", "news": "news", "lens": "lens",
	"analyses": "analysis", "bases": "base", "diagnoses": "diagnosis",
	"shelves": "shelf", "leaves": "leaf", "wolves": "wolf", "knives": "knife",
	"wives": "wife", "lives": "life", "halves": "half", "gases": "gas",
	"criteria": "criterion", "quizzes": "quiz", "caches": "cache", "always": "always",
	"canvas": "canvas", "canvases": "canvas", "atlas": "atlas", "atlases": "atlas",
	"alias": "alias", "aliases": "alias", "bias": "bias", "biases": "bias", "lenses": "lens",
}

// esPlural finds words whose plural takes "es", such as "boxes", "branches",
// "addresses" and "statuses", but not "cases" or "houses".
var esPlural = regexp.MustCompile(`(ss|x|ch|sh|zz|[^aeo]o|[tbrnp]us)es$`)

// Singular returns the singular of an English noun in lower case, or the noun
// itself where it knows none: "categories" gives "category".
func Singular(noun string) string {
	noun = strings.ToLower(noun)
	if s, ok := irregular[noun]; ok {
		return s
	}
	switch {
	case len(noun) < 4 && !strings.HasSuffix(noun, "ss"), hasAnySuffix(noun, "ss", "us", "is"):
		return noun
	case strings.HasSuffix(noun, "ies"):
		return strings.TrimSuffix(noun, "ies") + "y"
	case strings.HasSuffix(noun, "es") && esPlural.MatchString(noun):
		return strings.TrimSuffix(noun, "es")
	}
	return strings.TrimSuffix(noun, "s")
}

func hasAnySuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(x string) bool { return strings.HasSuffix(s, x) })
}

// maxWords is how many words of a name are told apart: what the matcher does
// with each run of them must not take forever for a hostile name. The last word
// is the rest of the name.
const maxWords = 32

// words splits a name where its case changes and at characters other than letters and digits, in
// lower case: "productID" gives "product", "id".
func words(name string) []string {
	if oneWord(name) {
		return []string{name}
	}
	list := allWords(name)
	if len(list) <= maxWords {
		return list
	}
	return append(list[:maxWords-1], strings.Join(list[maxWords-1:], ""))
}

// oneWord reports whether a name is one word in lower case. It may be false for some that are.
func oneWord(name string) bool {
	for _, c := range []byte(name) {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return name != ""
}

func allWords(name string) []string {
	list := make([]string, 0, 4)
	start, before := -1, rune(0)
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			list, start = cut(list, name, start, i), -1
		case start < 0:
			start = i
		case unicode.IsUpper(r) && begins(before, name[i+utf8.RuneLen(r):]):
			list, start = cut(list, name, start, i), i
		}
		before = r
	}
	return cut(list, name, start, len(name))
}

// begins reports whether a capital letter between what is before and after it
// begins a word: the B of "aB" and of "ABc".
func begins(before rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	return !unicode.IsUpper(before) || unicode.IsLower(next)
}

func cut(list []string, name string, from, to int) []string {
	if from < 0 {
		return list
	}
	return append(list, strings.ToLower(name[from:to]))
}

// plain is a name without case and separators, so that "product_id" and
// "productId" are equal.
func plain(name string) string {
	if oneWord(name) {
		return name
	}
	return strings.Join(words(name), "")
}

// EntityName returns what one element of a resource is called, without case and
// separators: "shopping-carts" gives "shoppingcart".
func EntityName(resource string) string {
	parts := words(resource)
	if len(parts) == 0 {
		return ""
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], "") + Singular(parts[last])
}

// things returns what a field named so may point at, in the form of Thing,
// the likeliest first: "mainProductId" gives "mainproduct" and "product",
// "product" itself, and "id" nothing.
func things(field string) []string {
	parts := words(field)
	n := len(parts)
	switch {
	case n == 0 || n == 1 && (parts[0] == "name" || slices.Contains(identities, parts[0])):
		return nil
	case n == 1 && tail(field) == "":
		return []string{Singular(parts[0])}
	case n == 1:
		return []string{Singular(strings.TrimSuffix(parts[0], tail(field)))}
	case !slices.Contains(identities, parts[n-1]):
		return []string{EntityName(field)}
	}
	var list []string
	for i := range n - 1 {
		list = append(list, EntityName(strings.Join(parts[i:n-1], "-")))
	}
	return list
}

// tail returns the word at a name's end that says "which one", or "": "id" for
// "petId" and for "petid".
func tail(name string) string {
	parts := words(name)
	if len(parts) == 0 {
		return ""
	}
	last := parts[len(parts)-1]
	if last == "name" || slices.Contains(identities, last) {
		return last
	}
	if len(parts) > 1 {
		return ""
	}
	for _, w := range []string{"uuid", "guid", "id", "code"} {
		if strings.HasSuffix(last, w) {
			return w
		}
	}
	return ""
}

// makings are path segments that say that something is made, not what.
var makings = []string{"create", "add", "new", "register", "signup", "save", "insert"}

// ResourceName returns what the operation with that path template is about: its
// last segment that is no parameter, such as "items" for "/carts/{id}/items"
// and "users" for "/users/register", or "".
func ResourceName(path string) string {
	making := ""
	for _, s := range slices.Backward(strings.Split(path, "/")) {
		if s == "" || s[0] == '{' {
			continue
		}
		s = resource.Element(s)
		if !slices.Contains(makings, plain(s)) {
			return s
		}
		if making == "" {
			making = s
		}
	}
	return making
}
