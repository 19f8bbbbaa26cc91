package openapi

import (
	"errors"
	"slices"
	"strings"
)

// dialect has the differences between the versions of OpenAPI.
type dialect struct {
	*rules
	format      string // such as "OpenAPI 3.0"
	isV2        bool   // OpenAPI 2.0
	refSiblings bool   // a $ref of a schema may have siblings, as in OpenAPI 3.1
	methods     []string
	// anyMethod reports whether a path item may have additionalOperations, as in OpenAPI 3.2.
	anyMethod bool
}

// methods2 are the methods of OpenAPI 2.0, in the order that model.Spec demands.
var methods2 = []string{"get", "put", "post", "delete", "options", "head", "patch"}

// methods3 are the methods of OpenAPI 3.0 and 3.1, in the order that model.Spec demands.
var methods3 = append(slices.Clone(methods2), "trace")

// methods32 are the methods of OpenAPI 3.2, in the order that model.Spec demands. A path item may also have other
// methods, below additionalOperations.
var methods32 = append(slices.Clone(methods3), "query")

// dialectOf returns the dialect of a document. If the document is not OpenAPI, the error says what it is.
func dialectOf(root *node) (*dialect, error) {
	if v := root.str("swagger"); v != "" {
		if v != "2" && !strings.HasPrefix(v, "2.") {
			return nil, errors.New("it is a Swagger " + short(v) + " document")
		}
		return &dialect{rules: rules2, format: "OpenAPI 2.0", isV2: true, methods: methods2}, nil
	}
	v := root.str("openapi")
	if v == "" {
		return nil, errors.New(describe(root))
	}
	if v != "3" && !strings.HasPrefix(v, "3.") {
		return nil, errors.New("it is an OpenAPI " + short(v) + " document")
	}
	d := &dialect{rules: rules3, format: "OpenAPI 3.0", methods: methods3}
	if parts := strings.Split(v, "."); len(parts) > 1 && parts[1] != "0" {
		d.format, d.refSiblings = "OpenAPI 3."+short(parts[1]), true
		if parts[1] != "1" {
			d.methods, d.anyMethod = methods32, true
		}
	}
	return d, nil
}
