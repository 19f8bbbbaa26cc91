package openapi

import (
	"errors"
	"fmt"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
)

// kin-openapi gets one schema or operation at a time. The functions of this file write it directly into the types of
// kin-openapi, because parsing text again would take longer than everything else together. If kin-openapi refuses a
// schema or an operation, only that one is lost.

// feedSchema converts a clean schema of OpenAPI 2.0 or 3 to one of kin-openapi for OpenAPI 3.
func (b *bundle) feedSchema(clean *node) (schema *openapi3.Schema, err error) {
	defer caught(&err)
	ref := schema3(clean)
	if b.two {
		ref = openapi2conv.ToV3SchemaRef(schema2(clean))
	}
	if ref.Value == nil {
		return nil, errors.New("it is not a schema")
	}
	return ref.Value, nil
}

// feedOperation converts a clean operation to one of kin-openapi for OpenAPI 3.
func (b *bundle) feedOperation(clean *node) (op *openapi3.Operation, err error) {
	defer caught(&err)
	if !b.two {
		return operation3(clean), nil
	}
	op2 := operation2(clean)
	return openapi2conv.ToV3Operation(&openapi3.Components{}, nil, op2, op2.Consumes)
}

// feedServers lets kin-openapi build URLs from the host, base path and schemes of OpenAPI
// 2.0.
func (b *bundle) feedServers(host string) (servers openapi3.Servers, err error) {
	defer caught(&err)
	doc2 := &openapi2.T{Host: host, BasePath: b.head.str("basePath"), Schemes: texted(b.head.get("schemes").elements(maxServers))}
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
