package collection_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sonde/model"
	collections "sonde/model/collection"
	"sonde/ui/app/collection"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// load loads a text as a file of a project, with the environment variable REGION.
func load(t *testing.T, text string) collection.File {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, collection.Folder)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		filepath.Join(folder, "a.http"): text,
		filepath.Join(dir, "cat.txt"):   "meow",
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := collection.Service{Spec: shop("https://shop.example")}.LoadFolder(folder, func(name string) (string, bool) {
		return map[string]string{"REGION": "eu", "API_TOKEN": "never"}[name], name == "REGION" || name == "API_TOKEN"
	})
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files[0]
}

// seqs returns the operations of each test.
func seqs(f collection.File) []string {
	var all []string
	for _, test := range f.Tests {
		var ops []string
		for _, c := range test.Calls {
			ops = append(ops, string(c.Op))
		}
		all = append(all, test.Name+": "+strings.Join(ops, ", "))
	}
	return all
}

func TestLoadGroupsRequests(t *testing.T) {
	f := load(t, `
### One
GET /products

### Order twice / first
POST /orders

### created
# @name created
POST /products

### Order twice / second
POST /orders

### Read it
GET /products/{{created.response.body.$.product.id}}

### Gone
GET /nothing
`)
	want := []string{
		"One: GET /products",
		"Order twice: POST /orders, POST /orders",
		"created: POST /products, GET /products/{productId}",
	}
	if diff := cmp.Diff(want, seqs(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	links := []model.Link{{From: 0, To: 1, Pointer: "/product/id", In: model.InPath, Name: "productId"}}
	if diff := cmp.Diff(links, f.Tests[2].Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if len(f.Problems) != 1 || f.Problems[0].Request != "Gone" {
		t.Errorf("problems %v", f.Problems)
	}
}

func TestLoadCalls(t *testing.T) {
	inHeader := func(name, value string) model.Arg { return model.Arg{In: model.InHeader, Name: name, Value: value} }
	for name, test := range map[string]struct {
		text string
		want model.Call
	}{
		"values": {
			"@id = p 1\nGET {{host}}/products/{{id}}?region={{REGION}}&q=a%26b#c\nX-A: {{id}}\nHost: x.example\nCookie: theme={{id}}",
			model.Call{Op: "GET /products/{productId}", Args: []model.Arg{
				{In: model.InPath, Name: "productId", Value: "p 1"},
				{In: model.InQuery, Name: "region", Value: "eu"},
				{In: model.InQuery, Name: "q", Value: "a&b"},
				inHeader("X-A", "p 1"),
				{In: model.InCookie, Name: "theme", Value: "p 1", Escaped: true},
			}},
		},
		"JSON": {
			"POST /orders\nContent-Type: application/json\n\n{\"region\": \"{{REGION}}\"}",
			model.Call{Op: "POST /orders", Body: &model.Payload{Media: "application/json", Data: `{"region": "eu"}`}},
		},
		"form": {
			"POST /orders\nContent-Type: application/x-www-form-urlencoded\n\na={{REGION}}&b=c%26d",
			model.Call{Op: "POST /orders", Body: &model.Payload{Media: "application/x-www-form-urlencoded", Data: "a=eu&b=c%26d"}},
		},
		"file": {
			"POST /orders\nContent-Type: text/plain\n\n< ../cat.txt",
			model.Call{Op: "POST /orders", Body: &model.Payload{Media: "text/plain", Data: "meow"}},
		},
		"multipart": {
			"POST /orders\nContent-Type: multipart/form-data; boundary=x\n\n--x\n" +
				"Content-Disposition: form-data; name=\"f\"; filename=\"cat.txt\"\n\n< ../cat.txt\n--x--",
			model.Call{Op: "POST /orders", Body: &model.Payload{
				Media: "multipart/form-data; boundary=sonde-boundary",
				Data: "--sonde-boundary\r\nContent-Disposition: form-data; name=\"f\"; filename=\"cat.txt\"\r\n\r\nmeow\r\n" +
					"--sonde-boundary--\r\n",
			}},
		},
		"user": {
			"GET /products\nAuthorization: Bearer {{TOKEN}}",
			model.Call{Op: "GET /products", User: "token"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := load(t, test.text)
			if len(f.Tests) != 1 {
				t.Fatalf("%d tests, problems %v", len(f.Tests), f.Problems)
			}
			if diff := cmp.Diff(test.want, f.Tests[0].Calls[0], cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Credentials become users. Their texts refer to variables, also if the file has the secret itself.
func TestLoadUsers(t *testing.T) {
	f := load(t, `
GET /products
Authorization: Bearer {{API_TOKEN}}

###
GET /products
Authorization: Bearer abcdef

###
GET /products?api_key={{KEY}}
Authorization: Basic ann:{{PASSWORD}}
Cookie: sid={{SID}}

###
GET /products
Authorization: Bearer {{API_TOKEN}}
`)
	want := []model.User{
		{Name: "api_token", Sends: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "Bearer ${API_TOKEN}"}}},
		{
			Name: "token", Sends: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "Bearer ${TOKEN}"}},
			Secrets: map[string]string{"TOKEN": "abcdef"},
		},
		{Name: "key-password-sid", Sends: []model.Credential{
			{In: model.InQuery, Name: "api_key", Value: "${KEY}"},
			{In: model.InHeader, Name: "Authorization", Value: "ann:${PASSWORD}", Basic: true},
			{In: model.InCookie, Name: "sid", Value: "${SID}"},
		}},
	}
	if diff := cmp.Diff(want, f.Users, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(f.Tests) != 4 || f.Tests[3].Calls[0].User != "api_token" {
		t.Errorf("tests %v", f.Tests)
	}
}

func TestLoadLinks(t *testing.T) {
	const created = "# @name a\nPOST /products\n\n###\n"
	post := func(body string) string {
		return created + "POST /orders\nContent-Type: application/json\n\n" + body
	}
	for name, test := range map[string]struct {
		text string
		want model.Link
		body string
	}{
		"REST Client": {created + "GET /products/{{a.response.body.$.items[0]['the id']}}", model.Link{
			Pointer: "/items/0/the id", In: model.InPath, Name: "productId",
		}, ""},
		"httpYac": {created + "GET /products?q={{a.id}}", model.Link{Pointer: "/id", In: model.InQuery, Name: "q"}, ""},
		"JetBrains": {
			"POST /products\n\n> {%\n  client.global.set(\"it\", response.body.items[0][\"id\"]);\n%}\n\n###\nGET /products/{{it}}",
			model.Link{Pointer: "/items/0/id", In: model.InPath, Name: "productId"},
			"",
		},
		"header": {created + "GET /products/{{a.response.headers.X-Id}}", model.Link{
			Header: "X-Id", Pattern: "(.+)", In: model.InPath, Name: "productId",
		}, ""},
		"whole body": {created + "GET /products/{{a.response.body.*}}", model.Link{
			Pointer: model.WholeBody, In: model.InPath, Name: "productId",
		}, ""},
		"JSON": {
			post(`{"a/b": ["{{a.id}}"], "c": 1}`),
			model.Link{Pointer: "/id", In: model.InBody, Name: "/a~1b/0"},
			`{"a/b": [""], "c": 1}`,
		},
		"number": {post(`{"n": {{a.id}}}`), model.Link{Pointer: "/id", In: model.InBody, Name: "/n"}, `{"n": 0}`},
	} {
		t.Run(name, func(t *testing.T) {
			f := load(t, test.text)
			test.want.To = 1
			if len(f.Tests) != 1 || len(f.Tests[0].Links) != 1 {
				t.Fatalf("%d tests, problems %v", len(f.Tests), f.Problems)
			}
			if diff := cmp.Diff(test.want, f.Tests[0].Links[0]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if body := f.Tests[0].Calls[1].Body; body != nil && body.Data != test.body {
				t.Errorf("body %s, want %s", body.Data, test.body)
			}
		})
	}
}

func TestLoadProblems(t *testing.T) {
	const created = "# @name a\nPOST /products\n\n###\n"
	for name, test := range map[string]struct{ text, want string }{
		"no operation":       {"GET /x", "the path: no path of the spec is like /x"},
		"no value":           {"GET /products?q={{nothing}}", "add @nothing = … to the file"},
		"another each time":  {"GET /products?q={{$guid}}", "another text in each request"},
		"secret in a body":   {"POST /orders\nContent-Type: application/json\n\n{\"password\": \"abc\"}", "configure a log-in"},
		"later answer":       {"GET /products/{{b.id}}\n\n###\n# @name b\nPOST /products", `is of the request "b", which is not before it`},
		"part of a text":     {created + "POST /orders\nContent-Type: application/json\n\n{\"a\": \"x{{a.id}}\"}", "a part of a text"},
		"no JSON":            {created + "POST /orders\nContent-Type: text/plain\n\n{{a.id}},", "not JSON"},
		"no path":            {created + "GET /products/{{a.response.body.$..id}}", "not a list of names and indexes"},
		"token of an answer": {created + "GET /products\nAuthorization: Bearer {{a.token}}", "configure a log-in"},
		"missing file":       {"POST /orders\n\n< ./missing.json", "cannot be read"},
		"file elsewhere":     {"POST /orders\n\n< ../../../../../../etc/hostname", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			f := load(t, test.text)
			if len(f.Problems) == 0 || !strings.Contains(f.Problems[0].Why, test.want) {
				t.Errorf("got %v, want %q", f.Problems, test.want)
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	s := collection.Service{Spec: shop()}
	if files, err := s.LoadFolder(filepath.Join(t.TempDir(), "none"), nil); err != nil || files != nil {
		t.Errorf("a folder that does not exist: %v, %v", files, err)
	}
	file := filepath.Join(t.TempDir(), "a.http")
	if err := os.WriteFile(file, []byte("Dear reader\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := s.Load(file, nil)
	if err != nil || len(f.Problems) != 1 || f.Problems[0].Line != 1 || !strings.Contains(f.Problems[0].Why, "is no request") {
		t.Errorf("got %+v and %v, want a problem of line 1", f, err)
	}
}

// A file that cannot be read hides none of the others. Links are not followed.
func TestLoadFolderWithBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.http": "GET /products\n\n###\nGET /products\nbroken header\n\n###\nGET /nothing",
		"b.http": strings.Repeat("x", collections.MaxBytes+1),
		"c.rest": "GET /products/p1",
		"d.txt":  "GET /products/p2",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "e.http")); err != nil {
		t.Fatal(err)
	}
	files, err := collection.Service{Spec: shop()}.LoadFolder(dir, nothing)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		for i, test := range f.Tests {
			got = append(got, fmt.Sprintf("%s:%d %s", filepath.Base(f.Path), f.Lines[f.Requests[i][0]], test.Name))
		}
		for _, p := range f.Problems {
			got = append(got, fmt.Sprintf("%s:%d %s", filepath.Base(f.Path), p.Line, p.Why))
		}
	}
	want := []string{
		"a.http:1 GET /products",
		`a.http:5 "broken header" is no header: write an empty line before the body`,
		"a.http:8 the path: no path of the spec is like /nothing",
		"b.http:0 cannot be read: it is larger than 16 MiB: leave out stored answers",
		"c.rest:1 GET /products/p1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// nothing is an environment without variables.
func nothing(string) (string, bool) { return "", false }

// Of a folder with very many files, the first ones are loaded.
func TestLoadFolderWithManyFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range collection.MaxFiles + 2 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.http", i)), []byte("GET /products"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := collection.Service{Spec: shop()}.LoadFolder(dir, nothing)
	if err != nil || len(files) != collection.MaxFiles+1 ||
		!strings.Contains(files[collection.MaxFiles].Problems[0].Why, "the files after it are not read") {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// A folder with very many other files is not read.
func TestLoadFolderOfAnotherKind(t *testing.T) {
	dir := t.TempDir()
	for i := range 5001 {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := collection.Service{Spec: shop()}
	if _, err := s.LoadFolder(dir, nothing); err == nil || !strings.Contains(err.Error(), "more than 5000 files") {
		t.Errorf("got %v", err)
	}
	if _, err := collection.HTTPFiles(filepath.Join(dir, "0")); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a file in the place of the folder: %v", err)
	}
}

// Of a folder with very many requests, the first files are loaded.
func TestLoadFolderWithManyRequests(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.http", "b.http", "c.http"} {
		text := strings.Repeat("### a\nGET /products\n", collection.MaxTests*2/3)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := collection.Service{Spec: shop()}.LoadFolder(dir, nothing)
	if err != nil || len(files) != 3 || len(files[1].Tests) == 0 || len(files[2].Tests) > 0 || len(files[2].Problems) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// Tests with the same name have unique names, and a name in the file comes before one with a number.
func TestNamesAreUnique(t *testing.T) {
	f := load(t, strings.ReplaceAll("### a;### a;### a (2);### a;### b;", ";", "\nGET /products\n"))
	if want := []string{"a", "a (3)", "a (2)", "a (4)", "b"}; !slices.Equal(f.Names, want) {
		t.Errorf("got %q, want %q", f.Names, want)
	}
}

// A user of the service who has the credentials of a request sends it, or else the user whom the request names.
func TestLoadFindsUsers(t *testing.T) {
	s := collection.Service{Spec: shop(), Users: []model.User{
		{Name: "ann", Sends: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "Bearer ${TOKEN}"}}},
		{Name: "bob", Header: "X-Api-Key", Env: "BOB_KEY"},
		{Name: "cy", Header: "X-Api-Key", Public: "open sesame"},
		{Name: "dot", Login: &model.Login{Method: "POST", Path: "/login"}},
	}}
	for name, test := range map[string]struct{ text, want string }{
		"bearer":       {"GET /products\nAuthorization: Bearer {{TOKEN}}", "ann"},
		"header":       {"GET /products\nx-api-key: {{BOB_KEY}}", "bob"},
		"public value": {"GET /products\nX-Api-Key: open sesame", "cy"},
		"log-in":       {"# @user dot\nGET /products", "dot"},
		"new user":     {"GET /products\nAuthorization: Bearer {{OTHER}}", "other"},
		"unknown":      {"# @user eve\nGET /products", `there is no user "eve"`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.http")
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := s.Load(path, nothing)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			if len(f.Problems) > 0 {
				got = f.Problems[0].Why
			} else {
				got = f.Tests[0].Calls[0].User
			}
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
