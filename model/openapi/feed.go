package openapi

import (
	"encoding/json"
	"fmt"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
)

// pieces selects what kin-openapi is fed with: the first schemas and operations
// of a bundle. A schema that is left out becomes one that allows anything.
type pieces struct{ schemas, ops int }

// feed gives kin-openapi the clean pieces and returns its document, in version
// 3 and with all references resolved. The library is not trusted with what the
// rules let through: a panic of it is an error.
func (b *bundle) feed(p pieces) (doc *openapi3.T, err error) {
	defer func() {
		if r := recover(); r != nil {
			doc, err = nil, fmt.Errorf("%v", r)
		}
	}()
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	if b.two {
		return b.feed2(p)
	}
	return b.feed3(p)
}

func (b *bundle) feed2(p pieces) (*openapi3.T, error) {
	doc := &openapi2.T{Swagger: b.version, Host: b.head.str("host"), BasePath: b.head.str("basePath"), Paths: map[string]*openapi2.PathItem{}, Definitions: map[string]*openapi2.SchemaRef{}}
	for _, s := range b.head.list("schemes") {
		doc.Schemes = append(doc.Schemes, s.text)
	}
	for i, s := range b.all[:b.used] {
		ref := &openapi2.SchemaRef{Value: &openapi2.Schema{}}
		if i < p.schemas && !s.skipped {
			ref = &openapi2.SchemaRef{}
			if err := decode(s.clean, ref); err != nil {
				return nil, err
			}
		}
		doc.Definitions[s.key()] = ref
	}
	for _, op := range b.ops[:p.ops] {
		if op.skipped {
			continue
		}
		v := &openapi2.Operation{}
		if err := decode(op.clean, v); err != nil {
			return nil, err
		}
		doc.AddOperation(op.path, op.verb(), v)
	}
	return openapi2conv.ToV3(doc)
}

func (b *bundle) feed3(p pieces) (*openapi3.T, error) {
	doc := &openapi3.T{OpenAPI: b.version, Components: &openapi3.Components{Schemas: openapi3.Schemas{}}, Paths: openapi3.NewPaths()}
	for _, s := range b.head.list("servers") {
		doc.Servers = append(doc.Servers, &openapi3.Server{URL: s.str("url")})
	}
	for i, s := range b.all[:b.used] {
		ref := &openapi3.SchemaRef{Value: &openapi3.Schema{}}
		if i < p.schemas && !s.skipped {
			ref = &openapi3.SchemaRef{}
			if err := decode(s.clean, ref); err != nil {
				return nil, err
			}
		}
		doc.Components.Schemas[s.key()] = ref
	}
	for _, op := range b.ops[:p.ops] {
		if op.skipped {
			continue
		}
		v := &openapi3.Operation{}
		if err := decode(op.clean, v); err != nil {
			return nil, err
		}
		doc.AddOperation(op.path, op.verb(), v)
	}
	return doc, openapi3.NewLoader().ResolveRefsIn(doc, nil)
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
