package openapi

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// document is one file that was read.
type document struct {
	name string // what messages call it
	main bool   // the spec itself
	base string // the path or URL that relative references start from
	root *node
}

// builder makes a document's tree and keeps its bounds.
type builder struct {
	ctx   context.Context
	depth int // most levels
	nodes int // nodes that may still be made
	notes []note
}

// note is something about the file's text that stands outside the tree.
type note struct {
	tokens []string
	line   int32
	text   string
}

// readTree reads bytes as JSON if they begin like it, else as YAML, which
// holds most of JSON.
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

// limitError tells that a document is larger than Sonde reads.
type limitError struct{ text string }

func (e *limitError) Error() string { return e.text }

func tooDeep(levels int) error {
	return &limitError{fmt.Sprintf("it is nested deeper than %d levels", levels)}
}

// spend takes one node from the budget at a depth.
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

// add puts a member into n. Where a name stands twice the last one counts, as
// most readers have it.
func (b *builder) add(n *node, key string, kid *node, way []string) {
	i := n.find(key)
	if i < 0 {
		n.push(key, kid)
		return
	}
	b.remark(append(slices.Clone(way), key), kid.line, "the name stands twice here, the last one counts")
	n.kids[i] = kid
}

// remark notes something, unless so much is noted that nobody reads more.
func (b *builder) remark(way []string, line int32, text string) {
	if len(b.notes) < mostProblems {
		b.notes = append(b.notes, note{tokens: slices.Clone(way), line: line, text: text})
	}
}
