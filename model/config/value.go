package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// Limits of a file. No file written by hand reaches them. Within these limits, a file fits into memory even with all
// aliases expanded.
const (
	maxBytes  = 1 << 20
	maxValues = 20_000
	maxDepth  = 64
)

// kind is the kind of a value.
type kind uint8

const (
	isNull kind = iota
	isText      // or any other scalar; text is the scalar as written in the file, without quotes
	isList
	isObject
)

// value is one value of the file. Objects and lists have kids. Lines are numbered from 1; 0 means that the line is
// unknown.
type value struct {
	kind kind
	line int
	text string
	keys []string // the keys of an object; at has the line of each key
	at   []int
	kids []*value
	// isPrivate reports whether the text may be a secret, which must not be part of errors.
	isPrivate bool
}

// get returns the member with a key. It returns nil if there is none, or if its value is null.
func (v *value) get(key string) *value {
	for i, k := range v.keys {
		if k == key && v.kids[i].kind != isNull {
			return v.kids[i]
		}
	}
	return nil
}

func (v *value) add(key string, line int, kid *value) {
	v.keys, v.at, v.kids = append(v.keys, key), append(v.at, line), append(v.kids, kid)
}

func (v *value) has(key string) bool { return v.kind == isObject && v.get(key) != nil }

// what describes the value for errors.
func (v *value) what() string {
	if v.kind == isText && v.isPrivate {
		return "a text"
	}
	return [...]string{"nothing", fmt.Sprintf("%.60q", v.text), "a list", "several keys"}[v.kind]
}

// lineError is an error with the number of a line.
type lineError struct {
	line int
	text string
}

func (e *lineError) Error() string {
	if e.line == 0 {
		return e.text
	}
	return fmt.Sprintf("line %d: %s", e.line, e.text)
}

// parse parses YAML, which includes JSON.
func parse(data []byte) (*value, error) {
	if len(data) > maxBytes {
		return nil, fmt.Errorf("it is larger than the limit of %d KiB", maxBytes>>10)
	}
	deep := func(depth int, _ *yaml.DepthContext) error {
		if depth > maxDepth {
			return fmt.Errorf("it is nested deeper than %d levels", maxDepth)
		}
		return nil
	}
	loader, err := yaml.NewLoader(
		bytes.NewReader(data),
		yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthFunc(deep), loaderlimits.AliasNone())),
	)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	err = loader.Load(&doc)
	var load *yaml.LoadError
	switch {
	case errors.As(err, &load):
		return nil, &lineError{load.Mark.Line, load.Message}
	case errors.Is(err, io.EOF), err == nil && len(doc.Content) == 0:
		return &value{}, nil
	case err != nil:
		return nil, err
	}
	t := tree{left: maxValues}
	return t.value(doc.Content[0], 0)
}

// tree converts nodes of the YAML library to values and expands aliases. left is the number of nodes that may still
// be converted.
type tree struct{ left int }

func (t *tree) value(n *yaml.Node, depth int) (*value, error) {
	t.left--
	if t.left < 0 || depth > maxDepth {
		return nil, &lineError{n.Line, "it is too large with its aliases expanded"}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return t.value(n.Alias, depth+1)
	case yaml.MappingNode:
		return t.object(n, depth)
	case yaml.SequenceNode:
		v := &value{kind: isList, line: n.Line}
		for _, c := range n.Content {
			kid, err := t.value(c, depth+1)
			if err != nil {
				return nil, err
			}
			v.kids = append(v.kids, kid)
		}
		return v, nil
	}
	if n.ShortTag() == "!!null" {
		return &value{line: n.Line}, nil
	}
	return &value{kind: isText, line: n.Line, text: n.Value}, nil
}

func (t *tree) object(n *yaml.Node, depth int) (*value, error) {
	v := &value{kind: isObject, line: n.Line}
	var merged []*value
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		kid, err := t.value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		switch {
		case key.ShortTag() == "!!merge":
			merged = append(merged, kid)
		case key.Kind != yaml.ScalarNode:
			return nil, &lineError{key.Line, "a key must be a word"}
		case contains(v.keys, key.Value):
			return nil, &lineError{key.Line, fmt.Sprintf("the key %.60q is here twice", key.Value)}
		default:
			v.add(key.Value, key.Line, kid)
		}
	}
	for _, m := range merged {
		v = inherit(v, m)
	}
	return v, nil
}

// inherit returns the object v with the members that it lacks from a template, also in nested objects. It leaves out
// members that v excludes; see instead. If v is null, it returns the template. If v or the template is not an object,
// it returns v. Lists are not merged.
func inherit(v, template *value) *value {
	if v.kind == isNull {
		return template
	}
	if v.kind != isObject || template.kind != isObject {
		return v
	}
	out := &value{kind: isObject, line: v.line}
	for i, key := range v.keys {
		kid := v.kids[i]
		if from := template.get(key); from != nil {
			kid = inherit(kid, from)
		}
		out.add(key, v.at[i], kid)
	}
	for i, key := range template.keys {
		if !v.has(key) && !contains(v.keys, key) && !replaced(v, key) {
			out.add(key, template.at[i], template.kids[i])
		}
	}
	return out
}

// instead has, for a key, other keys that it excludes. An object with the first key does not inherit the excluded keys
// from a template.
var instead = map[string][]string{
	"payloadRaw":          {"payloadUserPwd", "payloadFields"},
	"payloadUserPwd":      {"payloadRaw", "payloadFields"},
	"payloadFields":       {"payloadRaw", "payloadUserPwd"},
	"endpoint":            {"externalEndpointURL"},
	"externalEndpointURL": {"endpoint"},
}

func replaced(v *value, key string) bool { return slices.ContainsFunc(instead[key], v.has) }
