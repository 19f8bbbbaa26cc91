package openapi

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// mostHops bounds a chain of references that name references.
const mostHops = 100

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

// schemaRef returns a reference to the schema under its made-up name, with
// what stands beside it. The schema itself is mended later, so that cycles end.
func (m *mender) schemaRef(n, ref *node, at *place) *node {
	target, to, ok := m.follow(ref, at)
	if !ok {
		return nil
	}
	p := m.parts[target]
	if p == nil {
		if len(m.all) >= m.mostParts {
			m.err = &limitError{fmt.Sprintf("it holds more than %d shared schemas", m.mostParts)}
			return nil
		}
		p = &part{id: len(m.all), name: partName(to), at: to, node: target}
		m.parts[target] = p
		m.all = append(m.all, p)
	}
	clean := objectNode(n.line)
	if m.beside {
		clean = m.plain(n, m.rule, at)
	}
	clean.set("$ref", textNode(schemaPrefix+p.key(), n.line))
	return clean
}

const schemaPrefix = "#/components/schemas/"

// key is the name under which kin-openapi knows the schema. It is made up, as
// the file's names may hold anything.
func (p *part) key() string { return "s" + strconv.Itoa(p.id) }

// drain mends the schemas that were referred to, and those they refer to.
func (m *mender) drain() {
	for ; m.drained < len(m.all); m.drained++ {
		p := m.all[m.drained]
		if p.clean = m.object(p.node, m.rule, p.at); p.clean == nil {
			p.clean = objectNode(p.node.line)
		}
	}
}

// partName returns the name of the component at a place, or "".
func partName(at *place) string {
	up := at.up
	switch {
	case up == nil:
		return strings.TrimSuffix(path.Base(at.doc.name), path.Ext(at.doc.name))
	case up.up == nil && (up.token == "definitions" || !at.doc.main):
		return at.token
	case up.up == nil:
		return ""
	case up.up.up == nil && up.up.token == "components" && up.token == "schemas":
		return at.token
	default:
		return ""
	}
}
