package collection_test

import (
	"fmt"
	"strings"
	"testing"

	"sonde/model/collection"

	"github.com/google/go-cmp/cmp"
)

const handwritten = `# Shop, by hand
@host = http://127.0.0.1:8080

### List
# the first page only
GET {{host}}/products
    ?limit=3
# a comment between
Accept: application/json

### Create
# @name created
# @user ann
POST {{host}}/products
Content-Type: application/json

{"name": "Tent"}

> {%
  client.log("created");
%}

###
oops, not a request
###

GET {{host}}/health
`

// readFile reads a .http file without problems in its texts.
func readFile(t *testing.T, text string) collection.HTTPFile {
	t.Helper()
	f, err := collection.ReadHTTP(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A request that cannot be read hides no other.
func TestReadHTTPAroundProblems(t *testing.T) {
	f := readFile(t, handwritten)
	var got []string
	for i, r := range f.Requests {
		got = append(got, fmt.Sprintf("%d %s", f.Line(i), r.Label()))
	}
	for _, p := range f.Problems {
		got = append(got, p.Error())
	}
	want := []string{
		"6 List", "14 Create", "27 GET {{host}}/health",
		`line 24: "oops, not a request" is no request: write METHOD URL`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPut(t *testing.T) {
	list := collection.Request{
		Name: "ignored", Method: "GET", URL: "{{host}}/products?limit=9", Headers: []collection.Field{{Name: "Accept", Value: "*/*"}},
	}
	create := collection.Request{
		ID: "created", Method: "PUT", URL: "{{host}}/products/1", Body: &collection.Body{Media: "application/json", Text: "{}"},
	}
	added := collection.Request{Folder: []string{"Two"}, Name: "b", Method: "GET", URL: "{{base}}/b"}
	base := []collection.Variable{{Name: "base", Value: "http://x.example"}}
	for name, test := range map[string]struct {
		at        []int
		requests  []collection.Request
		variables []collection.Variable
		replaces  []string // old and new texts
		end       string
	}{
		"at the end": {nil, []collection.Request{added}, base, nil, "\n### Two / b\n@base = http://x.example\nGET {{base}}/b\n"},
		"one is replaced": {
			[]int{0},
			[]collection.Request{list},
			nil,
			[]string{
				"GET {{host}}/products\n    ?limit=3\n# a comment between\nAccept: application/json\n",
				"# a comment between\nGET {{host}}/products?limit=9\nAccept: */*\n",
			},
			"",
		},
		"two are replaced, and one comes after them": {
			[]int{0, 1},
			[]collection.Request{list, create, added},
			nil,
			[]string{
				"GET {{host}}/products\n    ?limit=3\n# a comment between\nAccept: application/json\n",
				"# a comment between\nGET {{host}}/products?limit=9\nAccept: */*\n",
				"# @user ann\nPOST {{host}}/products\nContent-Type: application/json\n\n{\"name\": \"Tent\"}\n",
				"PUT {{host}}/products/1\nContent-Type: application/json\n\n{}\n",
				"%}\n", "%}\n\n### Two / b\nGET {{base}}/b\n",
			},
			"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, newline := range []string{"\n", "\r\n"} {
				text := "\ufeff" + strings.ReplaceAll(handwritten, "\n", newline)
				f := readFile(t, text)
				want := "\ufeff" + strings.ReplaceAll(strings.NewReplacer(test.replaces...).Replace(handwritten)+test.end, "\n", newline)
				if diff := cmp.Diff(want, f.Put(test.at, test.requests, test.variables)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

// A new file, and one whose last line does not end, end with a line.
func TestPutIntoShortFiles(t *testing.T) {
	r := []collection.Request{{Name: "a", Method: "GET", URL: "/a"}}
	for text, want := range map[string]string{"": "### a\nGET /a\n", "GET /b": "GET /b\n\n### a\nGET /a\n", "\n\n": "### a\nGET /a\n"} {
		f := readFile(t, text)
		if got := f.Put(nil, r, nil); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// What is added can be read, and what was in the file stays as it is.
func FuzzPut(f *testing.F) {
	f.Add(handwritten)
	f.Add("@a = 1\r\nGET /x\r\n\r\nbody")
	f.Add("curl http://x.example/a \\\n  -d '{}'\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := collection.ReadHTTP(text)
		if err != nil {
			t.Skip()
		}
		added := collection.Request{
			Name: "new", Method: "POST", URL: "http://x.example/new", Body: &collection.Body{Media: "text/plain", Text: "hi"},
		}
		again, err := collection.ReadHTTP(file.Put(nil, []collection.Request{added}, nil))
		if err != nil {
			t.Skip() // the file was full
		}
		if diff := cmp.Diff(append(file.Requests, added), again.Requests, rest); diff != "" {
			t.Errorf("added (-want +got):\n%s", diff)
		}
		for i := range file.Requests {
			put, err := collection.ReadHTTP(file.Put([]int{i}, []collection.Request{added}, nil))
			if err != nil || len(put.Requests) != len(file.Requests) {
				t.Fatalf("request %d is replaced: %v, %d requests of %d", i, err, len(put.Requests), len(file.Requests))
			}
			if got := put.Requests[i]; got.Method != added.Method || got.URL != added.URL {
				t.Errorf("request %d is %s %s", i, got.Method, got.URL)
			}
		}
	})
}
