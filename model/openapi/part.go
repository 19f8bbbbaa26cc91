package openapi

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// part is a schema to which others refer, or a schema in a shared object. Operations only have references to
// it, however many share it.
type part struct {
	id    int
	name  string // the name of the component, "" if it is not a component
	at    *place
	node  *node
	clean *node
	kin   *openapi3.Schema // nil before feedSchema
}

// key returns the reference to the schema for kin-openapi. It is generated, because names in the file may
// contain any characters.
func (p *part) key() string { return schemaPrefix + strconv.Itoa(p.id) }

const schemaPrefix = "#/components/schemas/s"

// maxInside is the maximum depth of nested schemas before one becomes a part. kin-openapi reads a value once
// more for each object around it.
const maxInside = 8

// schemaAt mends a schema that is written in place, or a reference with its sibling members.
func (m *mender) schemaAt(n *node, at *place) *node {
	ref := n.get("$ref")
	if ref != nil && !m.hasSiblings(n) {
		return m.schemaRef(ref, at)
	}
	if m.inside == maxInside || m.apart {
		return m.refTo(m.partAt(n, at, ""), n.line)
	}
	m.inside++
	defer func() { m.inside-- }()
	clean := m.plain(n, m.schema, at)
	m.mapping(clean.get("discriminator"), at.at("discriminator"))
	if clean.get("properties") != nil {
		clean.set(mark, &node{kind: isNumber, text: strconv.Itoa(len(m.marks)), line: n.line})
		m.marks = append(m.marks, clean)
	}
	if ref != nil {
		return joined(clean, m.schemaRef(ref, at))
	}
	return clean
}

// mark is an extension with the index of a clean schema. By it, the converter finds the order of the
// properties of a schema of kin-openapi.
const mark = "x-sonde-mark"

// schemaRef returns a reference to a schema by its generated name, nil if the given reference is broken.
func (m *mender) schemaRef(ref *node, at *place) *node {
	target, to, ok := m.follow(ref, at, m.hasSiblings)
	if !ok {
		return nil
	}
	return m.refTo(m.partAt(target, to, partName(to)), ref.line)
}

// hasSiblings reports whether a reference to a schema has sibling members that are not ignored.
func (m *mender) hasSiblings(n *node) bool { return m.beside && len(n.keys) > 1 }

// joined combines a reference with its sibling members.
func joined(beside, ref *node) *node {
	switch {
	case ref == nil:
		return beside
	case len(beside.keys) == 0:
		return ref
	default:
		return withSiblings(beside, ref)
	}
}

// withSiblings returns a reference with sibling members as an allOf, which means the same. It sets
// siblingsMark if the allOf has no other schemas.
func withSiblings(beside, ref *node) *node {
	if beside.get("allOf") == nil {
		beside.set(siblingsMark, flagNode(true, beside.line))
	}
	kids := append([]*node{ref}, beside.list("allOf")...)
	beside.set("allOf", &node{kind: isList, line: beside.line, kids: kids})
	return beside
}

// siblingsMark is the extension of a schema that is a reference with sibling members in the document.
const siblingsMark = "x-sonde-beside"

// refTo returns a reference to a part.
func (m *mender) refTo(p *part, line int32) *node {
	clean := objectNode(line)
	clean.set("$ref", textNode(p.key(), line))
	return clean
}

// partAt returns the part for the schema at a place. name may be "". A new part is mended later by drain, so
// that cycles end.
func (m *mender) partAt(n *node, at *place, name string) *part {
	if p := m.parts[n]; p != nil {
		p.name = cmp.Or(p.name, name)
		return p
	}
	p := &part{id: len(m.all), name: name, at: at, node: n}
	m.parts[n] = p
	m.all = append(m.all, p)
	return p
}

// drain mends all parts, including those that are added meanwhile.
func (m *mender) drain() {
	for ; m.drained < len(m.all); m.drained++ {
		p := m.all[m.drained]
		clean := m.mend(p.node, object(m.schema), p.at)
		switch {
		case clean == nil:
			clean = objectNode(p.node.line)
		case clean.get("$ref") != nil: // kin-openapi needs an object
			clean = withSiblings(objectNode(p.node.line), clean)
		}
		p.clean = clean
		m.addWeight(clean)
	}
}

// partName returns the name of the component at a place, "" if the place is inside of something else. In
// another document each member of the root is a component. A document that is itself a schema has the name of
// its file.
func partName(at *place) string {
	var way []string
	for p := at; p.up != nil && len(way) < 4; p = p.up {
		way = append([]string{p.token}, way...)
	}
	switch {
	case len(way) == 0:
		return strings.TrimSuffix(path.Base(at.doc.name), path.Ext(at.doc.name))
	case len(way) == 1 && !at.doc.main,
		len(way) == 2 && way[0] == "definitions",
		len(way) == 3 && way[0] == "components" && way[1] == "schemas":
		return at.token
	default:
		return ""
	}
}
