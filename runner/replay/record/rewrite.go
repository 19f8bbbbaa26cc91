package record

import (
	"bytes"
	"encoding/json"
	"unsafe"
)

// maxDepth bounds the nesting of values, as in encoding/json.
const maxDepth = 10_000

// rewriter changes values of a JSON text and leaves all other bytes as they are.
type rewriter struct {
	in, out []byte
	at      int // offset of what is read
	done    int // bytes of in that are in out, or left out
	depth   int
	text    func(key, v string) string
	number  func(key, v string) string
}

// rewriteJSON returns a JSON text whose strings and numbers are replaced by the functions, and
// whether it is valid JSON; if not, the text must not be used. The functions must not keep their
// arguments. If nothing changes, it returns the same slice.
func rewriteJSON(in []byte, text, number func(key, v string) string) ([]byte, bool) {
	r := rewriter{in: in, text: text, number: number}
	if !r.value("") || r.next() != 0 || r.at < len(in) {
		return nil, false
	}
	if r.out == nil {
		return in, true
	}
	return append(r.out, in[r.done:]...), true
}

// next returns the next byte that is not white space, 0 at the end.
func (r *rewriter) next() byte {
	for ; r.at < len(r.in); r.at++ {
		if c := r.in[r.at]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

// value reads the value of a key; those in an array have the key of the array. Like all methods
// that read, it reports whether the text is JSON.
func (r *rewriter) value(key string) bool {
	switch c := r.next(); c {
	case '{':
		return r.all('}', r.member)
	case '[':
		return r.all(']', func() bool { return r.value(key) })
	case '"':
		return r.string(key)
	case 't':
		return r.word("true")
	case 'f':
		return r.word("false")
	case 'n':
		return r.word("null")
	}
	return r.digits(key)
}

// all reads an object or an array.
func (r *rewriter) all(end byte, one func() bool) bool {
	r.depth++
	if r.depth > maxDepth {
		return false
	}
	defer func() { r.depth-- }()
	r.at++
	if r.next() == end {
		r.at++
		return true
	}
	for one() {
		c := r.next()
		r.at++
		if c != ',' {
			return c == end
		}
	}
	return false
}

func (r *rewriter) member() bool {
	if r.next() != '"' {
		return false
	}
	key, ok := r.quoted()
	if !ok || r.next() != ':' {
		return false
	}
	r.at++
	return r.value(key)
}

func (r *rewriter) string(key string) bool {
	from := r.at
	v, ok := r.quoted()
	if !ok {
		return false
	}
	if now := r.text(key, v); now != v {
		r.put(from, encoded(now))
	}
	return true
}

// quoted reads a string.
func (r *rewriter) quoted() (v string, ok bool) {
	from, escaped := r.at, false
	for r.at++; r.at < len(r.in); r.at++ {
		switch c := r.in[r.at]; {
		case c == '"':
			r.at++
			return unquoted(r.in[from:r.at], escaped)
		case c == '\\':
			escaped = true
			r.at++
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

func unquoted(in []byte, escaped bool) (string, bool) {
	if !escaped {
		return unsafe.String(&in[1], len(in)-2), true // the input is not changed
	}
	var v string
	err := json.Unmarshal(in, &v)
	return v, err == nil
}

func encoded(v string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // a string always can be encoded
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func (r *rewriter) word(w string) bool {
	ok := bytes.HasPrefix(r.in[r.at:], []byte(w))
	r.at += len(w)
	return ok
}

func (r *rewriter) digits(key string) bool {
	from := r.at
	for r.at < len(r.in) && inNumber[r.in[r.at]] {
		r.at++
	}
	if from == r.at {
		return false
	}
	v := unsafe.String(&r.in[from], r.at-from)
	if !isNumber(v) {
		return false
	}
	if now := r.number(key, v); now != v {
		r.put(from, []byte(now))
	}
	return true
}

// isNumber reports whether bytes of numbers form one.
func isNumber(v string) bool {
	return v[0] != '0' && wordEnd(v, &inWhole) == len(v) || json.Valid([]byte(v))
}

// put replaces what was read last.
func (r *rewriter) put(from int, now []byte) {
	r.out = append(append(r.out, r.in[r.done:from]...), now...)
	r.done = r.at
}
