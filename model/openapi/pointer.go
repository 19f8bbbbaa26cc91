package openapi

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"sonde/model/pointer"
)

// place is the position of a node: its document, and the path from the root of the document.
type place struct {
	doc   *document
	up    *place
	token string
}

func (p *place) at(token string) *place { return &place{doc: p.doc, up: p, token: token} }
func (p *place) nth(i int) *place       { return p.at(strconv.Itoa(i)) }

// pointer returns the JSON pointer of the place. In documents other than the spec, the pointer starts with the name
// of the document and "#".
func (p *place) pointer() string {
	var tokens []string
	for q := p; q.up != nil; q = q.up {
		tokens = append(tokens, q.token)
	}
	var b strings.Builder
	if !p.doc.main {
		b.WriteString(p.doc.name + "#")
	}
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteString("/" + pointer.Escape(tokens[i]))
	}
	return b.String()
}

// pointerTokens returns the tokens of the JSON pointer in a reference. fragment is the text after the "#".
func pointerTokens(fragment string) ([]string, error) {
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if fragment == "" || fragment == "/" {
		return nil, nil
	}
	if fragment[0] != '/' {
		return nil, errors.New("only JSON pointers can follow #")
	}
	tokens := strings.Split(fragment[1:], "/")
	for i, t := range tokens {
		tokens[i] = pointer.Unescape(t)
	}
	return tokens, nil
}

// descend returns the node at a pointer of a document, and its place. tokens are the tokens of the pointer.
func descend(doc *document, tokens []string) (*node, *place, error) {
	n, at := doc.root, &place{doc: doc}
	for _, t := range tokens {
		kid := n.get(t)
		if i, err := strconv.Atoi(t); err == nil && n.kind == isList && i >= 0 && i < len(n.kids) {
			kid = n.kids[i]
		}
		at = at.at(t)
		if kid == nil || kid.kind == isNull {
			return nil, nil, fmt.Errorf("there is nothing at %q", short(at.pointer()))
		}
		n = kid
	}
	return n, at, nil
}
