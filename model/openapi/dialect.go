package openapi

import (
	"errors"
	"strings"
)

// dialect is what differs between the versions of OpenAPI.
type dialect struct {
	format  string // as a person calls it
	two     bool   // OpenAPI 2.0
	beside  bool   // members beside a schema's $ref count
	version string // what kin-openapi is told

	schema, param, response, operation *rule
	methods                            []string // in the model's order
}

var methods2 = []string{"get", "put", "post", "delete", "options", "head", "patch"}

// dialectOf reads the version; the error says what the document is instead.
func dialectOf(root *node) (*dialect, error) {
	if v := root.get("swagger"); v != nil && v.scalar() {
		if v.text != "2" && !strings.HasPrefix(v.text, "2.") {
			return nil, errors.New("it is a Swagger " + short(v.text) + " document")
		}
		return &dialect{
			format: "OpenAPI 2.0", two: true, version: "2.0",
			schema: schema2, param: param2, response: response2, operation: operation2, methods: methods2,
		}, nil
	}
	v := root.get("openapi")
	if v == nil || !v.scalar() {
		return nil, errors.New(describe(root))
	}
	if v.text != "3" && !strings.HasPrefix(v.text, "3.") {
		return nil, errors.New("it is an OpenAPI " + short(v.text) + " document")
	}
	return dialect3(v.text), nil
}

func dialect3(version string) *dialect {
	d := &dialect{
		format: "OpenAPI 3.0", version: "3.0.3",
		schema: schema3, param: param3, response: response3, operation: operation3,
		methods: append(methods2[:len(methods2):len(methods2)], "trace"),
	}
	if parts := strings.Split(version, "."); len(parts) > 1 && parts[1] != "0" {
		d.format, d.version, d.beside = "OpenAPI 3."+short(parts[1]), "3.1.0", true
	}
	return d
}
