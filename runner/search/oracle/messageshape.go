package oracle

import (
	"regexp"
	"strings"

	"sonde/model"
)

// pattern matches a variable part of a message. by is the text that replaces it.
type pattern struct {
	part *regexp.Regexp
	by   string
}

// early are the patterns that are replaced before quoted parts, in this order.
var early = []pattern{
	{regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "<uuid>"},
	{
		regexp.MustCompile(`\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?(Z|UTC|[+-]\d\d:?\d\d))?)?` +
			`|\b\d\d:\d\d:\d\d([.,]\d+)?`),
		"<time>",
	},
	{regexp.MustCompile(`(?i)\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? \d{1,2} [A-Z][a-z]{2} \d{4}( <time>)?( GMT| UTC)?`), "<time>"},
	// PostgreSQL quotes rows in this form: Key (name)=(tent), row contains (1, null).
	{regexp.MustCompile(`=\([^()]*\)`), "=(<text>)"},
	{regexp.MustCompile(`contains \(.*\)`), "contains (<text>)"},
}

// quotes matches a quoted part. An apostrophe inside a word does not begin a quoted part.
var quotes = regexp.MustCompile(`(^|[^\pL\pN])(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|“([^”]*)”|` + "`([^`']*)[`'])")

// coded matches a text that ends in a word such as "column". A quoted part after such a word is a name in the
// service's code or database, and different names are different faults.
var coded = regexp.MustCompile(`(?i)\b(reading|setting|method|attribute|property|column|field|keyerror:|relation|table` +
	`|constraint|index|function|variable|parameter|class|module|type)[ (:]*$`)

// identifier matches a name in code or a database. It must not have digits, because a name with digits is
// probably an id.
var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z_.$]{0,60}$`)

// sources matches paths of source files. The name of the file, in the first group, distinguishes faults.
var sources = regexp.MustCompile(`(?:[A-Za-z]:)?(?:[\\/]|\b[\w.@-]+[\\/])(?:[\w.@~+-]+[\\/])*` +
	`([\w.@+-]+\.(?:go|py|rb|js|mjs|cjs|ts|java|kt|scala|groovy|php|cs|rs|ex|exs|erb))\b`)

// late are the patterns that are replaced after quoted parts, in this order.
var late = []pattern{
	{regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://[^\s"'<>]*`), "<url>"},
	{regexp.MustCompile(`(?:\b[A-Za-z]:|\.{1,2})?(?:[\\/](?:[\w.@~%+:=-]+|<[a-z]+>)){2,}[\\/]?(?:\?[^\s"'<>]*)?`), "<path>"},
	{regexp.MustCompile(`(?i)\b0x[0-9a-f]+|\b[0-9a-f]{16,}\b`), "<hex>"},
	{regexp.MustCompile(`\b[A-Za-z_-]*\d[\w-]*\d[\w-]*[A-Za-z][\w-]*|\b\w*[A-Za-z]\w*\d\w*\d\w*`), "<id>"},
	{regexp.MustCompile(`[-+]?\d+(\.\d+)?([eE][-+]?\d+)?`), "<n>"},
}

// braces matches an object in braces. The contents of the object are not part of the message's shape.
var braces = regexp.MustCompile(`\{[^{}]*\}`)

// maxObjectDepth is how many levels of nested objects in a message are replaced.
const maxObjectDepth = 6

// masked matches all masked parts in a row. These parts become one part, because the length of a list depends
// on the input.
var masked = regexp.MustCompile(
	`<(?:value|text|n|id|hex|uuid|time|object|url|path)>(?:\s*[,;|]?\s*<(?:value|text|n|id|hex|uuid|time|object|url|path)>)*`,
)

// shape replaces the variable parts of a message by "<value>", and the paths of source files by their last
// segments. All kinds of parts get the same text, because an id may look like a number in one message and
// like a word in the next.
func shape(text string, sent *sentValues) string {
	for _, p := range early {
		text = p.part.ReplaceAllString(text, p.by)
	}
	text = unquoted(text, sent)
	for range maxObjectDepth {
		rest := braces.ReplaceAllString(text, "<object>")
		if rest == text {
			break
		}
		text = rest
	}
	text = sources.ReplaceAllString(text, "$1")
	for _, p := range late {
		text = p.part.ReplaceAllString(text, p.by)
	}
	return masked.ReplaceAllString(text, "<value>")
}

// unquoted replaces the quoted parts of a message, except for names in the service's code or database.
func unquoted(text string, sent *sentValues) string {
	var b strings.Builder
	at := 0
	for at < len(text) {
		m := quotes.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		start, end := at+m[3], at+m[1]
		inside := strings.Trim(text[start:end], "\"'`“”")
		b.WriteString(text[at:start])
		switch {
		case identifier.MatchString(inside) && (sent.names(inside) || coded.MatchString(text[:start]) ||
			strings.HasPrefix(text[end:], " object")):
			b.WriteString(inside)
		default:
			b.WriteString("<text>")
		}
		at = end
	}
	b.WriteString(text[at:])
	return b.String()
}

// Limits of the names that are taken from a schema.
const (
	maxNames     = 500
	maxNameDepth = 4
)

// namesOf returns the names of an operation's parameters and of its body's fields.
func namesOf(op *model.Operation) map[string]bool {
	names := map[string]bool{}
	for _, p := range op.Params {
		names[p.Name] = true
	}
	if op.Body != nil {
		for _, c := range op.Body.Contents {
			fieldNames(c.Schema, 0, names)
		}
	}
	return names
}

// fieldNames adds the names of a schema's properties to names.
func fieldNames(s *model.Schema, depth int, names map[string]bool) {
	if s == nil || depth > maxNameDepth || len(names) >= maxNames {
		return
	}
	fieldNames(s.Items, depth+1, names)
	for _, p := range s.Properties {
		names[p.Name] = true
		fieldNames(p.Schema, depth+1, names)
	}
	for _, parts := range [][]*model.Schema{s.AllOf, s.OneOf, s.AnyOf} {
		for _, part := range parts {
			fieldNames(part, depth+1, names)
		}
	}
}
