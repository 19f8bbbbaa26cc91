package gene

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// JSON returns the phenotype as compact JSON. The keys of an object are in the order of its schema. It
// returns nil for an absent Optional.
func JSON(g Gene) []byte {
	if !IsPresent(g) {
		return nil
	}
	return g.AppendJSON(make([]byte, 0, usual))
}

// usual is a capacity that is large enough for most bodies.
const usual = 128

// Text returns a value as it is sent in a path, a query or a header: strings have no quotes, numbers have no
// exponent, and arrays and objects are compact JSON. It returns "" for an absent Optional.
func Text(g Gene) string {
	switch c := core(g).(type) {
	case nil:
		return ""
	case texter:
		return string(c.appendText(nil))
	default:
		return string(c.AppendJSON(nil))
	}
}

// texter is a gene whose text differs from its JSON.
type texter interface {
	Gene
	appendText(dst []byte) []byte
}

// IsPresent reports whether the gene is in the phenotype. Every gene is, except an absent Optional.
func IsPresent(g Gene) bool { return core(g) != nil }

// Field is a named part of an object.
type Field struct {
	Name string
	Gene Gene
}

// PresentFields returns the present fields of an object or a map, in order, and nil for other genes.
func PresentFields(g Gene) []Field {
	switch c := core(g).(type) {
	case *Object:
		return c.fields()
	case *Map:
		return c.fields()
	}
	return nil
}

// Elements returns the elements of an array, and nil for other genes.
func Elements(g Gene) []Gene {
	if c, ok := core(g).(*Array); ok {
		return c.elems
	}
	return nil
}

// IsScalar reports whether the gene is present and neither an object nor an array.
func IsScalar(g Gene) bool {
	switch core(g).(type) {
	case nil, *Object, *Map, *CycleObject, *Array:
		return false
	}
	return true
}

// appendField appends a field of an object, and a comma before it unless it is the first field.
func appendField(dst []byte, f Field) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(appendQuoted(dst, f.Name), ':')
	return f.Gene.AppendJSON(dst)
}

// appendQuotedText appends a text that needs no escapes.
func appendQuotedText(dst []byte, g texter) []byte {
	return append(g.appendText(append(dst, '"')), '"')
}

// appendQuoted appends s as a JSON string.
func appendQuoted(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendEscaped(dst, s)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

func appendEscaped(dst []byte, s string) []byte {
	text, err := compact(s)
	if err != nil {
		text = `""` // impossible: every string can be encoded
	}
	return append(dst, text...)
}

// compact returns a decoded value as compact JSON. It does not escape characters of HTML.
func compact(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}
