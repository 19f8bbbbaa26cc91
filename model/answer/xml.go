package answer

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"sonde/model"
	"sonde/model/pointer"
)

// Limits of an XML document. If a document has more elements or deeper elements, reading it returns ErrUnclear.
const (
	maxXMLDepth    = 64
	maxXMLElements = 50_000
	maxXMLIndex    = 20 // maximum number of elements with the same name that a pattern skips
)

// ErrUnclear is the error for an XML document that this package does not read although it may be valid. Such a
// document is too large, is not UTF-8, or has a document type declaration, which may define entities.
var ErrUnclear = errors.New("the document may be valid, but cannot be read")

// xmlElement is an element of a document.
type xmlElement struct {
	prefix, name string
	index        int // number of earlier elements with the same prefix and name
	attributes   []xml.Attr
	children     []*xmlElement
	text         strings.Builder
	start, end   int // offsets of the content in the document; end is smaller than start if there is no end tag
}

// readXML reads an XML document. s is the schema of the root element; it may be nil.
func readXML(text string, s *model.Schema) (Body, error) {
	if len(text) > maxBody {
		return Body{}, ErrUnclear
	}
	root, err := parseXML(text)
	if err != nil {
		return Body{}, err
	}
	r := xmlReader{sources: map[string]source{}}
	return Body{Value: r.value(root, s, ""), text: text, sources: r.sources}, nil
}

// ReadXML returns the value of an XML document, in the form of Body.Value. s is the schema of the root element; it
// may be nil. The error is ErrUnclear, or it says what is wrong with the document.
func ReadXML(text string, s *model.Schema) (any, error) {
	b, err := readXML(text, s)
	if err != nil && (!utf8.ValidString(text) || strings.Contains(text, "<!DOCTYPE")) {
		err = ErrUnclear
	}
	return b.Value, err
}

// parseXML returns the root element of a document. It ignores declarations of entities. A reference to a declared
// entity is an error.
func parseXML(text string) (*xmlElement, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // text that is not UTF-8 is an error
	var root *xmlElement
	var open []*xmlElement
	seen, elements := map[xml.Name]int{}, 0
	for {
		before := int(d.InputOffset())
		// RawToken keeps the prefixes of names, because patterns need them.
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) && root != nil && len(open) == 0 {
			return root, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			e := &xmlElement{
				prefix: t.Name.Space, name: t.Name.Local, index: seen[t.Name], attributes: t.Copy().Attr, start: int(d.InputOffset()),
			}
			seen[t.Name]++
			elements++
			switch {
			case elements > maxXMLElements || len(open) == maxXMLDepth:
				return nil, ErrUnclear
			case len(open) > 0:
				parent := open[len(open)-1]
				parent.children = append(parent.children, e)
			case root != nil:
				return nil, errors.New("the document has two roots")
			default:
				root = e
			}
			open = append(open, e)
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1].prefix != t.Name.Space || open[len(open)-1].name != t.Name.Local {
				return nil, fmt.Errorf("the end tag %q is out of place", t.Name.Local)
			}
			open[len(open)-1].end = before
			if int(d.InputOffset()) == before {
				open[len(open)-1].end = -1
			}
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text.Write(t)
			}
		}
	}
}

// xmlReader converts elements to values.
type xmlReader struct{ sources map[string]source }

// value returns the value of an element. s is the schema of the element; it may be nil. at is the JSON pointer of the
// value.
func (r xmlReader) value(e *xmlElement, s *model.Schema, at string) any {
	typ := xmlType(s)
	switch {
	case e.isNil():
		return nil
	case s.ItemSchema() != nil:
		return r.list(e.children, s.ItemSchema(), at)
	case typ == "object", len(e.children) > 0, typ == "" && len(e.ownAttributes()) > 0:
		return r.object(e, s, at)
	}
	r.sources[at] = elementText{e}
	return scalar(e.text.String(), typ)
}

// list returns the value of a list. items are the elements of the list.
func (r xmlReader) list(items []*xmlElement, s *model.Schema, at string) any {
	all := make([]any, len(items))
	for i, e := range items {
		all[i] = r.value(e, s, fmt.Sprint(at, "/", i))
	}
	return all
}

// object returns the value of an element with child elements or attributes. A child or an attribute that the schema
// does not declare becomes a member with the same name. Several such children with the same name become a list or, if
// the schema has one for additional properties, only the first counts.
func (r xmlReader) object(e *xmlElement, s *model.Schema, at string) map[string]any {
	object, left, named := map[string]any{}, e.byName(), map[xml.Name]bool{}
	for _, p := range properties(s) {
		here, hint, items := at+"/"+pointer.Escape(p.Name), p.Schema.XMLHint(), p.Schema.ItemSchema()
		switch {
		case hint.Attribute:
			if a := e.attribute(p.Name, hint.Name); a != nil {
				named[a.Name] = true
				r.sources[here] = elementAttribute{e, *a}
				object[p.Name] = scalar(a.Value, xmlType(p.Schema))
			}
		case items != nil:
			names := []string{p.Name, hint.Name}
			if !hint.Wrapped {
				names = append(names, items.XMLHint().Name)
			}
			found := left.take(names...)
			isPresent := len(found) > 0 || p.Required // an empty list may have no element
			if hint.Wrapped && len(found) > 0 || isWrapper(found, items) {
				found = found[0].children
			}
			if isPresent {
				object[p.Name] = r.list(found, items, here)
			}
		default:
			if found := left.take(p.Name, hint.Name); len(found) > 0 {
				object[p.Name] = r.value(found[0], p.Schema, here)
			} else if p.Required && p.Schema.Nullable {
				object[p.Name] = nil // null may be written without an element
			}
		}
	}
	for _, a := range e.ownAttributes() {
		if _, has := object[a.Name.Local]; !has && !named[a.Name] {
			r.sources[at+"/"+pointer.Escape(a.Name.Local)] = elementAttribute{e, a}
			object[a.Name.Local] = a.Value
		}
	}
	r.addUndeclared(object, left, s, at)
	return object
}

// addUndeclared adds the remaining elements, which the schema does not declare, to an object.
func (r xmlReader) addUndeclared(object map[string]any, left elements, s *model.Schema, at string) {
	for name, all := range left {
		here, of := at+"/"+pointer.Escape(name), s.PropertySchema(name)
		if len(all) > 1 && of == nil {
			object[name] = r.list(all, nil, here)
		} else {
			object[name] = r.value(all[0], of, here)
		}
	}
}

// elements has child elements, grouped by their names without prefixes.
type elements map[string][]*xmlElement

// byName returns the children of an element, by their names.
func (e *xmlElement) byName() elements {
	all := elements{}
	for _, c := range e.children {
		all[c.name] = append(all[c.name], c)
	}
	return all
}

// take removes the elements with the given names, and returns them.
func (l elements) take(names ...string) (all []*xmlElement) {
	for _, name := range names {
		all = append(all, l[name]...)
		delete(l, name)
	}
	return all
}

// properties returns the properties that a schema and its parts declare, each once.
func properties(s *model.Schema) (all []model.Property) {
	seen := map[string]bool{}
	model.FindInParts(s, func(s *model.Schema) *model.Schema {
		for _, p := range s.Properties {
			if !seen[p.Name] {
				seen[p.Name] = true
				all = append(all, p)
			}
		}
		return nil
	})
	return all
}

// isWrapper reports whether the value of a list seems to be wrapped in one element that the schema does not declare:
// the children of this element have the same name, and items have no property with this name. Many services write lists
// in this way. found are the elements with the name of the list, and items is the schema of the list's items.
func isWrapper(found []*xmlElement, items *model.Schema) bool {
	if len(found) != 1 || len(found[0].children) == 0 {
		return false
	}
	name := found[0].children[0].name
	for _, c := range found[0].children {
		if c.name != name {
			return false
		}
	}
	return items.PropertySchema(name) == nil
}

// attribute returns the first attribute with one of the given names, nil if the element has no such attribute. An
// empty name matches no attribute.
func (e *xmlElement) attribute(names ...string) *xml.Attr {
	for i, a := range e.attributes {
		for _, name := range names {
			if name != "" && a.Name.Local == name {
				return &e.attributes[i]
			}
		}
	}
	return nil
}

// ownAttributes returns the attributes of an element. It leaves out attributes that XML and XML Schema define, such as
// xmlns and xsi:type.
func (e *xmlElement) ownAttributes() (all []xml.Attr) {
	for _, a := range e.attributes {
		if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" && a.Name.Space != "xsi" && a.Name.Space != "xml" {
			all = append(all, a)
		}
	}
	return all
}

// isNil reports whether an element is null by the rules of XML Schema.
func (e *xmlElement) isNil() bool {
	for _, a := range e.attributes {
		if a.Name.Local == "nil" && a.Name.Space != "" && a.Value == "true" {
			return true
		}
	}
	return false
}

// xmlType returns the type of a schema or, if it has none, the type of the first part of the schema with a type.
// Without a type, a schema with properties has the type "object". "null" counts as no type. xmlType returns "" for
// none.
func xmlType(s *model.Schema) string {
	t := model.FindInParts(s, func(s *model.Schema) *string {
		switch {
		case s.Type == "" && len(s.Properties) > 0:
			return new("object")
		case s.Type == "" || s.Type == "null":
			return nil
		}
		return &s.Type
	})
	if t == nil {
		return ""
	}
	return *t
}

// number matches a JSON number.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// plainNumber matches the start of a number of XML Schema, with the plus sign and the leading zeros that JSON does
// not allow.
var plainNumber = regexp.MustCompile(`^\+?(-?)0*([0-9])`)

// scalar converts text, without the white space around it, to the type typ. If text is not a valid value of that type,
// scalar returns it as a string.
func scalar(text, typ string) any {
	text = strings.TrimSpace(text)
	switch typ {
	case "integer", "number":
		if n := plainNumber.ReplaceAllString(text, "$1$2"); number.MatchString(n) {
			return json.Number(n)
		}
	case "boolean":
		switch text {
		case "true", "1":
			return true
		case "false", "0":
			return false
		}
	}
	return text
}

// elementText is the place of a value that is the text of an element.
type elementText struct{ *xmlElement }

func (e elementText) pattern() string { return e.patternBefore(`(?:\s[^>]*)?>\s*([^<]*?)\s*<`) }

// elementAttribute is the place of a value that is an attribute of an element.
type elementAttribute struct {
	*xmlElement
	attr xml.Attr
}

func (a elementAttribute) pattern() string {
	return a.patternBefore(`\s(?:[^>]*?\s)?` + qualified(a.attr.Name) + `\s*=\s*["']([^"'<]*)["']`)
}

// patternBefore returns the pattern for the start of an element, followed by the pattern rest. The pattern skips the
// earlier elements with the same name. If there are more than maxXMLIndex of them, patternBefore returns "".
func (e *xmlElement) patternBefore(rest string) string {
	tag := qualified(xml.Name{Space: e.prefix, Local: e.name})
	switch {
	case e.index == 0:
		return `<` + tag + rest
	case e.index > maxXMLIndex:
		return ""
	}
	return fmt.Sprintf(`(?:[\s\S]*?<%s[\s/>]){%d}[\s\S]*?<%s`, tag, e.index, tag) + rest
}

// qualified returns the pattern for a name with its prefix.
func qualified(name xml.Name) string {
	if name.Space != "" {
		return regexp.QuoteMeta(name.Space + ":" + name.Local)
	}
	return regexp.QuoteMeta(name.Local)
}
