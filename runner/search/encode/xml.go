package encode

import (
	"cmp"
	"encoding/xml"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/model"
	"sonde/runner/search/gene"
)

// XML returns a value as an XML document that follows the XML hints of its schema. The root element has the
// name in the hints, or else the name of the schema, or else "root".
func XML(s *model.Schema, g gene.Gene) string {
	w := &xmlWriter{}
	w.WriteString(xml.Header)
	name := "root"
	if s != nil && s.Name != "" {
		name = s.Name
	}
	w.value(name, s, g, nil)
	return w.String()
}

// xmlWriter writes values as XML.
type xmlWriter struct{ strings.Builder }

// value writes a value as an element, and a list as one element for each item. known maps the prefixes that the
// enclosing elements declare to their namespaces.
func (w *xmlWriter) value(name string, s *model.Schema, g gene.Gene, known map[string]string) {
	hint := s.XMLHint()
	items := gene.Elements(g)
	if items == nil {
		w.element(cmp.Or(hint.Name, name), s, g, known)
		return
	}
	inner := name
	if hint.Wrapped {
		inner = cmp.Or(hint.Name, name)
		inside := w.open(inner, hint, nil, known)
		defer func(outer string, known map[string]string) { w.close(outer, hint, known) }(inner, inside)
		known = inside
	}
	for _, item := range items {
		w.value(inner, s.ItemSchema(), item, known)
	}
}

// element writes a value as one element. Fields with the hint "attribute" become attributes of the element. Fields
// with the hint "text" become the text of the element.
func (w *xmlWriter) element(name string, s *model.Schema, g gene.Gene, known map[string]string) {
	fields := gene.PresentFields(g)
	var attributes []attribute
	for _, f := range fields {
		of := s.PropertySchema(f.Name)
		if hint := of.XMLHint(); hint.Attribute {
			attributes = append(attributes, attribute{name: cmp.Or(hint.Name, f.Name), hint: hint, text: gene.Text(f.Gene)})
		}
	}
	hint := s.XMLHint()
	inside := w.open(name, hint, attributes, known)
	for _, f := range fields {
		switch of := s.PropertySchema(f.Name); {
		case of.XMLHint().Attribute:
		case of.XMLHint().Text:
			w.text(f.Gene)
		default:
			w.value(f.Name, of, f.Gene, inside)
		}
	}
	w.text(g)
	w.close(name, hint, inside)
}

// text writes a scalar that is not null.
func (w *xmlWriter) text(g gene.Gene) {
	if gene.IsScalar(g) && string(gene.JSON(g)) != "null" {
		xml.EscapeText(w, []byte(gene.Text(g))) // writing to a Builder cannot fail
	}
}

type attribute struct {
	name string
	hint model.XML
	text string
}

// open writes a start tag. It returns the prefixes that are declared inside the element, with their namespaces.
func (w *xmlWriter) open(name string, hint model.XML, attributes []attribute, known map[string]string) map[string]string {
	inside, declared := declare(hint, known)
	for _, a := range attributes {
		var more string
		if a.hint.Prefix != "" {
			inside, more = declare(a.hint, inside)
		}
		declared += more
	}
	w.WriteString("<" + qualified(name, hint, inside) + declared)
	written := map[string]bool{}
	for _, a := range attributes {
		if name := qualified(a.name, a.hint, inside); !written[name] {
			written[name] = true
			w.WriteString(" " + name + `="` + escaped(a.text) + `"`)
		}
	}
	w.WriteString(">")
	return inside
}

func (w *xmlWriter) close(name string, hint model.XML, known map[string]string) {
	w.WriteString("</" + qualified(name, hint, known) + ">")
}

// declare adds the namespace of a hint to the known namespaces. It returns the namespaces and the attribute that
// declares the namespace. The attribute is "" if the namespace is already known or the hint has none.
func declare(hint model.XML, known map[string]string) (map[string]string, string) {
	prefix := xmlName(hint.Prefix)
	if hint.Namespace == "" || known[prefix] == hint.Namespace {
		return known, ""
	}
	inside := map[string]string{prefix: hint.Namespace}
	for p, namespace := range known {
		if p != prefix {
			inside[p] = namespace
		}
	}
	attribute := "xmlns"
	if prefix != "" {
		attribute = "xmlns:" + prefix
	}
	return inside, " " + attribute + `="` + escaped(hint.Namespace) + `"`
}

// qualified returns a name with the hint's prefix. It returns the bare name if the prefix is not
// declared, because XML with an undeclared prefix is invalid.
func qualified(name string, hint model.XML, known map[string]string) string {
	prefix := xmlName(hint.Prefix)
	if prefix != "" && known[prefix] != "" {
		return prefix + ":" + cmp.Or(xmlName(name), "_")
	}
	return cmp.Or(xmlName(name), "_")
}

// xmlName returns a name in which "_" replaces the characters that an XML name cannot have.
func xmlName(name string) string {
	if name == "" || isXMLName(name) {
		return name
	}
	name = strings.Map(func(c rune) rune {
		if c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-_.", c)) {
			return c
		}
		return '_'
	}, name)
	if !isXMLName(name) {
		return "_" + name
	}
	return name
}

func isXMLName(name string) bool {
	if strings.ContainsAny(name, ": \t\r\n/<>") {
		return false
	}
	token, err := xml.NewDecoder(strings.NewReader("<" + name + "/>")).Token()
	start, ok := token.(xml.StartElement)
	return err == nil && ok && start.Name.Local == name && len(start.Attr) == 0
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // writing to a Builder cannot fail
	return b.String()
}
