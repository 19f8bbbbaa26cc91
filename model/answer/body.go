// Package answer reads answers: URLs, and bodies in JSON, XML, form encoding and plain text. Bodies of all formats
// are decoded to the same kinds of values, which are addressed by JSON pointers. A search for an id is therefore the
// same for all formats. For URLs, and for bodies that are not JSON, the package makes regular expressions that find a
// value in the text. With these expressions, exported tests need no parser. Which values are ids is decided by
// package match.
package answer

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"sonde/model"
	"sonde/model/pointer"
)

// Limits on the size of what the package reads.
const (
	maxBody  = 4 << 20   // maximum length of a body that is not JSON, in bytes
	maxToken = 256       // maximum length of a plain text that may be an id, in bytes
	maxText  = 256 << 10 // length of the part of a text in which patterns are searched, in bytes
)

// Body is the decoded body of an answer.
type Body struct {
	// Value is the value as encoding/json decodes it with UseNumber. In a form, and in an XML document without a
	// schema, all scalars are strings.
	Value any

	text    string
	json    []byte            // the text of a body in JSON, nil for others
	sources map[string]source // places of the values, by their JSON pointers; nil for a body in JSON
}

// source is the place of a value in the text of a body. Its method pattern returns a regular expression that finds the
// value.
type source interface{ pattern() string }

// Read decodes the body of an answer to op, which may be nil. It reads JSON, XML, form encoding, and plain text that
// consists of one word. It converts XML by the schema that op declares for the answer, if any. Of a JSON text, it reads
// the first value. ok is false if the body is empty, too long, not valid or in another format.
func Read(op *model.Operation, r model.Reply) (b Body, ok bool) {
	if len(r.Body) == 0 {
		return Body{}, false
	}
	media := mediaType(r)
	if media == "text/plain" && !json.Valid(r.Body) {
		if b, ok := readToken(r.Body); ok {
			return b, true
		}
	} else if v, ok := decodeJSON(r.Body); ok {
		return Body{Value: v, json: r.Body}, true
	}
	switch {
	case media == "application/x-www-form-urlencoded" && len(r.Body) <= maxBody:
		return readForm(string(r.Body))
	case bytes.HasPrefix(bytes.TrimLeft(r.Body, "\ufeff \t\r\n"), []byte("<")) && !strings.Contains(media, "html"):
		b, err := readXML(string(r.Body), schemaOf(op, r.Status))
		return b, err == nil
	}
	return Body{}, false
}

// IsXML reports whether a media type is a type of XML documents.
func IsXML(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return strings.HasSuffix(media, "/xml") || strings.HasSuffix(media, "+xml")
}

// mediaType returns the media type of an answer in lower case, without parameters.
func mediaType(r model.Reply) string {
	if types := r.Header["Content-Type"]; len(types) > 0 {
		media, _, _ := strings.Cut(types[0], ";")
		return strings.ToLower(strings.TrimSpace(media))
	}
	return ""
}

// schemaOf returns the schema for a body of XML in an answer with a status. If op declares no XML for the status,
// schemaOf returns the schema of the first declared media type. It returns nil if op is nil or declares no body for the
// status.
func schemaOf(op *model.Operation, status int) *model.Schema {
	if op == nil {
		return nil
	}
	r, _ := op.Response(status)
	if r == nil || len(r.Contents) == 0 {
		return nil
	}
	for _, c := range r.Contents {
		if IsXML(c.Media) {
			return c.Schema
		}
	}
	return r.Contents[0].Schema
}

// decodeJSON decodes the first JSON value of a text. ok is false if the text does not begin with a JSON value.
func decodeJSON(text []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(&v)
	return v, err == nil
}

// At returns the value at place, which is a JSON pointer or model.WholeBody. It returns false if there is no such
// value.
func (b Body) At(place string) (any, bool) {
	if place == model.WholeBody {
		place = ""
	}
	return pointer.Lookup(b.Value, place)
}

// Pattern returns a regular expression that finds the value at a JSON pointer in the text of the body, for use in a
// link. For a body in JSON, pattern is "", because a link finds the value by the JSON pointer itself. ok is false if no
// regular expression finds the value.
func (b Body) Pattern(place string) (pattern string, ok bool) {
	if b.json != nil {
		return "", true
	}
	if place == model.WholeBody {
		place = ""
	}
	from := b.sources[place]
	if from == nil {
		return "", false
	}
	want, _ := b.At(place)
	pattern = from.pattern()
	got, ok := Part(b.text, pattern)
	return pattern, ok && got == scalarText(want)
}

// FirstKey returns the first key of an object in a JSON body, and the pattern that finds this key in the text of the
// body. place is the JSON pointer of the object: "" for the whole body, or the pointer of a member of the body. All
// members of the object must be objects. ok is false if one of these conditions is not met, or if the pattern finds no
// key of the object.
func (b Body) FirstKey(place string) (pattern, key string, ok bool) {
	v, _ := pointer.Lookup(b.Value, place)
	object, isObject := v.(map[string]any)
	if !isObject || len(object) == 0 || b.json == nil || strings.Count(place, "/") > 1 {
		return "", "", false
	}
	for _, member := range object {
		if _, ok := member.(map[string]any); !ok {
			return "", "", false
		}
	}
	pattern = `^\s*\{\s*"([^"\\]+)"\s*:`
	if place != "" {
		pattern = `"` + regexp.QuoteMeta(pointer.LastToken(place)) + `"\s*:\s*\{\s*"([^"\\]+)"\s*:`
	}
	key, ok = Part(string(b.json[:min(len(b.json), maxText)]), pattern)
	return pattern, key, ok && object[key] != nil
}

// scalarText returns a string, a number or a boolean as text. It returns "" for other values.
func scalarText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

// Part returns the first match of the only group of a pattern in the first maxText bytes of a text. It returns false if
// there is no match, if the match is empty or not UTF-8, or if the pattern is invalid or does not have exactly one
// group.
func Part(text, pattern string) (string, bool) {
	p, err := regexp.Compile(pattern)
	if err != nil || p.NumSubexp() != 1 {
		return "", false
	}
	m := p.FindStringSubmatch(text[:min(len(text), maxText)])
	if m == nil || m[1] == "" || !utf8.ValidString(m[1]) {
		return "", false
	}
	return m[1], true
}

// readToken reads a plain text that consists of one word, possibly with white space around it. It returns false for
// other texts, and for a word that is longer than maxToken or has one of the characters <>{}.
func readToken(body []byte) (Body, bool) {
	text := string(body)
	word := strings.TrimSpace(text)
	if word == "" || len(word) > maxToken || strings.ContainsAny(word, " \t\r\n<>{}") || !utf8.ValidString(word) {
		return Body{}, false
	}
	return Body{Value: word, text: text, sources: map[string]source{"": token{}}}, true
}

// token is the place of the value in a plain text that consists of one word.
type token struct{}

func (token) pattern() string { return `(\S+)` }

// readForm reads a body in form encoding. If a name has several values, it takes the first.
func readForm(text string) (Body, bool) {
	fields, err := url.ParseQuery(strings.TrimSpace(text))
	if err != nil {
		return Body{}, false
	}
	object, sources := make(map[string]any, len(fields)), make(map[string]source, len(fields))
	for name, values := range fields {
		object[name] = values[0]
		sources["/"+pointer.Escape(name)] = formField(name)
	}
	return Body{Value: object, text: text, sources: sources}, true
}

// formField is the place of a value in a form: the name of the field.
type formField string

func (f formField) pattern() string {
	return `(?:^|&)` + regexp.QuoteMeta(url.QueryEscape(string(f))) + `=([^&\s]*)`
}
