package openapi

import (
	"context"
	"fmt"
)

// mender copies the parts of a document that Sonde reads into a clean tree
// which kin-openapi accepts: every member has the shape that its rule asks for,
// shared parts are written in place, schemas refer to each other by made-up
// names. What does not fit is left out and listed.
type mender struct {
	*dialect
	problems
	ctx  context.Context
	docs *library

	parts   map[*node]*part // schemas that others refer to
	all     []*part         // the same in order of first reference
	drained int             // how many of them are mended
	marks   []*node         // clean schemas by their mark
	done    map[shared]*node
	links   []link

	mended int  // nodes so far
	weight int  // that kin-openapi is fed with so far
	depth  int  // levels that may still be entered
	inside int  // schemas around the present one
	apart  bool // what is mended is shared: its schemas become parts
	err    error
}

// shared is a node that was mended by a rule.
type shared struct {
	node *node
	rule *rule
}

// fedShare is the share of Options.MaxNodes that kin-openapi may be fed with:
// what it makes of a schema takes most of the memory, about 1 kB. Of a small document
// it is less, fedTimes what the document may hold once its aliases are written out.
const (
	fedShare = 4
	fedTimes = 5
)

func newMender(ctx context.Context, docs *library, d *dialect, o Options) *mender {
	return &mender{
		dialect: d, ctx: ctx, docs: docs,
		parts: map[*node]*part{}, done: map[shared]*node{},
		depth: o.MaxDepth,
	}
}

// mostAtOnce is how many nodes are mended before the context is asked again.
const mostAtOnce = 4096

// A document may hold its values this many times over once its aliases are written
// out, and some more: only what little text makes much of is refused.
const (
	mostTimesOver = 20
	mostBesides   = 100_000
)

// timesOver returns how many values may come of those that were read.
func timesOver(read int) int { return mostBesides + mostTimesOver*read }

// written returns how many values may stand in the documents that were read once
// their aliases are written out.
func (l *library) written() int {
	return min(l.o.MaxNodes, timesOver(l.o.MaxNodes-l.nodes))
}

// perValue is the fewest bytes that a value takes in a document, about.
const perValue = 8

// fed returns how many values kin-openapi may be fed with: a share of MaxNodes,
// or as many as the document itself may hold, so that only what little text
// makes much is refused.
func (l *library) fed() int {
	own := int(l.o.MaxBytes-l.bytes) / perValue
	return min(l.o.MaxNodes, max(min(l.o.MaxNodes/fedShare, fedTimes*l.written()), own))
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
	m.mended++
	if m.mended > m.docs.written() {
		m.err = &limitError{fmt.Sprintf("line %d: it holds too many values once its aliases are written out", n.line)}
		return false
	}
	if m.mended%mostAtOnce == 0 {
		m.err = context.Cause(m.ctx)
	}
	m.depth--
	return true
}

// mend returns a clean copy of n, or nil where nothing of it can be used.
func (m *mender) mend(n *node, f field, at *place) *node {
	if n == nil || n.kind == isNull || !m.enter(n, at) {
		return nil
	}
	defer func() { m.depth++ }()
	if f.flag && n.kind == isFlag {
		return n
	}
	switch f.shape {
	case one:
		return m.object(n, f.rule, at)
	case named:
		return m.members(n, f, at)
	case many, texts, types, values:
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

// member mends what stands under a name. A scalar that is as it should be needs
// no place, and most are.
func (m *mender) member(n *node, f field, at *place, key string) *node {
	if f.shape <= aCount && n.scalar() && m.err == nil && m.depth > 0 && (m.mended+1)%mostAtOnce != 0 {
		if clean := scalar(n, f.shape); clean != nil {
			m.mended++
			return clean
		}
	}
	return m.mend(n, f, at.at(key))
}

// object mends an object that keeps a rule, or the one that a $ref names.
func (m *mender) object(n *node, r *rule, at *place) *node {
	if r == m.schema && m.beside && n.kind == isFlag {
		return n // JSON Schema knows true and false as schemas
	}
	if n.kind != isObject {
		m.complain(at, n, "%s must be an object, not %s; left out", article(r.name), n.what())
		return nil
	}
	if r == m.schema {
		return m.schemaAt(n, at)
	}
	if ref := n.get("$ref"); ref != nil && r.refs {
		return m.inPlace(ref, r, at)
	}
	if m.hidesType(n, r) {
		defer m.setApart(false)()
	}
	clean := m.plain(n, r, at)
	if clean != nil && r == m.link {
		m.links = append(m.links, link{at: at, source: n, clean: clean})
	}
	return clean
}

func article(name string) string {
	switch name[0] {
	case 'a', 'e', 'i', 'o':
		return "an " + name
	default:
		return "a " + name
	}
}

// plain mends an object without regard to a $ref in it.
func (m *mender) plain(n *node, r *rule, at *place) *node {
	clean := copyOf(n)
	for i, key := range n.keys {
		f, ok := r.field(key)
		if !ok {
			continue
		}
		if kid := m.member(n.kids[i], f, at, key); kid != nil {
			clean.push(key, kid)
		}
	}
	if r.check != nil && m.err == nil {
		if wrong := r.check(clean); wrong != "" {
			m.complain(at, n, "%s; left out", wrong)
			return nil
		}
	}
	return clean
}

// members mends an object whose members keep a rule.
func (m *mender) members(n *node, f field, at *place) *node {
	if n.kind != isObject {
		m.complain(at, n, "an object of named %ss belongs here, not %s; left out", f.rule.name, n.what())
		return nil
	}
	clean := copyOf(n)
	for i, key := range n.keys {
		kid := m.mend(n.kids[i], object(f.rule), at.at(key))
		if kid == nil && f.instead {
			kid = objectNode(n.kids[i].line)
		}
		if kid != nil {
			clean.push(key, kid)
		}
	}
	return clean
}

// elements mends a list.
func (m *mender) elements(n *node, f field, at *place) *node {
	if (f.shape == texts || f.shape == types) && n.kind == isText {
		return &node{kind: isList, line: n.line, kids: []*node{n}}
	}
	if n.kind != isList {
		m.complain(at, n, "%s belongs here, not %s; left out", listName(f), n.what())
		return nil
	}
	clean := copyOf(n)
	each := element[f.shape]
	each.rule = f.rule
	for i, kid := range n.kids {
		switch mended := m.mend(kid, each, at.nth(i)); {
		case mended != nil:
			clean.kids = append(clean.kids, mended)
		case kid.kind == isNull && f.shape == types:
			clean.kids = append(clean.kids, textNode("null", n.line))
		case kid.kind == isNull && f.shape == values:
			clean.kids = append(clean.kids, &node{line: n.line})
		}
	}
	return clean
}

// element is what each element of a list must be.
var element = map[shape]field{texts: text, types: text, values: value, many: {shape: one}}

func listName(f field) string {
	if f.shape == many {
		return "a list of " + f.rule.name + "s"
	}
	return shapeName[f.shape]
}

// value copies anything, with numbers as JSON writes them.
func (m *mender) value(n *node, at *place) *node {
	switch n.kind {
	case isList:
		return m.elements(n, anyList, at)
	case isObject:
		clean := copyOf(n)
		for i, key := range n.keys {
			if kid := m.member(n.kids[i], value, at, key); kid != nil {
				clean.push(key, kid)
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
