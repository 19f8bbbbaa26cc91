package collection_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	collections "sonde/model/collection"
	"sonde/ui/app/collection"

	"github.com/google/go-cmp/cmp"
)

// shop returns a spec with operations that have the given IDs.
func shop(servers ...string) *model.Spec {
	s := &model.Spec{Servers: servers}
	for _, id := range []string{"GET /products", "POST /products", "GET /products/{productId}", "POST /orders", "GET /orders/{orderId}"} {
		method, path, _ := strings.Cut(id, " ")
		s.Operations = append(s.Operations, &model.Operation{ID: model.OpID(id), Method: method, Path: path})
	}
	return s
}

// parse parses a .http file.
func parse(t *testing.T, text string) collections.Collection {
	t.Helper()
	c, err := collections.ParseHTTP(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRoutes(t *testing.T) {
	const server = "https://shop.example/v1"
	for name, test := range map[string]struct {
		url     string // of the service
		request string
		want    string // the operation, or a part of the reason
	}{
		"path":                      {"", "GET /products", "GET /products"},
		"host of the spec":          {"", "GET https://Shop.example/v1/products?x=/a", "GET /products"},
		"loopback":                  {"", "GET http://127.0.0.1:8080/products/p1", "GET /products/{productId}"},
		"host without a scheme":     {"", "GET localhost:8080/products/p1", "GET /products/{productId}"},
		"variable as a base":        {"", "GET {{base}}/products", "GET /products"},
		"variable as a host":        {"", "GET {{scheme}}://{{host}}:{{port}}/v1/products", "GET /products"},
		"variable in the path":      {"", "GET http://{{host}}/products/{{id}}", "GET /products/{productId}"},
		"variable with a value":     {"", "@base = https://shop.example/v1\nPOST {{base}}/orders", "POST /orders"},
		"other environment":         {"https://front.example/api", "GET https://staging.example/v2/products", "GET /products"},
		"base path of another host": {"https://front.example/api", "GET https://front.example/api/products", "GET /products"},
		"base path without a host":  {"https://front.example/api", "GET /api/products?limit=1", "GET /products"},
		"method":                    {"", "DELETE /products/p1", "the method: the spec has GET /products/{productId}"},
		"no path":                   {"", "GET https://shop.example/v1/things?a=b", "the path: no path of the spec is like /v1/things"},
		"other host beside the spec": {
			"", "GET https://shop.example/v1/products\n###\nGET https://x.example/products",
			"the host: x.example is not the service's, which is shop.example",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := collection.Service{Spec: shop(server), URL: test.url, Others: []string{"", "https://staging.example/v2"}}
			all := s.Routes(parse(t, test.request))
			last := all[len(all)-1]
			got := last.Why
			if last.Op != nil {
				got = string(last.Op.ID)
			}
			if !strings.HasPrefix(got, test.want) || (last.Op == nil) == (last.Why == "") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// If no request goes to a host of the spec, the host with the most matching requests is the service.
func TestRoutesOfAnotherHost(t *testing.T) {
	c := parse(t, "GET https://b.example/products\n###\nGET https://b.example/products/1\n###\nGET https://a.example/products\n")
	var got []string
	for _, one := range (collection.Service{Spec: shop("https://shop.example")}).Routes(c) {
		if one.Op == nil {
			got = append(got, one.Why)
		} else {
			got = append(got, string(one.Op.ID))
		}
	}
	want := []string{
		"GET /products", "GET /products/{productId}",
		"the host: a.example is not the service's, which is b.example, shop.example",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestImport(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "My requests.txt")
	text := "GET /products\n\n### Letter\nDear reader\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := collection.Source{Path: file}
	_, err := s.Import(nil)
	if err == nil || !strings.Contains(err.Error(), "cannot be imported as http: ") {
		t.Errorf("got %v for a block without a request line", err)
	}
	s = collection.Source{Path: "-"}
	made, err := s.Import(strings.NewReader("curl /x -d $'a\n### b' -H 'Content-Type: text/plain'\ncurl x.example/a -H 'X-Token: abc'"))
	if err != nil {
		t.Fatal(err)
	}
	want := "### GET /a\nGET http://x.example/a\nX-Token: {{X_TOKEN}}\n"
	if string(made.Text) != want || len(made.Requests) != 1 || len(made.Secrets) != 1 || len(made.Omissions) != 1 {
		t.Errorf("got %q, %+v", made.Text, made)
	}
	out := filepath.Join(dir, collection.Folder, s.FileName(made.Collection))
	if err := made.Write(out, false); err != nil {
		t.Fatal(err)
	}
	if err := made.Write(out, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v for a file that exists", err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "requests", "imported.http")); string(got) != want {
		t.Errorf("wrote %q", got)
	}
}

func TestFileName(t *testing.T) {
	for _, test := range []struct{ path, name, want string }{
		{"-", "", "imported.http"},
		{"a/My File (1).json", "", "my-file-1.http"},
		{"a.json", "Ünïversal / Shop!", "n-versal-shop.http"},
		{"a.json", "../..", "imported.http"},
		{"bruno/", "", "bruno.http"},
		{"-", strings.Repeat("long ", 100), "long-long-long-long-long-long-long-long-long-long-long-long.http"},
	} {
		got := collection.Source{Path: test.path}.FileName(collections.Collection{Name: test.name})
		if got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
	}
}
