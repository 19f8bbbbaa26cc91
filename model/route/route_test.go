package route_test

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sonde/model"
	"sonde/model/openapi"
	"sonde/model/route"
)

// spec returns a spec with operations that have the given IDs.
func spec(servers []string, ids ...string) *model.Spec {
	s := &model.Spec{Servers: servers}
	for _, id := range ids {
		method, path, _ := strings.Cut(id, " ")
		s.Operations = append(s.Operations, &model.Operation{ID: model.OpID(id), Method: method, Path: path})
	}
	return s
}

func TestFind(t *testing.T) {
	shop := spec([]string{"https://api.example.com/v1", "http://localhost:8080/", "/v1/shop", "https://[bad"},
		"GET /products", "POST /products", "GET /products/{id}", "GET /products/new", "DELETE /products/{productId}",
		"GET /products/{id}/price", "GET /{anything}/new/price", "GET /shop/stock/",
		"GET /files/{name}.{format}", "GET /files/{name}", "GET /files/{name}.json", "GET /files/all.json",
		"GET /range/{from}-{to}", "GET /@{lat},{lon}", "GET /pair/{a}{b}", "GET /odd/{brace", "GET /a%20b/{x}", "GET /", "GET /v1",
		"GET /tail", "GET /tail/", "POST /queue?action=add", "POST /queue?action=drop&force",
		"POST /queue", "PUT /queue?page={page}", "GET /x#one", "GET /x#two")
	tests := []struct {
		name, method, target string
		want                 model.OpID
		args                 string
	}{
		{"plain", "GET", "/products", "GET /products", ""},
		{"method in any case", "post", "/products", "POST /products", ""},
		{"method that is not there", "PATCH", "/products", "", ""},
		{"parameter", "GET", "/products/17", "GET /products/{id}", "id=17"},
		{"fixed text beats a parameter", "GET", "/products/new", "GET /products/new", ""},
		{"but only with the method", "DELETE", "/products/new", "DELETE /products/{productId}", "productId=new"},
		{"the first segment decides", "GET", "/products/new/price", "GET /products/{id}/price", "id=new"},
		{"back to another branch", "GET", "/files/new/price", "GET /{anything}/new/price", "anything=files"},
		{"trailing slash", "GET", "/products/17/", "GET /products/{id}", "id=17"},
		{"no empty parameter", "GET", "/products//price", "", ""},
		{"a slash of its own", "GET", "/shop/stock", "GET /shop/stock/", ""},
		{"with a slash and without", "GET", "/tail/", "GET /tail/", ""},
		{"without a slash and with", "GET", "/tail", "GET /tail", ""},
		{"full URL with a base path", "GET", "https://api.example.com/v1/products/17?x=/y#z", "GET /products/{id}", "id=17"},
		{"other host, same base path", "GET", "http://127.0.0.1:41873/v1/products/17", "GET /products/{id}", "id=17"},
		{"longest base path first", "GET", "/v1/shop/products", "GET /products", ""},
		{"shorter base path if nothing matches after the longest", "GET", "/v1/shop/stock", "GET /shop/stock/", ""},
		{"base path alone", "GET", "/v1", "GET /", ""},
		{"base path is whole segments", "GET", "/v10/products", "", ""},
		{"root", "GET", "/", "GET /", ""},
		{"URL without a path", "GET", "http://localhost:8080", "GET /", ""},
		{"nothing", "GET", "/nothing/at/all", "", ""},
		{"suffix", "GET", "/files/a.b.xml", "GET /files/{name}.{format}", "name=a.b format=xml"},
		{"longer fixed suffix", "GET", "/files/a.json", "GET /files/{name}.json", "name=a"},
		{"whole text", "GET", "/files/all.json", "GET /files/all.json", ""},
		{"no suffix", "GET", "/files/readme", "GET /files/{name}", "name=readme"},
		{"empty around a suffix", "GET", "/files/.json", "GET /files/{name}", "name=.json"},
		{"two parameters", "GET", "/range/1-2", "GET /range/{from}-{to}", "from=1 to=2"},
		{"only one of two", "GET", "/range/1-", "", ""},
		{"text, two parameters", "GET", "/@47.1,-8", "GET /@{lat},{lon}", "lat=47.1 lon=-8"},
		{"nothing between parameters", "GET", "/pair/xyz", "GET /pair/{a}{b}", "a=xy b=z"},
		{"too short for both", "GET", "/pair/x", "", ""},
		{"half a brace is text", "GET", "/odd/%7Bbrace", "GET /odd/{brace", ""},
		{"escapes in the template", "GET", "/a%20b/c", "GET /a%20b/{x}", "x=c"},
		{"escaped slash stays in its segment", "GET", "/products/TENT%2F2", "GET /products/{id}", "id=TENT/2"},
		{"escaped text is text", "GET", "/pr%6Fducts/ne%77", "GET /products/new", ""},
		{"plus is no blank", "GET", "/products/a+b%20c", "GET /products/{id}", "id=a+b c"},
		{"wrong escape", "GET", "/products/100%", "GET /products/{id}", "id=100%"},
		{"query in the template", "POST", "/queue?x=1&action=add", "POST /queue?action=add", ""},
		{"more query in the template", "POST", "/queue?force&action=drop", "POST /queue?action=drop&force", ""},
		{"query that no template has", "POST", "/queue?action=drop", "POST /queue", ""},
		{"query that is missing", "PUT", "/queue", "", ""},
		{"parameter in the query", "PUT", "/queue?page=7", "PUT /queue?page={page}", "page=7"},
		{"fragments never reach a service", "GET", "/x", "GET /x#one", ""},
	}
	r := route.New(shop)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := r.FindOperation(test.method, test.target)
			if ok != (test.want != "") {
				t.Fatalf("%s %s: found: %t, want %q", test.method, test.target, ok, test.want)
			}
			if !ok {
				return
			}
			var args []string
			for _, a := range got.Args {
				if a.In != model.InPath {
					t.Errorf("%s is in the %s", a.Name, a.In)
				}
				args = append(args, a.Name+"="+a.Value)
			}
			if got.Op.ID != test.want || strings.Join(args, " ") != test.args {
				t.Errorf("%s %s: got %q with %q, want %q with %q", test.method, test.target, got.Op.ID, args, test.want, test.args)
			}
		})
	}
}

// A URL matches with and without the base path of the spec.
func TestFindWithoutBasePath(t *testing.T) {
	r := route.New(spec([]string{"https://api.example.com/v1"}, "GET /products/{id}"))
	for _, target := range []string{"/products/1", "/v1/products/1", "/v1/products/1/"} {
		if m, ok := r.FindOperation("GET", target); !ok || m.Op.ID != "GET /products/{id}" {
			t.Errorf("%s: got %v, %t", target, m.Op, ok)
		}
	}
	if _, ok := route.New(&model.Spec{}).FindOperation("GET", "/"); ok {
		t.Error("found an operation of none")
	}
}

// TestPathFindsItsOperation checks that a path made from a template leads to the template's operation, or
// to an operation with a more specific template.
func TestPathFindsItsOperation(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "b", "{x}", "{y}", "a.{x}", "{x}.{y}", "{y}-a", "{x}{y}", "a b", "%62"})
	value := rapid.StringOfN(rapid.SampledFrom([]rune("ab.-/% +é{?#")), 2, 5, -1)
	rapid.Check(t, func(t *rapid.T) {
		ids := map[string]bool{}
		for range rapid.IntRange(1, 12).Draw(t, "operations") {
			segments := rapid.SliceOfN(piece, 0, 4).Draw(t, "segments")
			ids[rapid.SampledFrom([]string{"GET", "POST"}).Draw(t, "method")+" /"+strings.Join(segments, "/")] = true
		}
		var all []string
		for id := range ids {
			all = append(all, id)
		}
		slices.Sort(all)
		base := rapid.SampledFrom([]string{"", "/v1", "/a/b"}).Draw(t, "base path")
		r := route.New(spec([]string{"http://h" + base}, all...))
		want := rapid.SampledFrom(all).Draw(t, "operation")
		method, template, _ := strings.Cut(want, " ")
		path := base + fill(template, func() string { return url.PathEscape(value.Draw(t, "value")) })
		got, ok := r.FindOperation(method, path)
		if !ok {
			t.Fatalf("%s of %s is not found", path, want)
		}
		if base == "" && vagueness(got.Op.Path) > vagueness(template) {
			t.Fatalf("%s of %s is %s, which is less concrete", path, want, got.Op.ID)
		}
		if again := filled(got); !strings.HasSuffix(plain(path), plain(again)) {
			t.Fatalf("%s of %s is %s with %v, which makes %s", path, want, got.Op.ID, got.Args, again)
		}
	})
}

// fill replaces the parameters of a template by values.
func fill(template string, value func() string) string {
	for {
		from, to := strings.IndexByte(template, '{'), strings.IndexByte(template, '}')
		if from < 0 {
			return template
		}
		template = template[:from] + value() + template[to+1:]
	}
}

func filled(m route.MatchedOperation) string {
	next := 0
	return fill(m.Op.Path, func() string {
		next++
		return url.PathEscape(m.Args[next-1].Value)
	})
}

func plain(path string) string {
	text, _ := url.PathUnescape(strings.TrimSuffix(path, "/"))
	return text
}

// vagueness returns a sort key for templates, which compares them segment by segment. Segments without a parameter come
// first. Of other segments, the one with more fixed text comes first. If the fixed texts have equal lengths, the
// segment with more parameters comes first.
func vagueness(template string) string {
	var ranks []string
	for _, s := range strings.Split(strings.Trim(template, "/"), "/") {
		texts, open := 0, strings.Contains(s, "{")
		for i, part := range strings.Split(s, "{") {
			if _, after, ok := strings.Cut(part, "}"); ok && i > 0 {
				part = after
			}
			texts += len(part)
		}
		if !open {
			texts = 99
		}
		ranks = append(ranks, fmt.Sprintf("%02d.%d", 99-texts, 9-strings.Count(s, "{")))
	}
	return strings.Join(ranks, "/")
}

// For each operation of real specs, a path made from its template leads to the operation, or to an
// operation whose template is more specific or has the same shape.
func TestRealSpecs(t *testing.T) {
	const shared = "../../../shared/specs/"
	paths, err := filepath.Glob(shared + "emb/*")
	if err != nil || len(paths) == 0 {
		t.Skip("the real specs are not beside the repository")
	}
	paths = append(paths, shared+"oas2/amazonaws.com/s3/2006-03-01/swagger.yaml")
	for _, path := range paths {
		s, err := openapi.Load(context.Background(), path, openapi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := route.New(s)
		for _, op := range s.Operations {
			target := fill(bare(op), func() string { return "7x7" })
			if m, ok := r.FindOperation(op.Method, target); !ok || vagueness(bare(m.Op)) > vagueness(bare(op)) {
				t.Errorf("%s: %s does not find %s but %v", path, target, op.ID, m.Op)
			}
		}
	}
}

// bare returns the part of a template that is sent to a service.
func bare(op *model.Operation) string {
	path, _, _ := strings.Cut(op.Path, "#")
	return path
}

func TestManyTemplatesAlike(t *testing.T) {
	var ids []string
	for i := range 20000 {
		ids = append(ids, fmt.Sprintf("GET /{a}x%d", i))
	}
	m, ok := route.New(spec(nil, ids...)).FindOperation("GET", "/17x19999")
	if diff := cmp.Diff([]model.Arg{{In: model.InPath, Name: "a", Value: "17"}}, m.Args); !ok || diff != "" {
		t.Errorf("found: %t, %s", ok, diff)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("/a/{x}.{y}", "/v", "http://h/v/a/b.c?d=e#f")
	f.Add("/{", "//", "%")
	f.Add("/a?b={c}", "https://h/%2F", "/a?b=%zz")
	f.Fuzz(func(t *testing.T, template, server, target string) {
		r := route.New(spec([]string{server}, "GET "+template, "GET /{a}/{b}", "GET /"))
		if m, ok := r.FindOperation("GET", target); ok && m.Op == nil {
			t.Fatalf("%q found nothing and says that it did", target)
		}
	})
}

// BenchmarkFind measures FindOperation in an API with 1000 operations.
func BenchmarkFind(b *testing.B) {
	var ids []string
	for i := range 1000 {
		ids = append(ids, fmt.Sprintf("GET /things%d/{id}/parts/{part}", i))
	}
	r := route.New(spec([]string{"https://h/api/v1"}, ids...))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := r.FindOperation("GET", "https://h/api/v1/things512/17/parts/a%20b?x=1"); !ok {
			b.Fatal("not found")
		}
	}
}
