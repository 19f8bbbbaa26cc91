package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// jsonReader turns the token stream of encoding/json into nodes. It needs no
// recursion of the library, so depth is bounded here alone.
type jsonReader struct {
	*builder
	data []byte
	dec  *json.Decoder
	line int
	seen int // offset up to which line counts
	way  []string
}

func (b *builder) json(data []byte) (*node, error) {
	r := &jsonReader{builder: b, data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	r.dec.UseNumber()
	root, err := r.value()
	if err == nil {
		_, err = r.dec.Token()
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err == nil {
			err = errors.New("more stands after the end of the object")
		}
	}
	if isLimit(err) || b.ctx.Err() != nil {
		return nil, err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it ends too early")
	}
	return nil, fmt.Errorf("line %d: %w", r.errorLine(err), err)
}

func isLimit(err error) bool {
	var limit *limitError
	return errors.As(err, &limit)
}

// errorLine returns the line of a syntax error, which may lie behind the last
// good token.
func (r *jsonReader) errorLine(err error) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && int(syntax.Offset) > r.seen && int(syntax.Offset) <= len(r.data) {
		return r.line + bytes.Count(r.data[r.seen:syntax.Offset], []byte("\n"))
	}
	return r.line
}

// token reads one token and moves the line along.
func (r *jsonReader) token() (json.Token, error) {
	t, err := r.dec.Token()
	end := int(r.dec.InputOffset())
	if err == nil && end > r.seen {
		r.line += bytes.Count(r.data[r.seen:end], []byte("\n"))
		r.seen = end
	}
	return t, err
}

func (r *jsonReader) value() (*node, error) {
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	if err := r.spend(len(r.way)); err != nil {
		return nil, err
	}
	n := &node{line: r.line}
	switch t := t.(type) {
	case json.Delim:
		return n, r.container(n, t)
	case string:
		n.kind, n.text = isText, t
	case json.Number:
		n.kind, n.text = isNumber, t.String()
	case bool:
		return flagNode(t, r.line), nil
	}
	return n, nil
}

func (r *jsonReader) container(n *node, open json.Delim) error {
	read := r.element
	n.kind = isList
	if open == '{' {
		n.kind, read = isObject, r.member
	}
	for r.dec.More() {
		if err := read(n); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

func (r *jsonReader) element(n *node) error {
	r.way = append(r.way, "")
	kid, err := r.value()
	r.way = r.way[:len(r.way)-1]
	n.kids = append(n.kids, kid)
	return err
}

func (r *jsonReader) member(n *node) error {
	t, err := r.token()
	if err != nil {
		return err
	}
	key, line := t.(string), r.line
	r.way = append(r.way, key)
	kid, err := r.value()
	r.way = r.way[:len(r.way)-1]
	if err != nil {
		return err
	}
	kid.line = line
	r.add(n, key, kid, r.way)
	return nil
}
