package observe_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sonde/analysis/observe"
	"sonde/model"
	"sonde/model/openapi"

	"github.com/google/go-cmp/cmp"
)

// shop has products whose field "origin" is the id of a vendor.
const shop = `openapi: 3.0.3
info: {title: Shop, version: "1"}
servers: [{url: "https://shop.example/v1"}]
paths:
  /vendors:
    get: {responses: {"200": {$ref: "#/components/responses/Vendors"}}}
  /vendors/{vendorId}:
    parameters: [{name: vendorId, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {$ref: "#/components/responses/Vendor"}}}
  /products:
    get: {responses: {"200": {$ref: "#/components/responses/Products"}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Product"}}}}
      responses: {"201": {$ref: "#/components/responses/Product"}}
components:
  responses:
    Vendor: {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Vendor"}}}}
    Vendors: {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Vendor"}}}}}
    Product: {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Product"}}}}
    Products: {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Product"}}}}}
  schemas:
    Vendor:
      type: object
      properties: {id: {type: string}, slug: {type: string}, rank: {type: integer}}
    Product:
      type: object
      properties: {origin: {type: string}, grade: {type: integer}, title: {type: string}}
`

func exchange(request, body, answer string) model.Exchange {
	method, target, _ := strings.Cut(request, " ")
	x := model.Exchange{Base: "https://shop.example", Request: model.Request{Method: method, URL: "/v1" + target, Body: []byte(body)}}
	x.Reply = model.Reply{Status: 200, Body: []byte(answer)}
	return x
}

// vendors returns an exchange that lists four vendors with the given keys.
func vendors(keys ...string) model.Exchange {
	var all []string
	for i, key := range keys {
		all = append(all, fmt.Sprintf(`{"id": "vnd-%d", "slug": %q, "rank": %d}`, 70+i, key, 1+i))
	}
	return exchange("GET /vendors", "", "["+strings.Join(all, ",")+"]")
}

func products(field, format string, values ...any) model.Exchange {
	var all []string
	for _, v := range values {
		all = append(all, fmt.Sprintf(`{%q: `+format+`}`, field, v))
	}
	return exchange("GET /products", "", "["+strings.Join(all, ",")+"]")
}

func created(origin string) model.Exchange {
	product := fmt.Sprintf(`{"origin": %q}`, origin)
	return exchange("POST /products", product, product)
}

func TestCorrections(t *testing.T) {
	three := products("origin", "%q", "vnd-70", "vnd-71", "vnd-73")
	sent := []model.Exchange{vendors("a1", "b2", "c3", "d4"), created("vnd-70"), created("vnd-72"), created("vnd-73")}
	four := vendors("a1", "b2", "c3", "d4")
	reference := []model.ValueCorrection{{
		Value: "product.origin", Kind: model.KindReference, Is: "vendor.id", Evidence: "its 3 values in traffic are values of vendor.id",
	}}
	attribute := []model.ValueCorrection{{
		Value: "vendor.slug", Kind: model.KindAttribute, Evidence: "different elements have the same value in traffic",
	}}
	for name, c := range map[string]struct {
		exchanges   []model.Exchange
		generated   bool
		corrections []model.ValueCorrection
		want        []model.ValueCorrection
	}{
		"values of answers":        {exchanges: []model.Exchange{four, three}, want: reference},
		"in any order":             {exchanges: []model.Exchange{three, four}, want: reference},
		"values of requests":       {exchanges: sent, want: reference},
		"requests of a search":     {exchanges: sent, generated: true},
		"answers of a search":      {exchanges: []model.Exchange{four, three}, generated: true, want: reference},
		"too few":                  {exchanges: []model.Exchange{four, products("origin", "%q", "vnd-70", "vnd-71", "vnd-71")}},
		"one that is no vendor":    {exchanges: []model.Exchange{four, products("origin", "%q", "vnd-70", "vnd-71", "vnd-73", "vnd-99")}},
		"small numbers by chance":  {exchanges: []model.Exchange{four, products("grade", "%d", 1, 2, 3, 4)}},
		"short texts by chance":    {exchanges: []model.Exchange{vendors("a", "b", "c", "d"), products("title", "%q", "a", "b", "c")}},
		"repeated keys":            {exchanges: []model.Exchange{vendors("a1", "a1", "c3", "c3")}, want: attribute},
		"a key that is seen twice": {exchanges: []model.Exchange{vendors("a1", "b2"), vendors("a1", "b2")}},
		"corrected by the user": {
			exchanges:   []model.Exchange{four, three},
			corrections: []model.ValueCorrection{{Value: "product.origin", Kind: model.KindAttribute}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			spec, err := openapi.Parse(context.Background(), "shop.yaml", []byte(shop), openapi.Options{})
			if err != nil {
				t.Fatal(err)
			}
			spec.Corrections = c.corrections
			got := observe.Corrections(spec, c.exchanges, c.generated, "traffic")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
