package openapi

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// document is one file that was read.
type document struct {
	name string // in messages
	main bool   // the spec itself
	base string // the path or URL that relative references start from
	root *node
}

// builder builds the tree of a document within limits.
type builder struct {
	ctx   context.Context
	depth int // most levels
	nodes int // nodes that may still be made
	notes []note
}

// note is a problem in the file's text that the tree no longer shows.
type note struct {
	tokens []string
	line   int32
	text   string
}

// readTree reads bytes as JSON if they start like it. YAML is tried for anything else, and
// for what starts like JSON and is not: a flow mapping.
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

// spend counts one node at a depth.
func (b *builder) spend(depth int) error {
	if depth > b.depth {
		return tooDeep(b.depth)
	}
	b.nodes--
	if b.nodes < 0 {
		return &limitError{"it holds too many values"}
	}
	if b.nodes%4096 == 0 {
		return context.Cause(b.ctx)
	}
	return nil
}

// add adds a member to n. If the name is there already, the last value is used, as most
// parsers do.
func (b *builder) add(n *node, key string, kid *node, way []string) {
	i := n.find(key)
	if i < 0 {
		n.push(key, kid)
		return
	}
	b.remark(append(slices.Clone(way), key), kid.line, "the name is here twice, the last one counts")
	n.kids[i] = kid
}

// remark adds a note, up to the number of problems that are listed.
func (b *builder) remark(way []string, line int32, text string) {
	if len(b.notes) < maxProblems {
		b.notes = append(b.notes, note{tokens: slices.Clone(way), line: line, text: text})
	}
}
