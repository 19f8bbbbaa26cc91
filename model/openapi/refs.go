package openapi

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// mostHops bounds a chain of references that name references.
const mostHops = 100

// part is a schema that is referred to.
type part struct {
	id    int
	name  string // the component's, "" where it is none
	at    *place
	node  *node
	clean *node
	kin   *openapi3.Schema // nil until it is fed
}

// key is the name under which kin-openapi knows the schema. It is made up, as
// the file's names may hold anything.
func (p *part) key() string { return schemaPrefix + strconv.Itoa(p.id) }

const schemaPrefix = "#/components/schemas/s"

// inPlace mends the object that a reference names, to stand in its place.
func (m *mender) inPlace(ref *node, r *rule, at *place) *node {
	n, to, ok := m.follow(ref, at)
	if !ok {
		return nil
	}
	key := shared{n, r}
	if clean, ok := m.done[key]; ok {
		return clean
	}
	clean := m.object(n, r, to)
	m.done[key] = clean
	return clean
}

// follow goes along references to the first object that is none, or that says
// more than its reference where that counts.
func (m *mender) follow(ref *node, at *place) (*node, *place, bool) {
	from, next := at, ref
	for range mostHops {
		n, to, err := m.docs.find(next, from)
		if err != nil {
			m.complain(at, ref, "$ref %q: %v; left out", short(ref.text), err)
			return nil, nil, false
		}
		next, from = n.get("$ref"), to
		if next == nil || !next.scalar() || m.beside && len(n.keys) > 1 {
			return n, to, true
		}
	}
	m.complain(at, ref, "$ref %q leads round in a circle; left out", short(ref.text))
	return nil, nil, false
}

// schemaRef returns a reference to the schema under its made-up name. The
// schema itself is mended later, so that cycles end.
func (m *mender) schemaRef(n, ref *node, at *place) *node {
	p := m.part(ref, at)
	if p == nil {
		return nil
	}
	to := objectNode(n.line)
	to.set("$ref", textNode(p.key(), n.line))
	if !m.beside || len(n.keys) == 1 {
		return to
	}
	return m.besideRef(n, to, at)
}

// besideRef joins a reference with the members beside it, which is what allOf
// means. The mark tells that nothing else stood in allOf.
func (m *mender) besideRef(n, ref *node, at *place) *node {
	clean := m.plain(n, m.schema, at)
	if len(clean.keys) == 0 {
		return ref
	}
	all := clean.get("allOf")
	if all == nil {
		all = &node{kind: isList, line: n.line}
		clean.set(besideMark, flagNode(true, n.line))
	}
	clean.set("allOf", &node{kind: isList, line: n.line, kids: append([]*node{ref}, all.kids...)})
	return clean
}

// besideMark is the extension that tells a schema written as a reference with
// more beside it.
const besideMark = "x-sonde-beside"

// part returns the schema that a reference names, new or known.
func (m *mender) part(ref *node, at *place) *part {
	target, to, ok := m.follow(ref, at)
	if !ok {
		return nil
	}
	if p := m.parts[target]; p != nil {
		return p
	}
	if len(m.all) >= m.mostParts {
		m.err = &limitError{fmt.Sprintf("it holds more than %d shared schemas", m.mostParts)}
		return nil
	}
	p := &part{id: len(m.all), name: partName(to), at: to, node: target}
	m.parts[target] = p
	m.all = append(m.all, p)
	return p
}

// drain mends the schemas that were referred to, and those they refer to.
func (m *mender) drain() {
	for ; m.drained < len(m.all); m.drained++ {
		p := m.all[m.drained]
		if p.clean = m.mend(p.node, object(m.schema), p.at); p.clean == nil {
			p.clean = objectNode(p.node.line)
		}
	}
}

// partName returns the name of the component at a place, or "" where the place
// is inside of something else. In a document beside the spec any top name is
// one, and a document that is a schema has the file's.
func partName(at *place) string {
	var way []string
	for p := at; p.up != nil && len(way) < 4; p = p.up {
		way = append([]string{p.token}, way...)
	}
	last := at.token
	switch {
	case len(way) == 0:
		return strings.TrimSuffix(path.Base(at.doc.name), path.Ext(at.doc.name))
	case len(way) == 1 && !at.doc.main,
		len(way) == 2 && way[0] == "definitions",
		len(way) == 3 && way[0] == "components" && way[1] == "schemas":
		return last
	default:
		return ""
	}
}
