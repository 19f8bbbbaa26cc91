package openapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/model/openapi"
)

func TestSplitDocument(t *testing.T) {
	spec, err := openapi.Load(context.Background(), "testdata/split/main.yaml", openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/split.golden", render(spec))
}

// TestLinkOutside checks that a reference to a symbolic link is refused if the link leads out of the spec's folder.
func TestLinkOutside(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "secret.yaml"), "Secret: {type: object, properties: {key: {type: string}}}")
	write(t, filepath.Join(dir, "api", "main.yaml"), withSchema("link.yaml#/Secret"))
	if err := os.Symlink("../secret.yaml", filepath.Join(dir, "api", "link.yaml")); err != nil {
		t.Skip("this system has no symbolic links")
	}
	spec, err := openapi.Load(context.Background(), filepath.Join(dir, "api", "main.yaml"), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text := render(spec); strings.Contains(text, "key") || !strings.Contains(text, "only files below the spec's folder are read") {
		t.Errorf("the link was followed: %s", text)
	}
}

// withSchema returns a document with a single operation. The schema of its body is a $ref to ref.
func withSchema(ref string) string {
	return fmt.Sprintf(`{"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post":
{"requestBody": {"content": {"application/json": {"schema": {"$ref": %q}}}}}}}}`, ref)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// serve starts a server that answers each path of pages with a text.
func serve(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch page, ok := pages[r.URL.Path]; {
		case r.URL.Path == "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/api/main.json", http.StatusFound)
		case !ok:
			http.NotFound(w, r)
		default:
			fmt.Fprint(w, page)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func TestURL(t *testing.T) {
	server := serve(t, map[string]string{
		"/api/main.json":  strings.Replace(withSchema("parts.json#/A"), `"paths"`, `"servers": [{"url": "/v1"}], "paths"`, 1),
		"/api/self.json":  withSchema("self.json#/paths"),
		"/api/parts.json": `{"A": {"type": "object", "properties": {"found": {"type": "string"}}}}`,
	})
	for _, test := range []struct {
		name string
		path string
		o    openapi.Options
		want string
	}{
		{"a reference to a URL is refused", "/api/main.json", openapi.Options{}, "--remote-refs"},
		{"a reference to a URL is followed when asked", "/api/main.json", openapi.Options{RemoteRefs: true}, ".found={string}"},
		{"a server without a host has the spec's", "/api/main.json", openapi.Options{}, server.URL + "/v1"},
		{"a reference to itself by name needs no leave", "/api/self.json", openapi.Options{}, "application/json: {}\n"},
		{"a redirect is followed", "/moved", openapi.Options{}, "POST /a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec, err := openapi.Load(context.Background(), server.URL+test.path, test.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := render(spec); !strings.Contains(got, test.want) {
				t.Errorf("got %s, want %q in it", got, test.want)
			}
		})
	}
}

// TestRemoteFromFile reads a file that refers to a URL. The URL is fetched only if RemoteRefs is set.
func TestRemoteFromFile(t *testing.T) {
	server := serve(t, map[string]string{"/parts.json": `{"A": {"type": "string", "format": "far"}}`})
	file := filepath.Join(t.TempDir(), "main.json")
	write(t, file, withSchema(server.URL+"/parts.json#/A"))
	for allowed, want := range map[bool]string{false: "--remote-refs", true: "{#A string /far}"} {
		spec, err := openapi.Load(context.Background(), file, openapi.Options{RemoteRefs: allowed})
		if err != nil {
			t.Fatal(err)
		}
		if got := render(spec); !strings.Contains(got, want) {
			t.Errorf("allowed %t: got %s, want %q in it", allowed, got, want)
		}
	}
}

func TestStdin(t *testing.T) {
	spec, err := openapi.Load(context.Background(), "-", openapi.Options{Stdin: strings.NewReader(withSchema("near.json#/A"))})
	if err != nil {
		t.Fatal(err)
	}
	if got := render(spec); spec.Source != "-" || !strings.Contains(got, "a spec from standard input can refer to itself only") {
		t.Errorf("got source %q and %s", spec.Source, got)
	}
}

// TestNoSpec reads sources that are not specs. The error says in one line what the source is.
func TestNoSpec(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "it is empty"},
		{"blank", " \n\n", "it is empty"},
		{"comment", "# nothing\n", "an empty document"},
		{"HTML", "<!DOCTYPE html><html></html>", "an HTML page"},
		{"page of FastAPI", "<!DOCTYPE html><script>SwaggerUIBundle({ url: '/openapi.json', x: 1 })</script>", `document "/openapi.json"`},
		{"page of Redoc", `<html><redoc spec-url="https://h.example/v1/api.yaml"></redoc>`, `the document "https://h.example/v1/api.yaml"`},
		{"page of Swagger UI", `<html><script src="./swagger-initializer.js" id="swagger-ui"></script>`, "a page of Swagger UI"},
		{"page with a script in place of a spec", `<html><script>url: "javascript:alert(1).json"</script>`, "perhaps one that shows"},
		{"page of GraphiQL", "<!doctype html><title>GraphiQL</title>", "a page for GraphQL; Sonde does not support GraphQL"},
		{"XML", "<?xml version='1.0'?><definitions/>", "it is XML"},
		{"WSDL", `<?xml version='1.0'?><definitions xmlns="http://schemas.xmlsoap.org/wsdl/"/>`, "it is WSDL: Sonde does not support SOAP"},
		{"WADL", `<application xmlns="http://wadl.dev.java.net/2009/02"/>`, "it is WADL"},
		{"GraphQL SDL", "# The shop\ntype Query {\n  products(first: Int): [Product!]!\n}\n", "a GraphQL schema; Sonde does not"},
		{"GraphQL SDL with a description", "\"\"\"The shop\"\"\"\nschema @link(url: \"x\") {\n  query: Query\n}\n", "a GraphQL schema"},
		{"GraphQL SDL of one line", "scalar Date", "a GraphQL schema"},
		{"GraphQL introspection", `{"data": {"__schema": {"types": []}}}`, "a GraphQL schema (the answer to an introspection)"},
		{"GraphQL answer", `{"errors": [{"message": "Must provide query string."}]}`, "the answer of a GraphQL endpoint"},
		{"GraphQL request", "query Products {\n  products { id }\n}\n", "a GraphQL request"},
		{"RAML", "#%RAML 1.0\ntitle: Shop\n", "it is RAML"},
		{"API Blueprint", "FORMAT: 1A\nHOST: https://h.example\n\n# Shop\n", "it is API Blueprint"},
		{"gRPC", "// Shop\nsyntax = \"proto3\";\nservice Shop { rpc Get(A) returns (B); }\n", "a .proto file of gRPC"},
		{"TypeSpec", "import \"@typespec/http\";\n", "it is TypeSpec"},
		{"HTTP file", "### List\nGET https://h.example/products\n", "a .http file, which sonde import FILE turns into requests"},
		{"Bruno", "meta {\n  name: List\n}\n", "a file of Bruno, which sonde import FILE"},
		{"curl", "curl -X POST https://h.example/products", "it has curl commands, which sonde import FILE"},
		{"OpenRPC", `{"openrpc": "1.2.6"}`, "an OpenRPC document"},
		{"Arazzo", "arazzo: 1.0.0", "an Arazzo document"},
		{"overlay", "overlay: 1.0.0", "an overlay"},
		{"Google discovery", `{"kind": "discovery#restDescription", "discoveryVersion": "v1"}`, "a Google discovery document"},
		{"Insomnia", `{"_type": "export", "__export_format": 4}`, "an export of Insomnia"},
		{"binary", "\x89PNG\x00\x01", "binary data"},
		{"zip", "PK\x03\x04rest", "a zip archive"},
		{"gzip", "\x1f\x8b\x08rest", "a gzip file"},
		{"text", "just a letter", "plain text"},
		{"text about a schema", "schema for all", "plain text"},
		{"list", "[1, 2]", "a list of 2 values"},
		{"other JSON", `{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}`, `an object with the keys "a", "b", "c", "d", "e", …`},
		{"one key", `{"a\nb": 1}`, `an object with the key "a\nb"`},
		{"no key", `{}`, "an object with no keys"},
		{"Postman", `{"info": {"_postman_id": "1", "schema": "https://schema.getpostman.com/x"}}`, "collection, which sonde import FILE"},
		{"HAR", `{"log": {"entries": []}}`, "a recording (HAR), which sonde import FILE"},
		{"AsyncAPI", "asyncapi: 2.0.0", "an AsyncAPI document"},
		{"JSON schema", `{"$schema": "http://json-schema.org/draft-07/schema#"}`, "a JSON schema"},
		{"Swagger 1", `{"swaggerVersion": "1.2", "apis": []}`, "a Swagger 1.2 document, which is too old"},
		{"Swagger 3", `{"swagger": "3.0"}`, "a Swagger 3.0 document"},
		{"OpenAPI 4", "openapi: 4.0.0", "an OpenAPI 4.0.0 document"},
		{"a version that is no text", "openapi: {a: b}", `an object with the key "openapi"`},
		{"broken JSON", "{\"swagger\": \"2.0\",\n\"paths\": {", "broken JSON, line 2: it ends too early"},
		{"broken YAML", "swagger: '2.0'\npaths: a: b\n", "neither JSON nor YAML, line 2: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := openapi.Parse(context.Background(), "x.yaml", []byte(test.text), openapi.Options{})
			if !errors.Is(err, openapi.ErrNotSpec) {
				t.Fatalf("got error %v, want %v", err, openapi.ErrNotSpec)
			}
			if !strings.HasPrefix(err.Error(), `"x.yaml" is no OpenAPI document: it `) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("got several lines: %q", err)
			}
		})
	}
}

// TestUnread reads sources that cannot be read. The error is one line that names the source and says what to do.
func TestUnread(t *testing.T) {
	dir := t.TempDir()
	server := serve(t, nil)
	gone := httptest.NewServer(nil)
	gone.Close()
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name   string
		ctx    context.Context
		source string
		want   string
	}{
		{"directory", context.Background(), dir, "it is a directory"},
		{"missing file", context.Background(), filepath.Join(dir, "x.json"), "there is no file"},
		{"missing page", context.Background(), server.URL + "/x", "the server answers 404 Not Found"},
		{"redirects for ever", context.Background(), server.URL + "/round", "more than 5 redirects"},
		{"no server", context.Background(), gone.URL, "no server answers there"},
		{"no URL", context.Background(), "http://[", "cannot fetch"},
		{"cancelled", stopped, server.URL, "context canceled"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := openapi.Load(test.ctx, test.source, openapi.Options{})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), fmt.Sprintf("%q", test.source)) {
				t.Errorf("got error %v, want %q in it, and the source", err, test.want)
			}
		})
	}
}

// TestGraphQLService fetches the spec from GraphQL services, which refuse a GET without a query.
func TestGraphQLService(t *testing.T) {
	for _, answer := range []string{
		`{"errors":[{"message":"Must provide query string."}]}`, "GET query missing.", "POST a GraphQL request",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, answer, http.StatusBadRequest)
		}))
		_, err := openapi.Load(context.Background(), server.URL+"/graphql", openapi.Options{})
		server.Close()
		want := "400 Bad Request, as a GraphQL service does; Sonde does not support GraphQL"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q in it", answer, err, want)
		}
	}
}

func TestLimits(t *testing.T) {
	deep := strings.Repeat(`{"properties": {"a": `, 60) + "{}" + strings.Repeat("}}", 60)
	document := func(schema string) string {
		return `{"swagger": "2.0", "paths": {}, "definitions": {"A": ` + schema + `}}`
	}
	aliases := "openapi: 3.0.0\nx0: &x0 {type: object}\n"
	for i := 1; i < 30; i++ {
		aliases += fmt.Sprintf("x%d: &x%d {type: object, properties: {a: *x%d, b: *x%d}}\n", i, i, i-1, i-1)
	}
	aliases += "paths: {/a: {get: {requestBody: {content: {a/b: {schema: *x29}}}}}}\n"
	big := document(`{"description": "` + strings.Repeat("x", 5000) + `"}`)
	shared := `{"openapi": "3.0.0", "components": {"responses": {"big": {"description": "` +
		strings.Repeat("long ", 2000) + `"}}}, "paths": {`
	for i := range 100 {
		shared += fmt.Sprintf(`"/%d": {"get": {"responses": {"200": {"$ref": "#/components/responses/big"}}}},`, i)
	}
	shared = strings.TrimSuffix(shared, ",") + "}}"
	tests := []struct {
		name string
		text string
		o    openapi.Options
		want string
	}{
		{"depth of JSON", document(deep), openapi.Options{MaxDepth: 50}, "nested deeper than 50 levels"},
		{"depth of YAML", "# YAML\n" + document(deep), openapi.Options{MaxDepth: 50}, "nested deeper than 50 levels"},
		{"values in JSON", document(deep), openapi.Options{MaxNodes: 50}, "too many values"},
		{"values in YAML", "# YAML\n" + document(deep), openapi.Options{MaxNodes: 50}, "too many values"},
		{"bytes", big, openapi.Options{MaxBytes: 1000}, "larger than"},
		{"what is shared, written out", shared, openapi.Options{MaxNodes: 3000}, "with all shared parts expanded"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := openapi.Parse(context.Background(), "x", []byte(test.text), test.o)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q in it", err, test.want)
			}
			if _, err := openapi.Parse(context.Background(), "x", []byte(test.text), openapi.Options{}); err != nil {
				t.Errorf("without limits: %v", err)
			}
		})
	}
	t.Run("time", func(t *testing.T) {
		_, err := openapi.Parse(context.Background(), "x", []byte(big), openapi.Options{MaxTime: 1})
		if err == nil || err.Error() != `"x" cannot be read: it takes longer than 1ns` {
			t.Errorf("got error %v", err)
		}
	})
	t.Run("aliases that double 29 times", func(t *testing.T) {
		spec, err := openapi.Parse(context.Background(), "x", []byte(aliases), openapi.Options{})
		if err != nil || len(spec.Operations) != 1 {
			t.Errorf("got error %v", err)
		}
	})
}

// TestValuesOfAllFiles checks that the limit of values applies to the spec and its other files together.
func TestValuesOfAllFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.json"), withSchema("part.json#/A"))
	write(t, filepath.Join(dir, "part.json"), `{"A": {"type": "object", "enum": [`+strings.Repeat("1, ", 30)+`1]}}`)
	for bound, want := range map[int]string{40: "it holds too many values", 200: "#A object"} {
		spec, err := openapi.Load(context.Background(), filepath.Join(dir, "main.json"), openapi.Options{MaxNodes: bound})
		if err != nil {
			t.Fatal(err)
		}
		if got := render(spec); !strings.Contains(got, want) {
			t.Errorf("with at most %d values: got %s, want %q in it", bound, got, want)
		}
	}
}

// TestLongChain reads 20,000 schemas. Each of them refers to the next one, and the last one to the first. This must not
// need a deep stack.
func TestLongChain(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"swagger": "2.0", "paths": {"/a": {"get": {"responses": {"200": {"schema": {"$ref": "#/definitions/A0"}}}}}}, `)
	b.WriteString(`"definitions": {`)
	const n = 20_000
	for i := range n {
		fmt.Fprintf(&b, `"A%d": {"properties": {"a": {"$ref": "#/definitions/A%d"}}},`, i, (i+1)%n)
	}
	b.WriteString(`"end": {}}}`)
	spec, err := openapi.Parse(context.Background(), "x", []byte(b.String()), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	first := spec.Operations[0].Responses[0].Contents[0].Schema
	s, length := first.Properties[0].Schema, 1
	for ; s != first; length++ {
		s = s.Properties[0].Schema
	}
	if length != n {
		t.Errorf("got a cycle of %d schemas, want %d", length, n)
	}
}

// TestTimeLimit checks that loading stops after the time limit if a server never ends its answer.
func TestTimeLimit(t *testing.T) {
	hold := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "{")
		w.(http.Flusher).Flush()
		<-hold
	}))
	defer server.Close()
	defer close(hold)
	_, err := openapi.Load(context.Background(), server.URL, openapi.Options{Client: &http.Client{Timeout: 50 * time.Millisecond}})
	if err == nil || !strings.Contains(err.Error(), "cannot fetch") {
		t.Errorf("got error %v", err)
	}
}
