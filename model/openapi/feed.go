package openapi

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
)

// kin-openapi gets one schema and one operation at a time. It refuses nothing
// that the rules let through; should it do so once more, only that piece is
// lost, and linking the pieces takes no deeper stack and no more time than
// there are references.

// feedSchema has kin-openapi read a schema, of OpenAPI 2.0 or 3, into one of 3.
func (b *bundle) feedSchema(clean *node) (schema *openapi3.Schema, err error) {
	defer caught(&err)
	ref := &openapi3.SchemaRef{}
	if !b.two {
		err = decode(clean, ref)
	} else {
		ref2 := &openapi2.SchemaRef{}
		if err = decode(clean, ref2); err == nil {
			ref = openapi2conv.ToV3SchemaRef(ref2)
		}
	}
	if err == nil && ref.Value == nil {
		err = errors.New("it is no schema")
	}
	return ref.Value, err
}

// feedOperation has kin-openapi read an operation.
func (b *bundle) feedOperation(clean *node) (op *openapi3.Operation, err error) {
	defer caught(&err)
	if !b.two {
		op = &openapi3.Operation{}
		return op, decode(clean, op)
	}
	op2 := &openapi2.Operation{}
	if err := decode(clean, op2); err != nil {
		return nil, err
	}
	return openapi2conv.ToV3Operation(&openapi3.Components{}, nil, op2, op2.Consumes)
}

// feedServers has kin-openapi make URLs of OpenAPI 2.0's host, base path and
// schemes.
func (b *bundle) feedServers(host string) (servers openapi3.Servers, err error) {
	defer caught(&err)
	doc2 := &openapi2.T{Host: host, BasePath: b.head.str("basePath"), Schemes: texted(b.head.get("schemes").elements(mostServers))}
	doc, err := openapi2conv.ToV3(doc2)
	if err != nil {
		return nil, err
	}
	return doc.Servers, nil
}

// caught turns a panic of kin-openapi into an error.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%v", r)
	}
}

func decode(n *node, into any) error { return json.Unmarshal(appendJSON(nil, n), into) }

// appendJSON writes a clean tree.
func appendJSON(b []byte, n *node) []byte {
	switch n.kind {
	case isNull:
		return append(b, "null"...)
	case isText:
		return appendText(b, n.text)
	case isList:
		b = append(b, '[')
		for i, kid := range n.kids {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, kid)
		}
		return append(b, ']')
	case isObject:
		b = append(b, '{')
		for i, kid := range n.kids {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, n.keys[i]), ':')
			b = appendJSON(b, kid)
		}
		return append(b, '}')
	default:
		return append(b, n.text...)
	}
}

func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string always marshals
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
