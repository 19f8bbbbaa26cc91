package runreport

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/export"
	"sonde/export/picture"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/openapi"
	"sonde/ui/report"

	"github.com/google/go-cmp/cmp"
)

const shopSpec = `openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /products:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses:
        '201': {description: made, content: {application/json: {schema: {type: object, properties: {productId: {type: integer}}}}}}
        4XX: {description: refused}
        default: {description: other}
  /products/{productId}:
    parameters: [{name: productId, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: ok}, '404': {description: none}}}
  /carts:
    post:
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [productId], properties: {productId: {type: integer}}}}}
      responses: {'201': {description: made}}
`

func shop(t *testing.T) *model.Spec {
	t.Helper()
	spec, err := openapi.Parse(context.Background(), "shop.yaml", []byte(shopSpec), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// folder writes a run's files into a folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const traffic = `{"log": {"version": "1.2", "creator": {"name": "Sonde", "version": "1"}, "pages": [], "entries": [
	{"pageref": "t1", "time": 1.5,
	 "request": {"method": "POST", "url": "http://127.0.0.1:1/products?x=1", "postData": {"mimeType": "a/b", "text": "sent"}},
	 "response": {"status": 201, "headers": [{"name": "Location", "value": "/products/1"}, {"name": "Date", "value": "now"}],
	  "content": {"size": 2, "text": "ok", "comment": "more came than is kept here"}}},
	{"pageref": "t1", "request": {"method": "GET", "url": "http://127.0.0.1:1/products/1"},
	 "response": {"status": 200, "content": {"size": 3, "text": "AAEC", "encoding": "base64"}}},
	{"pageref": "t2", "request": {"method": "GET", "url": "%zz"}, "response": {"status": 0, "comment": "connection refused", "content": {}}}
]}}`

func TestNew(t *testing.T) {
	dir := folder(t, map[string]string{"traffic.har": traffic, codec.CoverFile: "mode: set\nshop/a.go:1.1,2.2 3 1\n"})
	spec := shop(t)
	stored := codec.StoredRun{Answers: map[model.OpID]map[int]int{
		"POST /products": {201: 3}, "GET /products/{productId}": {404: 1}, "POST /carts": {500: 1, 400: 0},
	}}
	stored.Spec, stored.SpecHash = "https://ann:secret@shop.example/openapi.yaml?key=1", spec.Hash
	stored.Code = map[string][]string{"t1": {"x"}}
	stored.Net, stored.Reset = &model.VirtualNetwork{}, &model.Reset{}
	got := New(dir, stored, codec.RunHistory{}, export.Report{BaseURL: "http://ann:secret@127.0.0.1:1/v1"}, Spec{Spec: spec})

	if got.Gaps != nil || got.Spec != "https://shop.example/openapi.yaml" || got.BaseURL != "http://127.0.0.1:1/v1" {
		t.Errorf("gaps %q, spec %q, base URL %q", got.Gaps, got.Spec, got.BaseURL)
	}
	if want := "white-box, in a virtual network"; got.Mode != want {
		t.Errorf("mode %q, want %q", got.Mode, want)
	}
	wantFiles := []model.SourceFileCoverage{{File: "shop/a.go", Statements: model.CoverageCount{Covered: 3, All: 3}}}
	if diff := cmp.Diff(wantFiles, got.Files); diff != "" {
		t.Errorf("files, want and got (-+):\n%s", diff)
	}
	wantDeclared := map[model.OpID][]int{"POST /products": {201}, "GET /products/{productId}": {200, 404}, "POST /carts": {201}}
	if diff := cmp.Diff(wantDeclared, got.Declared); diff != "" {
		t.Errorf("declared statuses, want and got (-+):\n%s", diff)
	}
	wantExchanges := map[string][]report.Exchange{
		"t1": {
			{
				ExchangeExcerpt: model.ExchangeExcerpt{
					URL: "/products?x=1", Status: 201, Body: "ok", Cut: true, Header: map[string][]string{"Location": {"/products/1"}},
				},
				Sent: "sent", Took: 1_500_000,
			},
			{ExchangeExcerpt: model.ExchangeExcerpt{
				URL: "/products/1", Status: 200, Body: "(3 bytes that are no text)", Header: map[string][]string{},
			}},
		},
		"t2": {{ExchangeExcerpt: model.ExchangeExcerpt{URL: "%zz", Err: "connection refused", Header: map[string][]string{}}}},
	}
	if diff := cmp.Diff(wantExchanges, got.Exchanges); diff != "" {
		t.Errorf("exchanges, want and got (-+):\n%s", diff)
	}
}

// The graph of resources has what was reached of each operation, and of each resource as a whole.
func TestResources(t *testing.T) {
	g := resources(shop(t), map[model.OpID]map[int]int{
		"POST /products": {201: 3, 400: 1, 401: 1, 403: 1, 409: 1, 422: 1, 429: 1}, "GET /products/{productId}": {404: 1},
	})
	want := []picture.Node{
		{
			{Text: "/products"},
			{Method: "POST", Text: "201 400 401 403 409 +2", Mark: "✓", State: picture.Succeeded},
			{Method: "GET", Text: "/{productId} 404", Mark: "△", State: picture.Refused},
		},
		{{Text: "/carts"}, {Method: "POST", Mark: "·", State: picture.Untried}},
	}
	if diff := cmp.Diff(want, g.Nodes); diff != "" {
		t.Errorf("boxes, want and got (-+):\n%s", diff)
	}
	if diff := cmp.Diff(map[int]picture.State{0: picture.Succeeded, 1: picture.Untried}, g.States); diff != "" {
		t.Errorf("states, want and got (-+):\n%s", diff)
	}
	if len(g.Edges) != 1 || g.Edges[0].From != 0 || g.Edges[0].To != 1 {
		t.Errorf("arrows %v, want one from products to carts", g.Edges)
	}
}

func TestGaps(t *testing.T) {
	spec := shop(t)
	withHash := func(hash string) codec.StoredRun {
		var run codec.StoredRun
		run.SpecHash = hash
		return run
	}
	tests := []struct {
		name  string
		files map[string]string
		run   codec.StoredRun
		spec  Spec
		want  string
	}{
		{name: "no traffic", spec: Spec{Spec: spec}, want: "has no traffic.har"},
		{name: "damaged traffic", files: map[string]string{"traffic.har": "{"}, spec: Spec{Spec: spec}, want: "is not a HAR file"},
		{
			name: "damaged coverage", files: map[string]string{codec.CoverFile: "x"}, spec: Spec{Spec: spec},
			want: "The coverage by file is missing",
		},
		{name: "a spec that cannot be read", spec: Spec{Err: errors.New("it is gone")}, want: "cannot be read: it is gone."},
		{name: "no path of the spec", want: "the run has no path of its spec"},
		{name: "another spec", run: withHash("other"), spec: Spec{Spec: spec}, want: "The spec has changed since the run."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := New(folder(t, test.files), test.run, codec.RunHistory{}, export.Report{}, test.spec)
			if gaps := strings.Join(got.Gaps, "\n"); !strings.Contains(gaps, test.want) {
				t.Errorf("gaps %q, want one with %q", gaps, test.want)
			}
		})
	}
}
