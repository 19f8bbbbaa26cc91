package oracle

import (
	"regexp"
	"strings"

	"sonde/model"
)

// A pattern finds a part of a message that differs from time to time, and has
// what replaces it.
type pattern struct {
	part *regexp.Regexp
	by   string
}

// Patterns that are replaced before what is quoted. Those in front win.
var early = []pattern{
	{regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "<uuid>"},
	{
		regexp.MustCompile(`\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?(Z|UTC|[+-]\d\d:?\d\d))?)?|\b\d\d:\d\d:\d\d([.,]\d+)?`),
		"<time>",
	},
	{regexp.MustCompile(`(?i)\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? \d{1,2} [A-Z][a-z]{2} \d{4}( <time>)?( GMT| UTC)?`), "<time>"},
	// What PostgreSQL says of a row: Key (name)=(tent), row contains (1, null).
	{regexp.MustCompile(`=\([^()]*\)`), "=(<text>)"},
	{regexp.MustCompile(`contains \(.*\)`), "contains (<text>)"},
}

// quotes is a quoted part. An apostrophe inside of a word opens none. In front
// of it stands what may say that it is a name of the service's code.
var quotes = regexp.MustCompile(`(^|[^\pL\pN])(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|“([^”]*)”|` + "`([^`']*)[`'])")

// coded are words that stand before the name of a thing of the code or of the
// database. Where they do, two names are two faults.
var coded = regexp.MustCompile(`(?i)\b(reading|setting|method|attribute|property|column|field|keyerror:|relation|table|constraint|index|function|variable|parameter|class|module|type)[ (:]*$`)

// identifier is a name as code and databases have them, without digits, which
// would make it an id.
var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z_.$]{0,60}$`)

// sources are paths of source files, whose names tell one fault from another.
var sources = regexp.MustCompile(`(?:[A-Za-z]:)?(?:[\\/]|\b[\w.@-]+[\\/])(?:[\w.@~+-]+[\\/])*([\w.@+-]+\.(?:go|py|rb|js|mjs|cjs|ts|java|kt|scala|groovy|php|cs|rs|ex|exs|erb))\b`)

// Patterns that are replaced after what is quoted.
var late = []pattern{
	{regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://[^\s"'<>]*`), "<url>"},
	{regexp.MustCompile(`(?:\b[A-Za-z]:|\.{1,2})?(?:[\\/](?:[\w.@~%+:=-]+|<[a-z]+>)){2,}[\\/]?(?:\?[^\s"'<>]*)?`), "<path>"},
	{regexp.MustCompile(`(?i)\b0x[0-9a-f]+|\b[0-9a-f]{16,}\b`), "<hex>"},
	{regexp.MustCompile(`\b[A-Za-z_-]*\d[\w-]*\d[\w-]*[A-Za-z][\w-]*|\b\w*[A-Za-z]\w*\d\w*\d\w*`), "<id>"},
	{regexp.MustCompile(`[-+]?\d+(\.\d+)?([eE][-+]?\d+)?`), "<n>"},
}

// braces is an object, of which only the outside says what is wrong.
var braces = regexp.MustCompile(`\{[^{}]*\}`)

// deepestObject is how deep objects in a message are looked through.
const deepestObject = 6

// masked are masked parts, of which several in a row are one: a list is as long as its
// input.
var masked = regexp.MustCompile(
	`<(?:value|text|n|id|hex|uuid|time|object|url|path)>(?:\s*[,;|]?\s*<(?:value|text|n|id|hex|uuid|time|object|url|path)>)*`,
)

// shape replaces what differs from time to time in a message. All of it becomes <value>:
// an id may look like a number in one message and like a word in the next.
func shape(text string, said *sentValues) string {
	for _, p := range early {
		text = p.part.ReplaceAllString(text, p.by)
	}
	text = unquoted(text, said)
	for range deepestObject {
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

// unquoted replaces what is quoted, but for the names of the service's code.
func unquoted(text string, said *sentValues) string {
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
		case identifier.MatchString(inside) && (said.names(inside) || coded.MatchString(text[:start]) ||
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

// Bounds of the names that are taken from a schema.
const (
	mostNames    = 500
	deepestNames = 4
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

func fieldNames(s *model.Schema, depth int, names map[string]bool) {
	if s == nil || depth > deepestNames || len(names) >= mostNames {
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
