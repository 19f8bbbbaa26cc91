package record

import (
	"bytes"
	"encoding/json"
	"unsafe"
)

// mostDeep is how deep values may stand in each other, as in encoding/json.
const mostDeep = 10_000

// rewriter changes values of a JSON text and leaves all else as it is, byte by byte.
type rewriter struct {
	in, out []byte
	at      int // what is read so far
	done    int // bytes of in that are in out, or left out
	depth   int
	text    func(key, v string) string
	number  func(key, v string) string
}

// rewriteJSON returns a JSON text with texts and numbers as the functions have them,
// which may keep neither names nor values, and whether it is JSON: of what is not, nobody
// may use what is returned. Where nothing changes it is the same slice.
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

// next is the byte behind what is read and blanks, 0 at the end.
func (r *rewriter) next() byte {
	for ; r.at < len(r.in); r.at++ {
		if c := r.in[r.at]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

// value reads the value of a key; those in an array have the array's. As all that
// reads, it reports whether that is JSON.
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

// all reads an object or an array, of which it stands before the beginning.
func (r *rewriter) all(end byte, one func() bool) bool {
	r.depth++
	if r.depth > mostDeep {
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

// quoted reads a text.
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
		return unsafe.String(&in[1], len(in)-2), true // nobody writes to what is read
	}
	var v string
	err := json.Unmarshal(in, &v)
	return v, err == nil
}

func encoded(v string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // a text always can be
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

// isNumber reports whether what has the bytes of a number is one.
func isNumber(v string) bool {
	return v[0] != '0' && wordEnd(v, &inWhole) == len(v) || json.Valid([]byte(v))
}

// put puts something in the place of what was read last.
func (r *rewriter) put(from int, now []byte) {
	r.out = append(append(r.out, r.in[r.done:from]...), now...)
	r.done = r.at
}
