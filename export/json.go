package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"sonde/model/pointer"
)

// node is a JSON value that preserves the order of keys and the spelling of numbers and strings. Invisible
// characters are escaped.
type node struct {
	// text is the text of a value other than an object or array.
	text string
	// open is the opening bracket of an object or array, "" for other values.
	open string
	keys []string // the keys of an object as spelled in the text
	kids []*node
}

// parseJSON parses a JSON value. ok is false if the text is not valid JSON or not valid UTF-8. A Go file must be valid
// UTF-8.
func parseJSON(text string) (n *node, ok bool) {
	if !utf8.ValidString(text) || !json.Valid([]byte(text)) {
		return nil, false
	}
	p := jsonParser{text: text, dec: json.NewDecoder(strings.NewReader(text))}
	p.dec.UseNumber()
	return p.value(), true
}

type jsonParser struct {
	text string
	dec  *json.Decoder
}

// next returns the text of the next token, "" at the end and for malformed JSON.
func (p *jsonParser) next() string {
	start := p.dec.InputOffset()
	if _, err := p.dec.Token(); err != nil {
		return ""
	}
	return escapeHidden(strings.Trim(p.text[start:p.dec.InputOffset()], " \t\r\n,:"))
}

func (p *jsonParser) value() *node {
	token := p.next()
	if token != "{" && token != "[" {
		return &node{text: token}
	}
	n := &node{open: token}
	for p.dec.More() {
		if token == "{" {
			n.keys = append(n.keys, p.next())
		}
		n.kids = append(n.kids, p.value())
	}
	p.next()
	return n
}

// escapeHidden escapes the characters of a token that a raw string of Go cannot contain or that are
// invisible. In valid JSON only strings have such characters.
func escapeHidden(token string) string {
	if allVisible(token) {
		return token
	}
	var b strings.Builder
	for _, r := range token {
		if visible(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// put sets the value at a JSON pointer, in the same way as Sonde's client. It returns false if the parent
// is missing or not an object.
func (n *node) put(place, text string) bool {
	parent := n.at(pointer.Parent(place))
	if parent == nil || parent.open != "{" {
		return false
	}
	key := pointer.LastToken(place)
	if i := parent.index(key); i >= 0 {
		parent.kids[i] = &node{text: text}
		return true
	}
	spelled, _ := json.Marshal(key)
	parent.keys = append(parent.keys, escapeHidden(string(spelled)))
	parent.kids = append(parent.kids, &node{text: text})
	return true
}

// at returns the value at a JSON pointer, or nil if there is none.
func (n *node) at(place string) *node {
	for place != "" {
		var token string
		token, place, _ = strings.Cut(strings.TrimPrefix(place, "/"), "/")
		if place != "" {
			place = "/" + place
		}
		n = n.kid(pointer.Unescape(token))
		if n == nil {
			return nil
		}
	}
	return n
}

// kid returns a member of an object or an item of an array, or nil if there is none.
func (n *node) kid(token string) *node {
	i := n.index(token)
	if n.open == "[" {
		var err error
		i, err = strconv.Atoi(token)
		if err != nil || i >= len(n.kids) {
			return nil
		}
	}
	if i < 0 {
		return nil
	}
	return n.kids[i]
}

// index returns the index of a key, or -1 if the object does not have it. If the key is repeated, it
// returns the last one.
func (n *node) index(key string) int {
	for i, spelled := range slices.Backward(n.keys) {
		var k string
		if json.Unmarshal([]byte(spelled), &k) == nil && k == key {
			return i
		}
	}
	return -1
}
