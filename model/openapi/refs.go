package openapi

// maxHops is the maximum length of a chain in which references refer to references.
const maxHops = 100

// inlineRef returns a clean copy of the object to which a reference refers. The copy replaces the reference. The
// schemas in the object become parts, because the object may be used in many places. inlineRef returns nil if the
// reference is broken.
func (m *mender) inlineRef(ref *node, r *rule, at *place) *node {
	n, to, ok := m.follow(ref, at, nil)
	if !ok {
		return nil
	}
	key := shared{n, r}
	if clean, ok := m.done[key]; ok {
		return clean
	}
	defer m.setInShared(true)()
	clean := m.object(n, r, to)
	m.done[key] = clean
	return clean
}

// setInShared sets whether the current object is shared. The schemas in a shared object become parts. The caller must
// call restore when it leaves the object.
func (m *mender) setInShared(on bool) (restore func()) {
	before := m.inShared
	m.inShared = on
	return func() { m.inShared = before }
}

// isSimpleParam2 reports whether n is a parameter of OpenAPI 2.0 outside the body. Some documents give the type of
// such a parameter in a schema. This schema must not become a part, see normalizeParam2.
func (m *mender) isSimpleParam2(n *node, r *rule) bool {
	return m.isV2 && r == m.param && n.str("in") != "body"
}

// follow follows references until it finds an object that is not a reference, or an object for which stop returns true.
// If stop is nil, it follows all references. If a reference is broken, part of a cycle or part of a longer chain than
// maxHops, follow adds a problem and returns false.
func (m *mender) follow(ref *node, at *place, stop func(*node) bool) (*node, *place, bool) {
	from, next := at, ref
	for range maxHops {
		n, to, err := m.docs.find(next, from)
		if err != nil {
			m.add(at, ref, "$ref %q: %v; left out", short(ref.text), err)
			return nil, nil, false
		}
		next, from = n.get("$ref"), to
		if next == nil || next.kind != isText || stop != nil && stop(n) {
			return n, to, true
		}
	}
	m.add(at, ref, "$ref %q is a cycle of references; left out", short(ref.text))
	return nil, nil, false
}
