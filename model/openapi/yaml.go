package openapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// yamlReader converts the nodes of the YAML library. All aliases of a node share the converted node. So a file whose
// aliases expand a thousandfold needs no more memory.
type yamlReader struct {
	*builder
	done   map[*yaml.Node]*node // anchored nodes
	open   map[*yaml.Node]bool  // anchored nodes that are being read
	tokens []string

	nodesAtStart int // builder.nodesLeft at the start
	merged       int // number of members that were added by "<<"
}

func (b *builder) yaml(data []byte) (*node, error) {
	if !bounded(data, b.nodesLeft) {
		return nil, &limitError{"it holds too many values"}
	}
	var doc yaml.Node
	if err := b.parseYAML(data, &doc); err != nil {
		return nil, err
	}
	if doc.Kind == 0 || len(doc.Content) == 0 {
		return &node{kind: isNull}, nil
	}
	r := &yamlReader{builder: b, done: map[*yaml.Node]*node{}, open: map[*yaml.Node]bool{}, nodesAtStart: b.nodesLeft}
	return r.value(doc.Content[0])
}

// parseYAML parses the first document of a file. It returns an error if the document is nested too deeply, or if the
// context is done. Both are checked while the library parses.
func (b *builder) parseYAML(data []byte, doc *yaml.Node) error {
	var stopped error
	check := func(depth int, _ *yaml.DepthContext) error {
		stopped = context.Cause(b.ctx)
		if stopped == nil && depth > b.depth {
			stopped = tooDeep(b.depth)
		}
		return stopped
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data),
		yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthFunc(check), loaderlimits.AliasNone())))
	if err != nil {
		return err
	}
	err = loader.Load(doc)
	var load *yaml.LoadError
	switch {
	case stopped != nil:
		return stopped
	case errors.As(err, &load):
		return fmt.Errorf("line %d: %s", load.Mark.Line, load.Message)
	case errors.Is(err, io.EOF):
		return nil
	default:
		return err
	}
}

// maxLineTokens is the maximum number of tokens on a line. Only quotes and the signs of tags, anchors and aliases
// count. If a line may be the name of a member, the library stores all of its tokens while it searches for the colon
// after the name.
const maxLineTokens = 1_000_000

// bounded reports whether a file in YAML has at most the given number of values. It is called before the library
// allocates memory for the values. It counts the separators of values, including separators in texts. It also returns
// false if a line has more than maxLineTokens tokens.
func bounded(data []byte, most int) bool {
	line := 0
	for i, c := range data {
		switch c {
		case ',', '[', '{':
			most--
		case ':', '?':
			most -= 2 // a name and a value
		case '-':
			if i == 0 || data[i-1] == ' ' || data[i-1] == '\n' {
				most--
			}
		case '"', '\'', '!', '&', '*':
			line++
		case '\n':
			line = 0
		}
		if most < 0 || line > maxLineTokens {
			return false
		}
	}
	return true
}

func (r *yamlReader) value(y *yaml.Node) (*node, error) {
	if y.Kind == yaml.AliasNode {
		return r.alias(y)
	}
	if y.Anchor == "" {
		return r.convert(y)
	}
	r.open[y] = true
	n, err := r.convert(y)
	delete(r.open, y)
	r.done[y] = n
	return n, err
}

func (r *yamlReader) alias(y *yaml.Node) (*node, error) {
	if n := r.done[y.Alias]; n != nil {
		return n, nil
	}
	if r.open[y.Alias] {
		r.addNote(r.tokens, int32(y.Line), fmt.Sprintf("the alias %q is inside of what it names", y.Value))
		return &node{line: int32(y.Line)}, nil
	}
	return r.value(y.Alias)
}

func (r *yamlReader) convert(y *yaml.Node) (*node, error) {
	if err := r.countNode(len(r.tokens)); err != nil {
		return nil, err
	}
	switch y.Kind {
	case yaml.MappingNode:
		return r.object(y)
	case yaml.SequenceNode:
		return r.elements(y)
	default:
		return &node{kind: scalarKind(y), line: int32(y.Line), text: y.Value}, nil
	}
}

// scalarKind returns the kind of a scalar according to YAML 1.2. Quoted scalars and dates are texts.
func scalarKind(y *yaml.Node) nodeKind {
	if y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return isText
	}
	switch y.ShortTag() {
	case "!!null":
		return isNull
	case "!!bool":
		return isFlag
	case "!!int", "!!float":
		return isNumber
	default:
		return isText
	}
}

func (r *yamlReader) elements(y *yaml.Node) (*node, error) {
	n := &node{kind: isList, line: int32(y.Line), kids: make([]*node, 0, len(y.Content))}
	for i, kid := range y.Content {
		r.tokens = append(r.tokens, strconv.Itoa(i))
		v, err := r.value(kid)
		r.tokens = r.tokens[:len(r.tokens)-1]
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, v)
	}
	return n, nil
}

func (r *yamlReader) object(y *yaml.Node) (*node, error) {
	n := objectNode(int32(y.Line))
	n.keys, n.kids = make([]string, 0, len(y.Content)/2), make([]*node, 0, len(y.Content)/2)
	var merges []*node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, kid := y.Content[i], y.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			r.addNote(r.tokens, int32(key.Line), "a name must be a text, not an object or a list")
			continue
		}
		r.tokens = append(r.tokens, key.Value)
		v, err := r.value(kid)
		r.tokens = r.tokens[:len(r.tokens)-1]
		if err != nil {
			return nil, err
		}
		if key.ShortTag() == "!!merge" {
			merges = append(merges, v)
			continue
		}
		r.add(n, key.Value, atLine(v, kid, int32(key.Line)), r.tokens)
	}
	for _, m := range merges {
		if err := r.merge(n, m); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// atLine sets the line of a member's value to the line of the member's name. A value that aliases share keeps its own
// line.
func atLine(v *node, kid *yaml.Node, line int32) *node {
	if kid.Kind != yaml.AliasNode && kid.Anchor == "" {
		v.line = line
	}
	return v
}

// merge adds members to n from the value of a merge key ("<<"). from is this value: an object or a list of objects.
// Members that n already has are not replaced.
func (r *yamlReader) merge(n *node, from *node) error {
	sources := []*node{from}
	if from.kind == isList {
		sources = from.kids
	}
	for _, m := range sources {
		for i, key := range m.keys {
			r.merged++
			if r.merged > min(r.nodesAtStart, maxExpanded(r.nodesAtStart-r.nodesLeft)) {
				return &limitError{fmt.Sprintf("line %d: its merge keys (<<) add too many values", n.line)}
			}
			if n.find(key) < 0 {
				n.set(key, m.kids[i])
			}
		}
	}
	return nil
}
