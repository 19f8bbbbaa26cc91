package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// jsonReader reads nodes from text that json.Valid has accepted, and counts lines. Together with json.Valid it takes
// half as long as reading the tokens with encoding/json.
type jsonReader struct {
	*builder
	data   []byte
	next   int // offset of the next byte
	line   int32
	tokens []string
	seen   map[string]string // names of members by their quoted form, because most names occur many times
}

func (b *builder) json(data []byte) (*node, error) {
	if !json.Valid(data) {
		return nil, brokenJSON(data)
	}
	r := &jsonReader{builder: b, data: data, line: 1, seen: map[string]string{}}
	return r.value()
}

// brokenJSON returns the error for text that is not valid JSON. The error names the line.
func brokenJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	var raw json.RawMessage
	err := d.Decode(&raw)
	end := d.InputOffset()
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		err = errors.New("there is more after the end of the object")
	case errors.As(err, &syntax):
		end = syntax.Offset
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err, end = errors.New("it ends too early"), int64(len(bytes.TrimSpace(data)))
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:end], []byte("\n")), err)
}

func isLimit(err error) bool {
	var limit *limitError
	return errors.As(err, &limit)
}

// skipSpace skips white space. It returns the character after the white space.
func (r *jsonReader) skipSpace() byte {
	for ; ; r.next++ {
		switch c := r.data[r.next]; c {
		case ' ', '\t', '\r':
		case '\n':
			r.line++
		default:
			return c
		}
	}
}

func (r *jsonReader) value() (*node, error) {
	c := r.skipSpace()
	if err := r.countNode(len(r.tokens)); err != nil {
		return nil, err
	}
	n := &node{line: r.line}
	switch c {
	case '{':
		n.kind = isObject
		return n, r.container(n, r.member)
	case '[':
		n.kind = isList
		return n, r.container(n, r.element)
	case '"':
		n.kind, n.text = isText, r.text(r.quoted())
	case 'n':
		r.word()
	case 't', 'f':
		n.kind, n.text = isFlag, string(r.word())
	default:
		n.kind, n.text = isNumber, string(r.word())
	}
	return n, nil
}

// container reads the members of an object or the elements of a list.
func (r *jsonReader) container(n *node, read func(*node) error) error {
	for {
		r.next++ // skip the opening bracket or the comma
		if c := r.skipSpace(); c != '}' && c != ']' {
			if err := read(n); err != nil {
				return err
			}
		}
		if c := r.skipSpace(); c != ',' {
			r.next++
			return nil
		}
	}
}

func (r *jsonReader) element(n *node) error {
	r.tokens = append(r.tokens, "")
	kid, err := r.value()
	r.tokens = r.tokens[:len(r.tokens)-1]
	n.kids = append(n.kids, kid)
	return err
}

func (r *jsonReader) member(n *node) error {
	key, line := r.name(r.quoted()), r.line
	r.skipSpace()
	r.next++ // skip the colon
	r.tokens = append(r.tokens, key)
	kid, err := r.value()
	r.tokens = r.tokens[:len(r.tokens)-1]
	if err != nil {
		return err
	}
	kid.line = line
	r.add(n, key, kid, r.tokens)
	return nil
}

// word reads a number, true, false or null, and returns its text.
func (r *jsonReader) word() []byte {
	start := r.next
	for r.next < len(r.data) && bytes.IndexByte([]byte(" \t\r\n,]}"), r.data[r.next]) < 0 {
		r.next++
	}
	return r.data[start:r.next]
}

// quoted reads a string, and returns its text with the quotes.
func (r *jsonReader) quoted() []byte {
	start := r.next
	for r.next++; r.data[r.next] != '"'; r.next++ {
		if r.data[r.next] == '\\' {
			r.next++
		}
	}
	r.next++
	return r.data[start:r.next]
}

// text returns the value of a quoted string, without quotes and escapes.
func (r *jsonReader) text(quoted []byte) string {
	inside := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return string(inside)
	}
	var s string
	_ = json.Unmarshal(quoted, &s) // json.Valid has accepted the text, so there is no error
	return s
}

// name returns the name of a member without quotes and escapes. It returns the same string for equal names to save
// memory.
func (r *jsonReader) name(quoted []byte) string {
	if known, ok := r.seen[string(quoted)]; ok {
		return known
	}
	name := r.text(quoted)
	r.seen[string(quoted)] = name
	return name
}
