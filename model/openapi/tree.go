package openapi

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// document is one file that was read.
type document struct {
	name string // name of the file in error messages
	main bool   // the spec itself
	base string // the path or URL from which relative references are resolved
	root *node
	self string // the URL that the document gives itself by $self, "" if it gives none
	// relative reports whether there is a note about relative references, see library.noteRelative.
	relative bool
}

// builder builds the tree of a document within limits.
type builder struct {
	ctx       context.Context
	depth     int // maximum number of levels
	nodesLeft int // number of nodes that may still be created
	notes     []note
}

// note is a problem in the text of a file that the tree does not show, such as a name that occurs twice.
type note struct {
	tokens []string
	line   int32
	text   string
}

// readTree reads bytes as JSON if they start like JSON, and otherwise as YAML. Bytes that start like JSON but are not
// valid JSON, such as a flow mapping of YAML, are also read as YAML.
func (b *builder) readTree(data []byte) (*node, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	start := bytes.TrimLeft(data, " \t\r\n")
	if len(start) == 0 || (start[0] != '{' && start[0] != '[') {
		return b.yaml(data)
	}
	root, err := b.json(data)
	if err == nil || b.ctx.Err() != nil || isLimit(err) {
		return root, err
	}
	b.notes = nil
	if root, yamlErr := b.yaml(data); yamlErr == nil || isLimit(yamlErr) {
		return root, yamlErr
	}
	return nil, err
}

// limitError is the error for a document that exceeds a limit.
type limitError struct{ text string }

func (e *limitError) Error() string { return e.text }

func tooDeep(levels int) error {
	return &limitError{fmt.Sprintf("it is nested deeper than %d levels", levels)}
}

// countNode counts one node at a depth. It returns an error if there are too many nodes or levels, or if the context
// is done.
func (b *builder) countNode(depth int) error {
	if depth > b.depth {
		return tooDeep(b.depth)
	}
	b.nodesLeft--
	if b.nodesLeft < 0 {
		return &limitError{"it holds too many values"}
	}
	if b.nodesLeft%4096 == 0 {
		return context.Cause(b.ctx)
	}
	return nil
}

// add adds a member to n. If n already has a member of the same name, add replaces the value of that member, as most
// parsers do. tokens are the path of n from the root.
func (b *builder) add(n *node, key string, kid *node, tokens []string) {
	i := n.find(key)
	if i < 0 {
		n.push(key, kid)
		return
	}
	b.addNote(append(slices.Clone(tokens), key), kid.line, "the name is here twice, the last one counts")
	n.kids[i] = kid
}

// addNote adds a note, unless there are already maxProblems notes.
func (b *builder) addNote(tokens []string, line int32, text string) {
	if len(b.notes) < maxProblems {
		b.notes = append(b.notes, note{tokens: slices.Clone(tokens), line: line, text: text})
	}
}
