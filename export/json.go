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

// node is a JSON value whose keys stand in their order and whose numbers and
// strings are spelled as they were, but for characters that nobody sees.
type node struct {
	// text is the value itself where it is no object and no array.
	text string
	// open is the bracket of an object or array.
	open string
	keys []string // spelled as in the text; of an object
	kids []*node
}

// parseJSON reads one JSON value. It is false where text is none, or not valid
// as UTF-8, which JSON in Go code could not show.
func parseJSON(text string) (*node, bool) {
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

// next returns the next token as it is spelled.
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

// escapeHidden escapes what a raw string of Go cannot hold or a reader cannot
// see. Outside of strings there is no such thing in JSON.
func escapeHidden(token string) string {
	if plainly(token) {
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

// put sets the value at a JSON pointer, as the client does: its parent is an
// object that is there.
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

// at returns the value at a JSON pointer, or nil.
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

// index returns where an object's key is. The last of several counts.
func (n *node) index(key string) int {
	for i, spelled := range slices.Backward(n.keys) {
		var k string
		if json.Unmarshal([]byte(spelled), &k) == nil && k == key {
			return i
		}
	}
	return -1
}
