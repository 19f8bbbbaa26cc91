package observe_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"sonde/analysis/observe"
	"sonde/model"
	"sonde/model/openapi"

	"github.com/google/go-cmp/cmp"
)

// shop is a spec in which the field "origin" of a product is the id of a vendor, but the spec does not say so.
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

// observed returns the corrections that follow from exchanges with the service of a document.
func observed(t *testing.T, document string, exchanges ...model.Exchange) []model.ValueCorrection {
	t.Helper()
	spec, err := openapi.Parse(context.Background(), "api.yaml", []byte(document), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return observe.Corrections(spec, exchanges, false, "traffic")
}

// isReference reports whether there is exactly one correction, which says that the origin of a product is the id of a
// vendor.
func isReference(all []model.ValueCorrection) bool {
	return len(all) == 1 && all[0].Value == "product.origin" && all[0].Is == "vendor.id"
}

// Only successful exchanges count as evidence. If some of them are with the hosts of the document, only these count.
func TestWhatCounts(t *testing.T) {
	four, three := vendors("a1", "b2", "c3", "d4"), products("origin", "%q", "vnd-70", "vnd-71", "vnd-73")
	at := func(base string, all ...model.Exchange) []model.Exchange {
		for i := range all {
			all[i].Base = base
		}
		return all
	}
	refused, broken := three, three
	refused.Reply.Status = 404
	broken.Err = errors.New("reset by peer")
	elsewhere := three
	elsewhere.Request.URL = "/v1/suppliers"
	for name, c := range map[string]struct {
		exchanges []model.Exchange
		want      bool
	}{
		"one host":             {[]model.Exchange{four, three}, true},
		"in capitals":          {at("HTTPS://SHOP.Example", four, three), true},
		"a test system":        {at("http://127.0.0.1:8080", four, three), true},
		"another host":         {append(at("https://cdn.example", three), four), false},
		"a refusal":            {[]model.Exchange{four, refused}, false},
		"a broken answer":      {[]model.Exchange{four, broken}, false},
		"no operation":         {[]model.Exchange{four, elsewhere}, false},
		"a bad base URL":       {at("http://%zz", four, three), true},
		"nothing":              {nil, false},
		"only the identifiers": {[]model.Exchange{four}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := observed(t, shop, c.exchanges...); isReference(got) != c.want {
				t.Errorf("got %+v, want a reference: %t", got, c.want)
			}
		})
	}
}

// Bodies that are not JSON, or do not have the schema of the document, are ignored.
func TestHostileBodies(t *testing.T) {
	four := vendors("a1", "b2", "c3", "d4")
	long := strings.Repeat("v", 1000)
	for _, body := range []string{
		"", "null", "<html>", "[", `{"origin": "vnd-70"}`, `[[[{"origin": "vnd-70"}]]]`, `["vnd-70", "vnd-71", "vnd-73"]`,
		`[{"origin": null}, {"origin": true}, {"origin": 1.5}]`, `[{"origin": {"id": "vnd-70"}}, {"origin": 7e99}]`,
		strings.Repeat("[", 5000), `[{"origin": "` + long + `1"}, {"origin": "` + long + `2"}, {"origin": "` + long + `3"}]`,
		"[{\"origin\": \"\xff\xfe\"}, {\"origin\": \"\x00\"}]",
	} {
		if got := observed(t, shop, four, exchange("GET /products", "", body)); len(got) > 0 {
			t.Errorf("%.40q: %+v", body, got)
		}
	}
	// A valid answer after an invalid one is evidence. The elements of a list in a field count, too.
	good := exchange("GET /products", "", `[{"origin": ["vnd-70", "vnd-71"]}, {"origin": "vnd-73"}, 7, null]`)
	if got := observed(t, shop, exchange("GET /products", "", "<html>"), four, good); !isReference(got) {
		t.Errorf("got %+v, want a reference", got)
	}
}

// The number of observed values is limited. Later values are ignored.
func TestEndlessTraffic(t *testing.T) {
	const many = 12_000
	ids := make([]string, many)
	for i := range ids {
		ids[i] = fmt.Sprintf(`{"id": "vnd-%d"}`, i)
	}
	all := exchange("GET /vendors", "", "["+strings.Join(ids, ",")+"]")
	if got := observed(t, shop, all, products("origin", "%q", "vnd-1007", "vnd-1077", "vnd-1777")); !isReference(got) {
		t.Errorf("early values: got %+v, want a reference", got)
	}
	if got := observed(t, shop, all, products("origin", "%q", "vnd-11997", "vnd-11998", "vnd-11999")); len(got) > 0 {
		t.Errorf("values beyond the limit: %+v", got)
	}
}

// numbered is a spec in which users and teams have numbers as ids. An issue has the number of the user who closed it.
const numbered = `openapi: 3.0.3
info: {title: Issues, version: "1"}
paths:
  /users:
    get: {responses: {"200": {$ref: "#/components/responses/Users"}}}
  /users/{userId}:
    parameters: [{name: userId, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {$ref: "#/components/responses/User"}}}
  /teams:
    get: {responses: {"200": {$ref: "#/components/responses/Teams"}}}
  /teams/{teamId}:
    parameters: [{name: teamId, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {$ref: "#/components/responses/Team"}}}
  /issues:
    get: {responses: {"200": {$ref: "#/components/responses/Issues"}}}
components:
  responses:
    User: {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}
    Users: {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/User"}}}}}
    Team: {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Team"}}}}
    Teams: {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Team"}}}}}
    Issues: {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Issue"}}}}}
  schemas:
    User: {type: object, properties: {id: {type: integer}}}
    Team: {type: object, properties: {id: {type: integer}}}
    Issue: {type: object, properties: {closer: {type: integer}}}
`

// list returns an exchange that lists objects with a number in one field.
func list(path, field string, numbers ...int) model.Exchange {
	var all []string
	for _, n := range numbers {
		all = append(all, fmt.Sprintf(`{%q: %d}`, field, n))
	}
	x := exchange("GET "+path, "", "["+strings.Join(all, ",")+"]")
	x.Request.URL = path
	return x
}

// Numbers are evidence of a reference only if few of the numbers in their range are identifiers. If two kinds of
// identifiers include all of the numbers, the kind with fewer values is chosen.
func TestNumbers(t *testing.T) {
	users := list("/users", "id", 104, 2090, 30_511, 41_007, 77_770)
	issues := list("/issues", "closer", 2090, 41_007, 77_770)
	for name, c := range map[string]struct {
		exchanges []model.Exchange
		want      string
	}{
		"far apart":            {[]model.Exchange{users, issues}, "user.id"},
		"one after the other":  {[]model.Exchange{list("/users", "id", 1, 2, 3, 4, 5), list("/issues", "closer", 2, 3, 5)}, ""},
		"of two kinds":         {[]model.Exchange{users, list("/teams", "id", 2090, 41_007, 77_770), issues}, "team.id"},
		"of the other of two":  {[]model.Exchange{users, list("/teams", "id", 2090, 41_007), issues}, "user.id"},
		"too few":              {[]model.Exchange{users, list("/issues", "closer", 2090, 2090, 77_770)}, ""},
		"one that is no user":  {[]model.Exchange{users, list("/issues", "closer", 2090, 41_007, 77_770, 5)}, ""},
		"negative and extreme": {[]model.Exchange{users, list("/issues", "closer", -1, math.MaxInt, math.MinInt)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := observed(t, numbered, c.exchanges...)
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("got %+v, want nothing", got)
			case c.want != "" && (len(got) != 1 || got[0].Value != "issue.closer" || got[0].Is != c.want):
				t.Errorf("got %+v, want a reference to %s", got, c.want)
			}
		})
	}
}

// If most values of a field are equal to the value of another field of the same object, they are not references.
func TestCopies(t *testing.T) {
	four := vendors("a1", "b2", "c3", "d4")
	row := `{"origin": "vnd-%d", "title": %q}`
	copies := fmt.Sprintf("["+row+","+row+","+row+"]", 70, "vnd-70", 71, "vnd-71", 73, "vnd-73")
	if got := observed(t, shop, four, exchange("GET /products", "", copies)); len(got) > 0 {
		t.Errorf("copies: %+v", got)
	}
	others := fmt.Sprintf("["+row+","+row+","+row+"]", 70, "vnd-70", 71, "tent", 73, "stove")
	if got := observed(t, shop, four, exchange("GET /products", "", others)); !isReference(got) {
		t.Errorf("one copy of three: got %+v, want a reference", got)
	}
}
