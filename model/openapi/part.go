package openapi

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// part is a schema that is referred to, or that stands in something else that
// is: operations then hold references to it only, however many share it.
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

// mostInside is how deep schemas may stand in each other before one becomes a
// part: kin-openapi reads a value once more for each object around it.
const mostInside = 8

// schemaAt mends a schema: one that is written in place, or a reference with
// what stands beside it.
func (m *mender) schemaAt(n *node, at *place) *node {
	ref := n.get("$ref")
	if ref != nil && !m.saysMore(n) {
		return m.schemaRef(ref, at)
	}
	if m.inside == mostInside || m.apart {
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

// mark is the extension by which a schema of kin-openapi, whose properties
// have no order, leads back to its clean tree.
const mark = "x-sonde-mark"

// schemaRef returns a reference to a schema under its made-up name.
func (m *mender) schemaRef(ref *node, at *place) *node {
	target, to, ok := m.follow(ref, at, m.saysMore)
	if !ok {
		return nil
	}
	return m.refTo(m.partAt(target, to, partName(to)), ref.line)
}

// saysMore reports whether a reference to a schema has members beside it that
// count.
func (m *mender) saysMore(n *node) bool { return m.beside && len(n.keys) > 1 }

// joined puts a reference and the members beside it together.
func joined(beside, ref *node) *node {
	switch {
	case ref == nil:
		return beside
	case len(beside.keys) == 0:
		return ref
	default:
		return besides(beside, ref)
	}
}

// besides writes a reference with members beside it as allOf, which means the
// same. The mark tells that nothing else stood in allOf.
func besides(beside, ref *node) *node {
	if beside.get("allOf") == nil {
		beside.set(besideMark, flagNode(true, beside.line))
	}
	kids := append([]*node{ref}, beside.list("allOf")...)
	beside.set("allOf", &node{kind: isList, line: beside.line, kids: kids})
	return beside
}

// besideMark is the extension that tells a schema written as a reference with
// more beside it.
const besideMark = "x-sonde-beside"

// refTo returns a reference to a part.
func (m *mender) refTo(p *part, line int32) *node {
	clean := objectNode(line)
	clean.set("$ref", textNode(p.key(), line))
	return clean
}

// partAt returns the schema at a place as a part, new or known, under a name
// that may be "". It is mended later, so that cycles end.
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

// drain mends the parts, and those that they lead to.
func (m *mender) drain() {
	for ; m.drained < len(m.all); m.drained++ {
		p := m.all[m.drained]
		clean := m.mend(p.node, object(m.schema), p.at)
		switch {
		case clean == nil:
			clean = objectNode(p.node.line)
		case clean.get("$ref") != nil: // kin-openapi is to be fed with an object
			clean = besides(objectNode(p.node.line), clean)
		}
		p.clean = clean
		m.weigh(clean)
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
