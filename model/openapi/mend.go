package openapi

import (
	"context"
	"fmt"
)

// mender copies the parts of a document that Sonde reads into a clean tree, which kin-openapi accepts. To mend a node
// is to make its clean copy. The clean tree differs from the document in these ways:
//   - Each member has the shape that its rule demands. Parts that violate a rule are left out and listed as
//     problems.
//   - Shared objects other than schemas are copied to the places where they are used.
//   - Schemas refer to each other by generated names.
type mender struct {
	*dialect
	problems
	ctx  context.Context
	docs *library

	parts   map[*node]*part // schemas to which other schemas refer
	all     []*part         // the parts in order of first reference
	drained int             // number of parts that drain has mended
	marks   []*node         // clean schemas with properties; the index is the value of indexMark
	done    map[shared]*node
	links   []link

	mended      int  // number of nodes that were mended so far
	weight      int  // number of values that kin-openapi gets so far, see addWeight
	depth       int  // number of levels that may still be entered
	schemaDepth int  // number of schemas around the current one
	inShared    bool // the current object is shared, so its schemas become parts
	err         error
}

// shared identifies a node that was mended according to a rule.
type shared struct {
	node *node
	rule *rule
}

// Limits of the number of values that kin-openapi gets. Its schemas take most of the memory, about 1 kB each. The
// number of values is usually limited to the smaller of these two; maxWeight has the exceptions:
//   - Options.MaxNodes / weightShare
//   - weightFactor times the number of values that the document may have with its aliases expanded
const (
	weightShare  = 4
	weightFactor = 5
)

func newMender(ctx context.Context, docs *library, d *dialect, o Options) *mender {
	return &mender{
		dialect: d, ctx: ctx, docs: docs,
		parts: map[*node]*part{}, done: map[shared]*node{},
		depth: o.MaxDepth,
	}
}

// checkInterval is the number of nodes after which the context is checked again.
const checkInterval = 4096

// A document of n values may have at most expansionBase + expansionFactor * n values after its aliases are expanded.
// Only documents that are made to expand exceed this limit.
const (
	expansionFactor = 20
	expansionBase   = 100_000
)

// maxExpanded returns the maximum number of values of a document after its aliases are expanded. read is the number of
// values before the expansion.
func maxExpanded(read int) int { return expansionBase + expansionFactor*read }

// maxMended returns the maximum number of nodes of all documents together, after aliases are expanded.
func (l *library) maxMended() int {
	return min(l.o.MaxNodes, maxExpanded(l.o.MaxNodes-l.nodesLeft))
}

// bytesPerValue is the approximate minimum size, in bytes, of a value with its name in a usual document.
const bytesPerValue = 8

// maxWeight returns the maximum number of values that kin-openapi gets. Usually this is a share of MaxNodes, or less
// for small documents. But it is never less than the number of values that the documents may have according to their
// size in bytes, and never more than MaxNodes.
func (l *library) maxWeight() int {
	own := int(l.o.MaxBytes-l.bytesLeft) / bytesPerValue
	return min(l.o.MaxNodes, max(min(l.o.MaxNodes/weightShare, weightFactor*l.maxMended()), own))
}

// enter counts a node and goes one level deeper. It reports whether the node may be mended. If so, the caller must
// increment m.depth when it leaves the level.
func (m *mender) enter(n *node, at *place) bool {
	if m.err != nil {
		return false
	}
	if m.depth == 0 {
		m.add(at, n, "nested too deeply, left out")
		return false
	}
	m.mended++
	if m.mended > m.docs.maxMended() {
		m.err = &limitError{fmt.Sprintf("line %d: it has too many values with its aliases expanded", n.line)}
		return false
	}
	if m.mended%checkInterval == 0 {
		m.err = context.Cause(m.ctx)
	}
	m.depth--
	return true
}

// mend returns a clean copy of n. n is the value of the field f at a place. mend returns nil if no part of n can be
// used.
func (m *mender) mend(n *node, f field, at *place) *node {
	if n == nil || n.kind == isNull || !m.enter(n, at) {
		return nil
	}
	defer func() { m.depth++ }()
	if f.allowsFlag && n.kind == isFlag {
		return n
	}
	switch f.shape {
	case oneObject:
		return m.object(n, f.rule, at)
	case objectMap:
		return m.members(n, f, at)
	case objectList, texts, types, values:
		return m.elements(n, f, at)
	case aValue:
		return m.value(n, at)
	}
	clean := scalar(n, f.shape)
	if clean == nil {
		m.add(at, n, "%s belongs here, not %s; left out", shapeName[f.shape], n.what())
	}
	return clean
}

// member mends a member of the object at a place. Most members are valid scalars; to save time, member creates no
// place for them.
func (m *mender) member(n *node, f field, at *place, key string) *node {
	if f.shape <= aCount && n.scalar() && m.err == nil && m.depth > 0 && (m.mended+1)%checkInterval != 0 {
		if clean := scalar(n, f.shape); clean != nil {
			m.mended++
			return clean
		}
	}
	return m.mend(n, f, at.at(key))
}

// object mends an object according to a rule. If the object is a reference ($ref), it mends the object to which the
// reference refers. It returns nil if no part of the object can be used.
func (m *mender) object(n *node, r *rule, at *place) *node {
	if r == m.schema && m.refSiblings && n.kind == isFlag {
		return n // true and false are schemas in JSON Schema
	}
	if n.kind != isObject {
		m.add(at, n, "%s must be an object, not %s; left out", article(r.name), n.what())
		return nil
	}
	if r == m.schema {
		return m.schemaAt(n, at)
	}
	if ref := n.get("$ref"); ref != nil && r.refs {
		return m.inlineRef(ref, r, at)
	}
	if m.isSimpleParam2(n, r) {
		defer m.setInShared(false)()
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

// plain mends those members of an object that its rule lists, without following a $ref. It returns nil if the check
// of the rule refuses the object.
func (m *mender) plain(n *node, r *rule, at *place) *node {
	clean := emptyCopy(n)
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
			m.add(at, n, "%s; left out", wrong)
			return nil
		}
	}
	return clean
}

// members mends an object whose members all follow the rule of f. It returns nil if the value is not an object.
func (m *mender) members(n *node, f field, at *place) *node {
	if n.kind != isObject {
		m.add(at, n, "an object of named %ss belongs here, not %s; left out", f.rule.name, n.what())
		return nil
	}
	clean := emptyCopy(n)
	for i, key := range n.keys {
		kid := m.mend(n.kids[i], object(f.rule), at.at(key))
		if kid == nil && f.orEmpty {
			kid = objectNode(n.kids[i].line)
		}
		if kid != nil {
			clean.push(key, kid)
		}
	}
	return clean
}

// elements mends a list. A single text in place of a list of texts becomes a list of one. For other values that are
// not lists, elements returns nil.
func (m *mender) elements(n *node, f field, at *place) *node {
	if (f.shape == texts || f.shape == types) && n.kind == isText {
		return &node{kind: isList, line: n.line, kids: []*node{n}}
	}
	if n.kind != isList {
		m.add(at, n, "%s belongs here, not %s; left out", listName(f), n.what())
		return nil
	}
	clean := emptyCopy(n)
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

// element has the field that describes the elements of a list, by the shape of the list.
var element = map[shape]field{texts: text, types: text, values: value, objectList: {shape: oneObject}}

func listName(f field) string {
	if f.shape == objectList {
		return "a list of " + f.rule.name + "s"
	}
	return shapeName[f.shape]
}

// value copies any value. Numbers are written in the form of JSON. A number that JSON cannot represent becomes a
// text.
func (m *mender) value(n *node, at *place) *node {
	switch n.kind {
	case isList:
		return m.elements(n, anyList, at)
	case isObject:
		clean := emptyCopy(n)
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
