package openapi_test

import (
	"context"
	"reflect"
	"testing"

	"sonde/model"
	"sonde/model/openapi"
)

func TestSchemes(t *testing.T) {
	tests := []struct {
		name, doc string
		want      []model.SecurityScheme
		schemes   []string
		secured   bool
	}{
		{
			"OpenAPI 3, all kinds", `{openapi: 3.0.0, components: {securitySchemes: {
  b: {type: http, scheme: Bearer}, p: {type: http, scheme: basic}, q: {type: apiKey, in: query, name: key},
  c: {$ref: '#/components/securitySchemes/q'},
  o: {type: oauth2, flows: {implicit: {}, password: {tokenUrl: /token}}}, i: {type: openIdConnect}, x: {type: mutualTLS}, y: nonsense}},
  security: [{b: []}, {p: [], q: []}], paths: {/a: {get: {}}}}`,
			[]model.SecurityScheme{
				{Name: "b", Kind: "bearer"},
				{Name: "p", Kind: "basic"},
				{Name: "q", Kind: "apiKey", In: model.InQuery, Key: "key"},
				{Name: "c", Kind: "apiKey", In: model.InQuery, Key: "key"},
				{Name: "o", Kind: "oauth2", TokenURL: "/token", Flow: "password"},
				{Name: "i", Kind: "openIdConnect"},
			},
			[]string{"b", "p", "q"},
			true,
		},
		{
			"OpenAPI 2.0", `{swagger: '2.0', securityDefinitions: {
  b: {type: basic}, o: {type: oauth2, flow: password, tokenUrl: 'http://a.example/t'}},
  paths: {/a: {get: {security: [{o: [read]}]}}}}`,
			[]model.SecurityScheme{
				{Name: "b", Kind: "basic"},
				{Name: "o", Kind: "oauth2", TokenURL: "http://a.example/t", Flow: "password"},
			},
			[]string{"o"},
			true,
		},
		{
			"optional credentials",
			`{openapi: 3.1.0, components: {securitySchemes: {b: {type: http, scheme: bearer}}}, security: [{b: []}],
  paths: {/a: {get: {security: [{b: []}, {}]}}}}`,
			[]model.SecurityScheme{{Name: "b", Kind: "bearer"}},
			[]string{"b"},
			false,
		},
		{
			"a circle",
			`{openapi: 3.1.0, components: {securitySchemes: {b: {$ref: '#/components/securitySchemes/b'}}}, paths: {/a: {get: {}}}}`,
			nil, nil, false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec, err := openapi.Parse(context.Background(), "spec", []byte(tt.doc), openapi.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(spec.SecuritySchemes, tt.want) {
				t.Errorf("schemes: got %+v, want %+v", spec.SecuritySchemes, tt.want)
			}
			op := spec.Operations[0]
			if !reflect.DeepEqual(op.Schemes, tt.schemes) || op.Secured != tt.secured {
				t.Errorf("asked: got %q secured %v, want %q %v", op.Schemes, op.Secured, tt.schemes, tt.secured)
			}
		})
	}
}
