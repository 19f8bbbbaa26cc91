package openapi

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// part is a schema that operations refer to instead of copying it: a schema to which other schemas refer, that is in a
// shared object, or that is too deep inside other schemas; see maxSchemaDepth.
type part struct {
	id    int
	name  string // the name of the component, "" if it is not a component
	at    *place
	node  *node
	clean *node
	kin   *openapi3.Schema // set by convertParts
}

// key returns the reference to the part for kin-openapi. The reference has a generated name, because names in the
// file may contain any characters.
func (p *part) key() string { return schemaPrefix + strconv.Itoa(p.id) }

const schemaPrefix = "#/components/schemas/s"

// maxSchemaDepth is the maximum depth of schemas that are written inside other schemas. A deeper schema becomes a
// part.
const maxSchemaDepth = 8

// schemaAt mends the schema n at a place. The schema may also be a reference, with or without sibling members.
func (m *mender) schemaAt(n *node, at *place) *node {
	ref := n.get("$ref")
	if ref != nil && !m.hasSiblings(n) {
		return m.schemaRef(ref, at)
	}
	if m.schemaDepth == maxSchemaDepth || m.inShared {
		return m.refTo(m.partAt(n, at, ""), n.line)
	}
	m.schemaDepth++
	defer func() { m.schemaDepth-- }()
	clean := m.plain(n, m.schema, at)
	m.mapping(clean.get("discriminator"), at.at("discriminator"))
	if clean.get("properties") != nil {
		clean.set(indexMark, &node{kind: isNumber, text: strconv.Itoa(len(m.marks)), line: n.line})
		m.marks = append(m.marks, clean)
	}
	if ref != nil {
		return joinRef(clean, m.schemaRef(ref, at))
	}
	return clean
}

// indexMark is an extension of clean schemas. Its value is an index in mender.marks. A schema of kin-openapi has lost
// the order of its properties; with the index, the converter finds the clean schema, which has the order.
const indexMark = "x-sonde-mark"

// schemaRef converts a reference to a schema to a reference to a part. It returns nil if the reference is broken.
func (m *mender) schemaRef(ref *node, at *place) *node {
	target, to, ok := m.follow(ref, at, m.hasSiblings)
	if !ok {
		return nil
	}
	return m.refTo(m.partAt(target, to, partName(to)), ref.line)
}

// hasSiblings reports whether a reference to a schema has members next to the $ref. In versions before 3.1, such
// members are ignored, and it returns false.
func (m *mender) hasSiblings(n *node) bool { return m.refSiblings && len(n.keys) > 1 }

// joinRef combines a clean reference with the clean members next to its $ref. ref is nil for a broken reference.
func joinRef(beside, ref *node) *node {
	switch {
	case ref == nil:
		return beside
	case len(beside.keys) == 0:
		return ref
	default:
		return withSiblings(beside, ref)
	}
}

// withSiblings returns an allOf with the same meaning as a reference that has members next to its $ref. It sets
// siblingsMark if the allOf has only the reference.
func withSiblings(beside, ref *node) *node {
	if beside.get("allOf") == nil {
		beside.set(siblingsMark, flagNode(true, beside.line))
	}
	kids := append([]*node{ref}, beside.list("allOf")...)
	beside.set("allOf", &node{kind: isList, line: beside.line, kids: kids})
	return beside
}

// siblingsMark is an extension of a clean schema from withSiblings: the only element of its allOf is the reference.
const siblingsMark = "x-sonde-beside"

// refTo returns a reference to a part.
func (m *mender) refTo(p *part, line int32) *node {
	clean := objectNode(line)
	clean.set("$ref", textNode(p.key(), line))
	return clean
}

// partAt returns the part for the schema n at a place. name is the name of the schema's component, "" if it has none.
// A new part is not mended here but later by drain; so schemas with cycles do not cause an endless loop.
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

// drain mends all parts, including the parts that are added while it runs.
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

// partName returns the name of the component at a place, "" if the place is not that of a component. In documents
// other than the spec, each member of the root is a component. If such a document is itself a schema, the component
// has the name of the file.
func partName(at *place) string {
	var tokens []string
	for p := at; p.up != nil && len(tokens) < 4; p = p.up {
		tokens = append([]string{p.token}, tokens...)
	}
	switch {
	case len(tokens) == 0:
		return strings.TrimSuffix(path.Base(at.doc.name), path.Ext(at.doc.name))
	case len(tokens) == 1 && !at.doc.main,
		len(tokens) == 2 && tokens[0] == "definitions",
		len(tokens) == 3 && tokens[0] == "components" && tokens[1] == "schemas":
		return at.token
	default:
		return ""
	}
}
