package openapi

import (
	"slices"
	"strconv"
)

// nodeKind is the kind of a node.
type nodeKind uint8

const (
	isNull nodeKind = iota
	isFlag
	isNumber
	isText
	isList
	isObject
)

// node is one value of a document or of its clean copy. Names and scalars have the text of the file. Members have the
// order of the file. The nodes of a document do not change after they are read, because a node may be the value of
// several YAML aliases.
type node struct {
	kind nodeKind
	// line is the line of the member's name, or of the value itself in a list.
	line int32
	text string   // scalars only
	keys []string // objects only
	kids []*node

	index map[string]int // position by key; created at the first look-up in a large object
}

// indexFrom is the number of keys above which an index is faster than a linear search.
const indexFrom = 16

// get returns the member called key, or nil if there is none.
func (n *node) get(key string) *node {
	if i := n.find(key); i >= 0 {
		return n.kids[i]
	}
	return nil
}

// find returns the position of the member called key, -1 if there is none.
func (n *node) find(key string) int {
	if n == nil || n.kind != isObject {
		return -1
	}
	if len(n.keys) >= indexFrom {
		if n.index == nil {
			n.fillIndex()
		}
		if i, ok := n.index[key]; ok {
			return i
		}
		return -1
	}
	for i, k := range n.keys {
		if k == key {
			return i
		}
	}
	return -1
}

func (n *node) fillIndex() {
	n.index = make(map[string]int, len(n.keys))
	for i, k := range n.keys {
		n.index[k] = i
	}
}

// set adds a member or replaces its value.
func (n *node) set(key string, kid *node) {
	if i := n.find(key); i >= 0 {
		n.kids[i] = kid
		return
	}
	n.push(key, kid)
}

// push adds a member. n must not have a member of the same name.
func (n *node) push(key string, kid *node) {
	if n.index != nil {
		n.index[key] = len(n.keys)
	}
	n.keys = append(n.keys, key)
	n.kids = append(n.kids, kid)
}

// clone returns a copy of the node whose members can be changed with set.
func (n *node) clone() *node {
	return &node{kind: n.kind, line: n.line, text: n.text, keys: slices.Clone(n.keys), kids: slices.Clone(n.kids)}
}

// str returns the text of a member that is a scalar, "" if there is no such member.
func (n *node) str(key string) string {
	if kid := n.get(key); kid != nil && kid.scalar() {
		return kid.text
	}
	return ""
}

// elements returns the first elements of a list, at most limit of them. It returns nil for a nil n.
func (n *node) elements(limit int) []*node {
	if n == nil {
		return nil
	}
	return n.kids[:min(len(n.kids), limit)]
}

// list returns the elements of the member called key, nil if the member is not a list.
func (n *node) list(key string) []*node {
	if kid := n.get(key); kid != nil && kid.kind == isList {
		return kid.kids
	}
	return nil
}

func (n *node) scalar() bool { return n.kind == isFlag || n.kind == isNumber || n.kind == isText }

// is reports whether n is a scalar with that text.
func (n *node) is(text string) bool { return n != nil && n.scalar() && n.text == text }

// what describes the node for a message.
func (n *node) what() string {
	switch {
	case n == nil || n.kind == isNull:
		return "nothing"
	case n.kind == isObject:
		return "an object"
	case n.kind == isList:
		return "a list"
	case n.kind == isText:
		return "the text " + strconv.Quote(short(n.text))
	default:
		return short(n.text)
	}
}

// short truncates a text for a message.
func short(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

func textNode(text string, line int32) *node { return &node{kind: isText, text: text, line: line} }
func flagNode(set bool, line int32) *node {
	return &node{kind: isFlag, text: strconv.FormatBool(set), line: line}
}
func objectNode(line int32) *node { return &node{kind: isObject, line: line} }

// emptyCopy returns an empty object or list with the capacity for n's members.
func emptyCopy(n *node) *node {
	c := &node{kind: n.kind, line: n.line, kids: make([]*node, 0, len(n.kids))}
	if n.kind == isObject {
		c.keys = make([]string, 0, len(n.keys))
	}
	return c
}

// names returns the keys of an object, nil for a nil n.
func (n *node) names() []string {
	if n == nil {
		return nil
	}
	return n.keys
}
