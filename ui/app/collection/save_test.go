package collection_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/collection"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var (
	ann = model.User{Name: "ann", Sends: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "Bearer ${TOKEN}"}}}
	bob = model.User{Name: "bob", Sends: []model.Credential{
		{In: model.InHeader, Name: "Authorization", Value: "bob:${PASSWORD}", Basic: true},
	}}
	key = model.User{Name: "key", Sends: []model.Credential{{In: model.InQuery, Name: "api_key", Value: "${API_KEY}"}}}
	dot = model.User{Name: "dot", Login: &model.Login{Method: "POST", Path: "/login"}}
)

// project is a folder with .http files, and the service that they are about.
type project struct {
	t   *testing.T
	dir string
	collection.Service
}

func newProject(t *testing.T, files map[string]string) *project {
	t.Helper()
	p := &project{t: t, dir: filepath.Join(t.TempDir(), collection.Folder), Service: collection.Service{
		Spec: shop(), URL: "http://127.0.0.1:8080", Users: []model.User{ann, bob, key, dot},
	}}
	for name, text := range files {
		if err := os.MkdirAll(p.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// save saves a test.
func (p *project) save(file, name string, replace bool, test model.Test) (collection.Saved, error) {
	return p.Save(p.dir, collection.NewTest{File: file, Name: name, Test: test}, replace, inEnvironment)
}

// inEnvironment has the variable REGION. The variable tenant is one of sonde.yaml, whose value is read for each call.
func inEnvironment(name string) (string, bool) {
	value, ok := map[string]string{"REGION": "eu", "tenant": "${tenant}"}[name]
	return value, ok
}

func (p *project) text(file string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, file))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

func args(pairs ...string) (all []model.Arg) {
	for i := 0; i < len(pairs); i += 3 {
		all = append(all, model.Arg{In: model.Location(pairs[i]), Name: pairs[i+1], Value: pairs[i+2]})
	}
	return all
}

func oneCall(call model.Call) model.Test {
	return model.Test{Origin: model.OriginManual, Calls: []model.Call{call}}
}

func jsonBody(text string) *model.Payload {
	return &model.Payload{Media: "application/json", Data: text}
}

// Each test has the text of a new file. A test that is loaded from the file is the same.
func TestSaveNewFile(t *testing.T) {
	for name, test := range map[string]struct {
		test model.Test
		want string
	}{
		"values": {
			oneCall(model.Call{Op: "GET /products/{productId}", User: "ann", Args: args(
				"path", "productId", "a b", "query", "q", "x&y", "header", "X-Region", "${tenant}",
			)}),
			"GET {{base}}/products/a%20b?q=x%26y\nX-Region: {{tenant}}\nAuthorization: Bearer {{TOKEN}}\n",
		},
		"basic authentication": {
			oneCall(model.Call{Op: "GET /products", User: "bob"}),
			"GET {{base}}/products\nAuthorization: Basic bob:{{PASSWORD}}\n",
		},
		"key in the query": {
			oneCall(model.Call{Op: "GET /products", User: "key"}), "GET {{base}}/products?api_key={{API_KEY}}\n",
		},
		"log-in": {oneCall(model.Call{Op: "GET /products", User: "dot"}), "# @user dot\nGET {{base}}/products\n"},
		"body": {
			oneCall(model.Call{Op: "POST /orders", Body: jsonBody("{\n  \"a\": \"${tenant}\"\n}")}),
			"POST {{base}}/orders\nContent-Type: application/json\n\n{\n  \"a\": \"{{tenant}}\"\n}\n",
		},
		"form": {
			oneCall(model.Call{Op: "POST /orders", Body: &model.Payload{
				Media: "multipart/form-data; boundary=sonde-boundary",
				Data:  "--sonde-boundary\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--sonde-boundary--\r\n",
			}}),
			"POST {{base}}/orders\nContent-Type: multipart/form-data; boundary=sonde-boundary\n\n--sonde-boundary\n" +
				"Content-Disposition: form-data; name=\"a\"\n\n1\n--sonde-boundary--\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, nil)
			saved, err := p.save("new", "One of  them", false, test.test)
			if err != nil || saved.Replaced || len(saved.Notes) > 0 || filepath.Base(saved.Path) != "new.http" {
				t.Fatalf("%+v, %v", saved, err)
			}
			head := "### One of them\n@base = http://127.0.0.1:8080\n"
			comment, rest, _ := strings.Cut(test.want, "\n")
			want := head + test.want
			if strings.HasPrefix(comment, "#") {
				want = head + comment + "\n" + rest
			}
			if diff := cmp.Diff(want, p.text("new.http")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			p.loads(saved.Path, "One of them", test.test)
		})
	}
}

// loads loads a file and compares its only test.
func (p *project) loads(path, name string, want model.Test) {
	p.t.Helper()
	f, err := p.Load(path, inEnvironment)
	if err != nil || len(f.Tests) != 1 || len(f.Problems) > 0 {
		p.t.Fatalf("loaded %+v, %v from\n%s", f, err, p.text(filepath.Base(path)))
	}
	want.Name = name
	if diff := cmp.Diff(want, f.Tests[0], cmpopts.IgnoreFields(model.Test{}, "ID"), cmpopts.EquateEmpty()); diff != "" {
		p.t.Errorf("(-saved +loaded):\n%s", diff)
	}
}

// Links become references to answers. What a .http file cannot say is noted.
func TestSaveLinks(t *testing.T) {
	p := newProject(t, nil)
	test := model.Test{
		Origin: model.OriginManual,
		Calls: []model.Call{
			{Op: "POST /products", Body: jsonBody(`{"name":"Tent"}`)},
			{Op: "GET /products/{productId}", Args: args("path", "productId", "1")},
			{Op: "POST /orders", Body: jsonBody(`{"items":[{"product":7}],"name":"x"}`)},
			{Op: "GET /orders/{orderId}", Args: args("path", "orderId", "42", "query", "page", "2")},
		},
		Links: []model.Link{
			{From: 0, To: 1, Pointer: "/product/id", In: model.InPath, Name: "productId"},
			{From: 0, To: 2, Pointer: "/items/0/the id", In: model.InBody, Name: "/items/0/product"},
			{From: 0, To: 2, Header: "Etag", Pattern: "(.+)", In: model.InBody, Name: "/name"},
			{From: 2, To: 3, Header: "Location", In: model.InPath, Name: "orderId"},
			{From: 0, To: 3, Header: "X-Next", Pattern: "(\\d+)", In: model.InQuery, Name: "page"},
		},
	}
	saved, err := p.save("flow", "Buy it", false, test)
	if err != nil {
		t.Fatal(err)
	}
	const want = `### Buy it / 1. POST /products
@base = http://127.0.0.1:8080
# @name Buy_it
POST {{base}}/products
Content-Type: application/json

{"name":"Tent"}

### Buy it / 2. GET /products/{productId}
GET {{base}}/products/{{Buy_it.response.body.$.product.id}}

### Buy it / 3. POST /orders
POST {{base}}/orders
Content-Type: application/json

{
  "items": [
    {
      "product": {{Buy_it.response.body.$.items[0]['the id']}}
    }
  ],
  "name": "{{Buy_it.response.headers.Etag}}"
}

> {%
  client.global.set("Buy_it_1_location", response.headers.valueOf("Location").split("/").pop());
%}

### Buy it / 4. GET /orders/{orderId}
GET {{base}}/orders/{{Buy_it_1_location}}?page=2
`
	if diff := cmp.Diff(want, p.text("flow.http")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	notes := []string{
		"call 4 has a fixed page, because a .http file cannot take it from the header X-Next of the answer to call 1",
	}
	if diff := cmp.Diff(notes, saved.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	f, err := p.Load(saved.Path, inEnvironment)
	if err != nil || len(f.Tests) != 1 || len(f.Problems) > 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	if diff := cmp.Diff(test.Links[:4], f.Tests[0].Links); diff != "" {
		t.Errorf("links (-saved +loaded):\n%s", diff)
	}
	if _, err := p.save("flow", "Buy it", true, f.Tests[0]); err != nil || p.text("flow.http") != want {
		t.Errorf("saved again: %v\n%s", err, p.text("flow.http"))
	}
}

// The variables that scripts of JetBrains' HTTP Client set stay in a file when its requests are replaced.
func TestSaveKeepsScripts(t *testing.T) {
	const text = `### Twice / create
POST http://127.0.0.1:8080/products

> {%
  client.global.set("id", response.body.id);
  client.global.set("order", response.headers.valueOf('Location').split('/').pop())
%}

### Twice / read
GET http://127.0.0.1:8080/products/{{id}}

### Twice / order
GET http://127.0.0.1:8080/orders/{{order}}
`
	p := newProject(t, map[string]string{"a.http": text})
	path := filepath.Join(p.dir, "a.http")
	before, err := p.Load(path, inEnvironment)
	if err != nil || len(before.Tests) != 1 || len(before.Tests[0].Links) != 2 {
		t.Fatalf("%+v, %v", before, err)
	}
	if _, err := p.save("a", "Twice", true, before.Tests[0]); err != nil {
		t.Fatal(err)
	}
	after, err := p.Load(path, inEnvironment)
	if diff := cmp.Diff(before.Tests, after.Tests); diff != "" || err != nil {
		t.Errorf("%v (-before +after):\n%s\n%s", err, diff, p.text("a.http"))
	}
	if got := p.text("a.http"); !strings.Contains(got, `client.global.set("id", response.body.id);`) {
		t.Errorf("the script is gone:\n%s", got)
	}
}

const written = `# My notes stay.
@host = http://127.0.0.1:8080
@id = p1

### Read it
# the first one
GET {{host}}/products/{{id}}?region={{REGION}}
# why this header
X-Trace: {{id}}
Authorization: Bearer {{TOKEN}}

> {%
  client.log("read");
%}

### Other
GET {{host}}/products
`

// A saved request replaces one with the same name only if the user says so. Other text stays, and so do variables.
func TestSaveReplaces(t *testing.T) {
	p := newProject(t, map[string]string{"shop.http": written})
	f, err := p.Load(filepath.Join(p.dir, "shop.http"), inEnvironment)
	if err != nil || len(f.Tests) != 2 {
		t.Fatalf("%+v, %v", f, err)
	}
	test := f.Tests[0]
	if _, err := p.save("shop.http", "Read it", false, test); !errors.Is(err, fs.ErrExist) || p.text("shop.http") != written {
		t.Fatalf("%v, and the file is\n%s", err, p.text("shop.http"))
	}
	saved, err := p.save("shop.http", "Read it", true, test)
	if err != nil || !saved.Replaced {
		t.Fatalf("%+v, %v", saved, err)
	}
	comment := "# why this header\n"
	const line = "GET {{host}}/products/{{id}}"
	same := strings.Replace(strings.Replace(written, comment, "", 1), line, comment+line, 1)
	if diff := cmp.Diff(same, p.text("shop.http")); diff != "" {
		t.Errorf("saved as it was (-want +got):\n%s", diff)
	}
	test.Calls[0].Args = append(args("path", "productId", "p2"), test.Calls[0].Args[1:]...)
	if _, err := p.save("shop.http", "Read it", true, test); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(same, "{{id}}?", "p2?", 1)
	if diff := cmp.Diff(want, p.text("shop.http")); diff != "" {
		t.Errorf("saved with another value (-want +got):\n%s", diff)
	}
	if _, err := p.save("shop", "New", false, oneCall(model.Call{Op: "POST /orders"})); err != nil {
		t.Fatal(err)
	}
	if got := p.text("shop.http"); got != want+"\n### New\nPOST {{host}}/orders\n" {
		t.Errorf("with a new request:\n%s", got)
	}
}

// Secrets that the user has typed become variables.
func TestSaveHidesSecrets(t *testing.T) {
	p := newProject(t, nil)
	saved, err := p.save("a", "b", false, oneCall(model.Call{
		Op: "POST /orders", Args: args("header", "X-Api-Key", "s3cr3t-value"), Body: jsonBody(`{"password":"hunter2","n":1}`),
	}))
	if err != nil || len(saved.Secrets) != 2 {
		t.Fatalf("%+v, %v", saved, err)
	}
	if text := p.text("a.http"); strings.Contains(text, "s3cr3t") || strings.Contains(text, "hunter2") ||
		!strings.Contains(text, "X-Api-Key: {{X_API_KEY}}\n") || !strings.Contains(text, `"password":"{{PASSWORD}}"`) {
		t.Errorf("the file has\n%s", text)
	}
}

// A file that a request sends is saved as its path in the project.
func TestSaveFiles(t *testing.T) {
	p := newProject(t, map[string]string{"a.http": ""})
	project := filepath.Dir(p.dir)
	file := filepath.Join(project, "cat.txt")
	if err := os.WriteFile(file, []byte("meow"), 0o600); err != nil {
		t.Fatal(err)
	}
	form := "--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"cat.txt\"\r\n" +
		"Content-Type: text/plain\r\n\r\n" + file + "\r\n--b--\r\n"
	for name, body := range map[string]*model.Payload{
		"Whole": {Media: "text/plain", Data: file},
		"Form":  {Media: "multipart/form-data; boundary=b", Data: form},
	} {
		n := collection.NewTest{File: "a", Name: name, Test: oneCall(model.Call{Op: "POST /orders", Body: body}), Files: []string{file}}
		if _, err := p.Save(p.dir, n, false, inEnvironment); err != nil {
			t.Fatal(err)
		}
	}
	if text := p.text("a.http"); strings.Count(text, "\n< ../cat.txt\n") != 2 || strings.Contains(text, project) {
		t.Errorf("the file has\n%s", text)
	}
	f, err := p.Load(filepath.Join(p.dir, "a.http"), inEnvironment)
	if err != nil || len(f.Tests) != 2 || len(f.Problems) > 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	before := p.text("a.http")
	for _, test := range f.Tests {
		if !strings.Contains(test.Calls[0].Body.Data, "meow") {
			t.Errorf("%s sends %q", test.Name, test.Calls[0].Body.Data)
		}
		if _, err := p.save("a", test.Name, true, test); err != nil || p.text("a.http") != before {
			t.Errorf("saved again: %v\n%s", err, p.text("a.http"))
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "cat.txt")
	n := collection.NewTest{
		File: "a", Name: "Other", Files: []string{elsewhere},
		Test: oneCall(model.Call{Op: "POST /orders", Body: &model.Payload{Media: "text/plain", Data: elsewhere}}),
	}
	if _, err := p.Save(p.dir, n, false, inEnvironment); err == nil || !strings.Contains(err.Error(), "is not in the project") {
		t.Errorf("a file elsewhere: %v", err)
	}
}

func TestSaveErrors(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "target.http")
	list := oneCall(model.Call{Op: "GET /products"})
	for name, test := range map[string]struct {
		file, name string
		test       model.Test
		want       string
	}{
		"folder":         {"../x", "a", list, `"../x.http" is no name of a file`},
		"hidden file":    {".x", "a", list, "is no name of a file"},
		"no file":        {" ", "a", list, "is no name of a file"},
		"link":           {"link.http", "a", list, "is no regular file"},
		"no name":        {"x", " ", list, "needs a name"},
		"separator":      {"x", "## a", list, "begins with #"},
		"folders":        {"x", "a / b", list, "separates folders"},
		"gone operation": {"x", "a", oneCall(model.Call{Op: "GET /gone"}), "the spec does not have it any more"},
		"bytes": {
			"x", "a", oneCall(model.Call{Op: "POST /orders", Body: &model.Payload{Media: "image/png", Data: "\x89PNG\x00"}}), "not text",
		},
		"separator in a body": {
			"x", "a", oneCall(model.Call{Op: "POST /orders", Body: &model.Payload{Media: "text/plain", Data: "a\n### b"}}), "separator",
		},
		"braces": {
			"x", "a", oneCall(model.Call{Op: "POST /orders", Body: jsonBody(`{"a":"{{x}}"}`)}), "which a .http file has for a variable",
		},
		"fewer": {"two.http", "Two", list, "has more requests"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"two.http": "### Two / a\nGET /products\n\n### Two / b\nGET /products\n"}
			p := newProject(t, files)
			if err := os.Symlink(elsewhere, filepath.Join(p.dir, "link.http")); err != nil {
				t.Fatal(err)
			}
			_, err := p.save(test.file, test.name, true, test.test)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if left, _ := os.ReadDir(p.dir); len(left) != 2 || p.text("two.http") != files["two.http"] {
				t.Errorf("the folder has %v", left)
			}
		})
	}
}
