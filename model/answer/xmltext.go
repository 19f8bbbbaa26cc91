package answer

import (
	"strconv"
	"strings"

	"sonde/model/pointer"
)

// XMLText is the place of the text of an element in an XML document.
type XMLText struct {
	Start, End int    // offsets of the content in the document
	Text       string // the content without white space around it
}

// FindXMLText returns the place of the text of an element. place is a JSON pointer from the root element; each of its
// tokens is the name or the index of a child. ok is false if the document cannot be read, if there is no such element,
// or if the element has children or no end tag.
func FindXMLText(document, place string) (at XMLText, ok bool) {
	if len(document) > maxBody {
		return XMLText{}, false
	}
	e, err := parseXML(document)
	if err != nil {
		return XMLText{}, false
	}
	for _, token := range pointer.Tokens(place) {
		if e = e.child(token); e == nil {
			return XMLText{}, false
		}
	}
	if len(e.children) > 0 || e.end < e.start {
		return XMLText{}, false
	}
	return XMLText{Start: e.start, End: e.end, Text: strings.TrimSpace(e.text.String())}, true
}

// child returns the child with an index, or the first child with a name. token is the index or the name. child returns
// nil if there is none.
func (e *xmlElement) child(token string) *xmlElement {
	if i, err := strconv.Atoi(token); err == nil {
		if i < 0 || i >= len(e.children) {
			return nil
		}
		return e.children[i]
	}
	for _, c := range e.children {
		if c.name == token {
			return c
		}
	}
	return nil
}
