package openapi

import (
	"context"
	"fmt"
	"strconv"
)

// mender copies the parts of a document that Sonde reads into a clean tree
// which kin-openapi accepts: every member has the shape that its rule asks for,
// shared parts are written in place, schemas refer to each other by made-up
// names. What does not fit is left out and listed.
type mender struct {
	ctx    context.Context
	docs   *library
	rule   *rule // of schemas
	beside bool  // the members beside a schema's $ref count (from 3.1 on)

	parts   map[*node]*part // schemas that others refer to
	all     []*part         // the same in order of first reference
	drained int             // how many of them are mended
	marks   []*node         // clean schemas by their mark
	done    map[shared]*node

	problems  []problem
	mostParts int
	nodes     int // nodes that may still be made
	depth     int // levels that may still be entered
	err       error
}

// part is a schema that is referred to.
type part struct {
	id    int
	name  string // the component's, "" where it is none
	at    *place
	node  *node
	clean *node

	skipped bool // kin-openapi does not understand it
}

// shared is a node that was mended by a rule.
type shared struct {
	node *node
	rule *rule
}

// problem is a model.Problem before its place is written out.
type problem struct {
	at   *place
	line int
	text string
}

func (m *mender) complain(at *place, n *node, format string, args ...any) {
	line := 0
	if n != nil {
		line = n.line
	}
	m.problems = append(m.problems, problem{at, line, fmt.Sprintf(format, args...)})
}

// enter spends a node and a level. The caller leaves with m.depth++.
func (m *mender) enter(n *node, at *place) bool {
	if m.err != nil {
		return false
	}
	if m.depth == 0 {
		m.complain(at, n, "nested too deeply, left out")
		return false
	}
	if m.nodes--; m.nodes < 0 {
		m.err = &limitError{"it holds too many values once its aliases are written out"}
		return false
	}
	if m.nodes%4096 == 0 {
		m.err = m.ctx.Err()
	}
	m.depth--
	return m.err == nil
}

// mend returns a clean copy of n, or nil where nothing of it can be used.
func (m *mender) mend(n *node, f field, at *place) *node {
	if n == nil || n.kind == isNull || !m.enter(n, at) {
		return nil
	}
	defer func() { m.depth++ }()
	for _, s := range f.or {
		if clean := scalar(n, s); clean != nil {
			return clean
		}
	}
	switch f.shape {
	case one:
		return m.object(n, f.rule, at)
	case named:
		return m.members(n, f, at)
	case many, texts, values:
		return m.elements(n, f, at)
	case aValue:
		return m.value(n, at)
	}
	clean := scalar(n, f.shape)
	if clean == nil {
		m.complain(at, n, "%s belongs here, not %s; left out", shapeName[f.shape], n.what())
	}
	return clean
}

var shapeName = map[shape]string{
	aText: "a text", aFlag: "true or false", aNumber: "a number",
	aCount: "a whole number from 0", texts: "a list of names", values: "a list",
}

// object mends an object that keeps a rule, or the one that a $ref names.
func (m *mender) object(n *node, r *rule, at *place) *node {
	if r == m.rule && n.kind == isFlag && m.beside {
		return n // JSON Schema knows true and false as schemas
	}
	if n.kind != isObject {
		m.complain(at, n, "a %s must be an object, not %s; left out", r.name, n.what())
		return nil
	}
	if ref := n.get("$ref"); ref != nil && r.refs {
		if r == m.rule {
			return m.schemaRef(n, ref, at)
		}
		return m.inPlace(ref, r, at)
	}
	return m.plain(n, r, at)
}

// plain mends an object without regard to a $ref in it.
func (m *mender) plain(n *node, r *rule, at *place) *node {
	clean := objectNode(n.line)
	for i, key := range n.keys {
		f, ok := r.fields[key]
		if !ok {
			continue
		}
		if kid := m.mend(n.kids[i], f, at.at(key)); kid != nil {
			clean.set(key, kid)
		}
	}
	if r.check != nil && m.err == nil {
		if wrong := r.check(clean); wrong != "" {
			m.complain(at, n, "%s; left out", wrong)
			return nil
		}
	}
	if r == m.rule && clean.get("properties") != nil {
		clean.set(mark, &node{kind: isNumber, text: strconv.Itoa(len(m.marks)), line: n.line})
		m.marks = append(m.marks, clean)
	}
	return clean
}

// mark is the extension by which a schema of kin-openapi, whose properties
// have no order, leads back to its clean tree.
const mark = "x-sonde-mark"

// members mends an object whose members keep a rule.
func (m *mender) members(n *node, f field, at *place) *node {
	if n.kind != isObject {
		m.complain(at, n, "an object of named %ss belongs here, not %s; left out", f.rule.name, n.what())
		return nil
	}
	clean := objectNode(n.line)
	for i, key := range n.keys {
		kid := m.mend(n.kids[i], object(f.rule), at.at(key))
		if kid == nil && f.instead {
			kid = objectNode(n.kids[i].line)
		}
		if kid != nil {
			clean.set(key, kid)
		}
	}
	return clean
}

// elements mends a list.
func (m *mender) elements(n *node, f field, at *place) *node {
	clean := &node{kind: isList, line: n.line}
	if f.shape == texts && n.scalar() && n.kind != isFlag {
		clean.kids = []*node{textNode(n.text, n.line)}
		return clean
	}
	if n.kind != isList {
		belongs := shapeName[f.shape]
		if f.shape == many {
			belongs = "a list of " + f.rule.name + "s"
		}
		m.complain(at, n, "%s belongs here, not %s; left out", belongs, n.what())
		return nil
	}
	each := map[shape]field{texts: text, values: value, many: {shape: one, rule: f.rule}}[f.shape]
	for i, kid := range n.kids {
		if kid := m.mend(kid, each, at.nth(i)); kid != nil {
			clean.kids = append(clean.kids, kid)
		} else if f.shape == values && m.err == nil {
			clean.kids = append(clean.kids, &node{line: n.line})
		}
	}
	return clean
}

// value copies anything, with numbers as JSON writes them.
func (m *mender) value(n *node, at *place) *node {
	switch n.kind {
	case isList:
		return m.elements(n, anyList, at)
	case isObject:
		clean := objectNode(n.line)
		for i, key := range n.keys {
			if kid := m.mend(n.kids[i], value, at.at(key)); kid != nil {
				clean.set(key, kid)
			}
		}
		return clean
	case isNumber:
		if clean := scalar(n, aNumber); clean != nil {
			return clean
		}
		return textNode(n.text, n.line)
	default:
		return n
	}
}
