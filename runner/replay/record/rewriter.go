package record

import (
	"bytes"
	"encoding/json"
	"unsafe"
)

// maxDepth is the maximum depth of nested values, the same as in encoding/json.
const maxDepth = 10_000

// rewriter replaces values of a JSON text and keeps all other bytes as they are.
type rewriter struct {
	in, out []byte
	offset  int // position in the input of the next byte
	copied  int // number of bytes of the input that are in out or were replaced
	depth   int
	text    func(key, v string) string // returns the replacement of a string
	number  func(key, v string) string // returns the replacement of a number
}

// rewriteJSON returns a JSON text whose strings and numbers are replaced by the functions. It
// returns false if the input is not valid JSON. The functions get the member's key, and must not
// keep their arguments. If nothing is replaced, it returns the input itself.
func rewriteJSON(in []byte, text, number func(key, v string) string) ([]byte, bool) {
	r := rewriter{in: in, text: text, number: number}
	if !r.value("") || r.next() != 0 || r.offset < len(in) {
		return nil, false
	}
	if r.out == nil {
		return in, true
	}
	return append(r.out, in[r.copied:]...), true
}

// next skips white space and returns the next byte without reading it, 0 at the end.
func (r *rewriter) next() byte {
	for ; r.offset < len(r.in); r.offset++ {
		if c := r.in[r.offset]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

// value reads a value. key is the key of its member; items of an array have the key of the array.
// Like all methods that read, it returns false if the text is not JSON.
func (r *rewriter) value(key string) bool {
	switch c := r.next(); c {
	case '{':
		return r.elements('}', r.member)
	case '[':
		return r.elements(']', func() bool { return r.value(key) })
	case '"':
		return r.stringValue(key)
	case 't':
		return r.literal("true")
	case 'f':
		return r.literal("false")
	case 'n':
		return r.literal("null")
	}
	return r.numberValue(key)
}

// elements reads an object or an array up to the byte end. readOne reads a member or an item.
func (r *rewriter) elements(end byte, readOne func() bool) bool {
	r.depth++
	if r.depth > maxDepth {
		return false
	}
	defer func() { r.depth-- }()
	r.offset++
	if r.next() == end {
		r.offset++
		return true
	}
	for readOne() {
		c := r.next()
		r.offset++
		if c != ',' {
			return c == end
		}
	}
	return false
}

// member reads a member of an object.
func (r *rewriter) member() bool {
	if r.next() != '"' {
		return false
	}
	key, ok := r.quotedString()
	if !ok || r.next() != ':' {
		return false
	}
	r.offset++
	return r.value(key)
}

// stringValue reads a string and replaces it.
func (r *rewriter) stringValue(key string) bool {
	from := r.offset
	v, ok := r.quotedString()
	if !ok {
		return false
	}
	if now := r.text(key, v); now != v {
		r.replace(from, encodeString(now))
	}
	return true
}

// quotedString reads a string and returns its text. ok is false if the string is malformed.
func (r *rewriter) quotedString() (v string, ok bool) {
	from, escaped := r.offset, false
	for r.offset++; r.offset < len(r.in); r.offset++ {
		switch c := r.in[r.offset]; {
		case c == '"':
			r.offset++
			return unquote(r.in[from:r.offset], escaped)
		case c == '\\':
			escaped = true
			r.offset++
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// unquote returns the text of a quoted string. If it has no escapes, the result shares memory with in. It
// returns false if an escape is invalid.
func unquote(in []byte, escaped bool) (string, bool) {
	if !escaped {
		return unsafe.String(&in[1], len(in)-2), true // the input is not changed
	}
	var v string
	err := json.Unmarshal(in, &v)
	return v, err == nil
}

// encodeString returns a text as a JSON string, without escapes for HTML.
func encodeString(v string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // a string always can be encoded
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// literal reads true, false or null.
func (r *rewriter) literal(w string) bool {
	ok := bytes.HasPrefix(r.in[r.offset:], []byte(w))
	r.offset += len(w)
	return ok
}

// numberValue reads a number and replaces it.
func (r *rewriter) numberValue(key string) bool {
	from := r.offset
	for r.offset < len(r.in) && inNumber[r.in[r.offset]] {
		r.offset++
	}
	if from == r.offset {
		return false
	}
	v := unsafe.String(&r.in[from], r.offset-from)
	if !isNumber(v) {
		return false
	}
	if now := r.number(key, v); now != v {
		r.replace(from, []byte(now))
	}
	return true
}

// isNumber reports whether v, which has only the bytes of numbers, is a JSON number.
func isNumber(v string) bool {
	return v[0] != '0' && wordEnd(v, &inWhole) == len(v) || json.Valid([]byte(v))
}

// replace replaces the input from an offset to the current one.
func (r *rewriter) replace(from int, now []byte) {
	r.out = append(append(r.out, r.in[r.copied:from]...), now...)
	r.copied = r.offset
}
