package openapi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"sonde/model"
)

// checkParam3 checks a parameter of OpenAPI 3. In 3.2, a parameter may be the whole query string.
func checkParam3(p *node) string {
	if p.str("in") != "querystring" || p.get("name") == nil {
		return checkParam("path", "query", "header", "cookie")(p)
	}
	if p.get("content").get(formMedia) != nil {
		return ""
	}
	return fmt.Sprintf("the parameter %q is a whole query string that is not %s, which is not supported",
		short(p.str("name")), formMedia)
}

// queryOf returns a clean parameter of OpenAPI 3.2 that is a whole query string in the form of a query parameter. An
// exploded object gives the same query: a name and a value for each of its properties.
func queryOf(p *node) *node {
	q := p.clone()
	q.set("in", textNode("query", p.line))
	q.set("style", textNode(openapi3.SerializationForm, p.line))
	q.set("explode", flagNode(true, p.line))
	q.set("schema", objectNode(p.line))
	if schema := p.get("content").get(formMedia).get("schema"); schema != nil {
		q.set("schema", schema)
	}
	return q
}

// mediaSchema3 returns the schema of a media type, nil if it has none. For a stream, OpenAPI 3.2 has the schema of an
// item instead: the whole content is then an array of such items.
func mediaSchema3(n *node) *openapi3.SchemaRef {
	item := schema3(n.get("itemSchema"))
	if item == nil || n.get("schema") != nil {
		return schema3(n.get("schema"))
	}
	return &openapi3.SchemaRef{Value: &openapi3.Schema{Type: &openapi3.Types{"array"}, Items: item}}
}

// listTagMembers lists as a problem which members of tags Sonde does not show. There is one problem for all tags.
func (b *bundle) listTagMembers(top *place) {
	var found []string
	var at *place
	var first *node
	for _, member := range []string{"parent", "kind"} {
		for i, tag := range b.root.list("tags") {
			if n := tag.get(member); n != nil {
				found = append(found, strconv.Quote(member))
				if first == nil {
					at, first = top.at("tags").nth(i).at(member), n
				}
				break
			}
		}
	}
	if first != nil {
		b.add(at, first, "Sonde shows tags as one flat list, without %s", strings.Join(found, " and "))
	}
}

// readWebhooks reads the webhooks of OpenAPI 3.1: path items by name.
func (b *bundle) readWebhooks(list *node, at *place) {
	if list == nil || list.kind == isNull || b.isV2 {
		return
	}
	if list.kind != isObject {
		b.add(at, list, "an object of webhooks belongs here, not %s; left out", list.what())
		return
	}
	for i, name := range list.keys {
		if strings.HasPrefix(name, "x-") {
			continue
		}
		b.webhooks = append(b.webhooks, b.pathItem(list.kids[i], at.at(name), func(m method) *operation {
			id := model.OpID(strings.ToUpper(m.name) + " " + name)
			return &operation{id: id, path: name, method: strings.ToUpper(m.name), at: m.at, source: m.source}
		})...)
	}
}

// setSelf reads the URL by which a document of OpenAPI 3.2 wants to be referred to. References to this URL are not
// fetched.
func (l *library) setSelf(doc *document) {
	self := doc.root.get("$self")
	if self == nil || doc.root.get("openapi") == nil {
		return
	}
	if !isURL(self.text) || len(self.text) > maxRefLength {
		l.addSelfNote(doc, "it is no http or https URL; ignored")
		return
	}
	doc.self, _, _ = strings.Cut(self.text, "#")
	if l.docs[doc.self] == nil {
		l.docs[doc.self] = doc
	}
}

// noteRelative adds a note if a relative reference is in a document that has another URL than the one from which it was
// read.
func (l *library) noteRelative(doc *document) {
	if doc.self == "" || doc.self == doc.base || doc.relative {
		return
	}
	doc.relative = true
	l.addSelfNote(doc, "relative references are resolved from where the document was read, not from here")
}

func (l *library) addSelfNote(doc *document, text string) {
	l.notes = append(l.notes, located{note{tokens: []string{"$self"}, line: doc.root.get("$self").line, text: text}, doc})
}
