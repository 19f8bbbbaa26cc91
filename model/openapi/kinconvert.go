package openapi

import (
	"errors"
	"fmt"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
)

// kin-openapi converts one schema or operation at a time. If it refuses one, only this schema or operation is lost.
// The functions of this file set the fields of kin-openapi's types directly. The alternative, to print the clean tree
// and let kin-openapi parse the text, would take longer than all other steps together.

// kinSchema converts a clean schema of OpenAPI 2.0 or 3 to kin-openapi's type for OpenAPI 3.
func (b *bundle) kinSchema(clean *node) (schema *openapi3.Schema, err error) {
	defer recoverAsError(&err)
	ref := schema3(clean)
	if b.isV2 {
		ref = openapi2conv.ToV3SchemaRef(schema2(clean))
	}
	if ref.Value == nil {
		return nil, errors.New("it is not a schema")
	}
	return ref.Value, nil
}

// kinOperation converts a clean operation to kin-openapi's type for OpenAPI 3.
func (b *bundle) kinOperation(clean *node) (op *openapi3.Operation, err error) {
	defer recoverAsError(&err)
	if !b.isV2 {
		return operation3(clean), nil
	}
	op2 := operation2(clean)
	return openapi2conv.ToV3Operation(&openapi3.Components{}, nil, op2, op2.Consumes)
}

// kinServers returns the servers for the host, base path and schemes of OpenAPI 2.0. kin-openapi converts them.
func (b *bundle) kinServers(host string) (servers openapi3.Servers, err error) {
	defer recoverAsError(&err)
	doc2 := &openapi2.T{Host: host, BasePath: b.head.str("basePath"), Schemes: textsOf(b.head.get("schemes").elements(maxServers))}
	doc, err := openapi2conv.ToV3(doc2)
	if err != nil {
		return nil, err
	}
	return doc.Servers, nil
}

// recoverAsError recovers from a panic of kin-openapi and stores it in err. It must be deferred.
func recoverAsError(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%v", r)
	}
}
