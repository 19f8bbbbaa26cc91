package match

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/model/resource"
)

// idWords are the words in names of fields that mean an identifier, the least ambiguous first.
var idWords = []string{"id", "uuid", "guid", "code", "key", "slug", "number", "arn"}

// strictIDWords are the idWords that have no other meaning.
var strictIDWords = []string{"id", "uuid", "guid", "arn"}

// irregularPlurals has the singulars of nouns for which the rules of Singular are wrong. Some of these nouns only look
// like plurals.
var irregularPlurals = map[string]string{
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

// esPlural matches plurals in "es", such as "boxes", "branches", "addresses" and "statuses". It does not
// match "cases" or "houses", whose plural ends in "s".
var esPlural = regexp.MustCompile(`(ss|x|ch|sh|zz|[^aeo]o|[tbrnp]us)es$`)

// Singular returns the singular of an English noun in lower case: "categories" gives "category". A noun that does not
// look like a plural, or has less than four letters, is only converted to lower case.
func Singular(noun string) string {
	noun = strings.ToLower(noun)
	if s, ok := irregularPlurals[noun]; ok {
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

// maxWords is the maximum number of words into which a name is split. In a longer name, the last word is the rest of
// the name. The limit exists because the matcher tries each sequence of words, which would take long for a hostile
// name.
const maxWords = 32

// words returns the words of a name in lower case. It splits the name where its case changes, and at characters other
// than letters and digits: "productID" gives "product", "id".
func words(name string) []string {
	if isOneWord(name) {
		return []string{name}
	}
	list := allWords(name)
	if len(list) <= maxWords {
		return list
	}
	return append(list[:maxWords-1], strings.Join(list[maxWords-1:], ""))
}

// Nouns returns the words of a name in the singular: "userGroups", "user-groups" and "UserGroup" give "user",
// "group".
func Nouns(name string) []string {
	list := slices.Clone(words(name))
	for i, w := range list {
		list[i] = Singular(w)
	}
	return list
}

// EntityNouns returns the words of a name in the singular, without an id word or "name" at the end: "from", "account"
// for "fromAccountId", and "user" for "user". A single word is kept: "id" for "id".
func EntityNouns(name string) []string {
	nouns := Nouns(name)
	if len(nouns) > 1 && EndsInIDWord(name) {
		nouns = nouns[:len(nouns)-1]
	}
	return nouns
}

// IsAction reports whether a word is one of the verbs that name actions in paths, such as "create" and "search".
func IsAction(word string) bool {
	return slices.Contains(verbWords, word) || slices.Contains(creationWords, word)
}

// isOneWord reports whether a name consists only of the letters a to z. The test is fast, and true for most names of
// one word. For some names of one word, such as those with a digit, it is false.
func isOneWord(name string) bool {
	for _, c := range []byte(name) {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return name != ""
}

// allWords splits a name into any number of words.
func allWords(name string) []string {
	list := make([]string, 0, 4)
	start, before := -1, rune(0)
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			list, start = appendWord(list, name, start, i), -1
		case start < 0:
			start = i
		case unicode.IsUpper(r) && beginsWord(before, name[i+utf8.RuneLen(r):]):
			list, start = appendWord(list, name, start, i), i
		}
		before = r
	}
	return appendWord(list, name, start, len(name))
}

// beginsWord reports whether a capital letter begins a word. before is the character before the letter, and after is
// the text after the letter. For example, B begins a word in "aB" and in "ABc".
func beginsWord(before rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	return !unicode.IsUpper(before) || unicode.IsLower(next)
}

// appendWord appends name[from:to] to list in lower case. If from is negative, it appends nothing.
func appendWord(list []string, name string, from, to int) []string {
	if from < 0 {
		return list
	}
	return append(list, strings.ToLower(name[from:to]))
}

// plainName returns the letters and digits of a name in lower case, so that "product_id" and "productId" are equal.
func plainName(name string) string {
	if isOneWord(name) {
		return name
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// EntityName returns the plain name of one element of a resource: "shopping-carts" gives "shoppingcart". It
// returns "" for a name without letters and digits.
func EntityName(resource string) string {
	parts := words(resource)
	if len(parts) == 0 {
		return ""
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], "") + Singular(parts[last])
}

// entityNames returns the plain names of entities to which a field with this name may refer, the most likely first.
// "mainProductId" gives "mainproduct" and "product", "product" gives "product", and "id" gives nil.
func entityNames(field string) []string {
	parts := words(field)
	n := len(parts)
	switch {
	case n == 0 || n == 1 && (parts[0] == "name" || slices.Contains(idWords, parts[0])):
		return nil
	case n == 1 && idSuffix(field) == "":
		return []string{Singular(parts[0])}
	case n == 1:
		return []string{Singular(strings.TrimSuffix(parts[0], idSuffix(field)))}
	case !slices.Contains(idWords, parts[n-1]):
		return []string{EntityName(field)}
	}
	var list []string
	for i := range n - 1 {
		list = append(list, EntityName(strings.Join(parts[i:n-1], "-")))
	}
	return list
}

// EndsInIDWord reports whether a name ends in an id word or in "name". Examples are "petId", "petid" and "slug".
func EndsInIDWord(name string) bool { return idSuffix(name) != "" }

// idSuffix returns the id word, or "name", at the end of a name: "id" for "petId" and for "petid". It returns "" if
// there is none. In a name of one word that is not itself such a word, it finds only "uuid", "guid", "id" and "code".
func idSuffix(name string) string {
	parts := words(name)
	if len(parts) == 0 {
		return ""
	}
	last := parts[len(parts)-1]
	if last == "name" || slices.Contains(idWords, last) {
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

// creationWords are path segments that name the creation of an element instead of a resource.
var creationWords = []string{"create", "add", "new", "register", "signup", "save", "insert"}

// NamesCreation reports whether a name contains a word for creation, such as "batchCreate".
func NamesCreation(name string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(creationWords, w) })
}

// ResourceName returns the name of the resource of a path template: the last segment that is neither a parameter nor a
// word for creation. It returns "items" for "/carts/{id}/items" and "users" for "/users/register". If all segments
// except parameters are words for creation, it returns the last of them. If there are only parameters, it returns "".
func ResourceName(path string) string {
	creation := ""
	for _, s := range slices.Backward(strings.Split(path, "/")) {
		if s == "" || s[0] == '{' {
			continue
		}
		s = resource.Element(s)
		if !slices.Contains(creationWords, plainName(s)) {
			return s
		}
		if creation == "" {
			creation = s
		}
	}
	return creation
}
