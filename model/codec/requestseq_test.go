package codec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"

	"github.com/google/go-cmp/cmp"
)

// ops returns a seq of operations. sent returns a seq of requests such as "METHOD URL".
func ops(name string, ids ...model.OpID) codec.RequestSeq {
	t := codec.RequestSeq{Name: name, Steps: []codec.RequestStep{}}
	for _, id := range ids {
		t.Steps = append(t.Steps, codec.RequestStep{Op: id})
	}
	return t
}

func sent(name string, requests ...string) codec.RequestSeq {
	t := codec.RequestSeq{Name: name}
	for _, r := range requests {
		method, url, _ := strings.Cut(r, " ")
		t.Steps = append(t.Steps, codec.RequestStep{Method: method, URL: url})
	}
	return t
}

const entry = `{"startedDateTime": "2026-01-01T10:00:0`

func TestReadTrails(t *testing.T) {
	tests := []struct {
		name, text string
		want       codec.RequestSeqs
	}{
		{
			"lines of sonde seqs", "GET /a\n\nPOST /b, GET /b/{x, y}, DELETE /b/{x, y}\r\nGET /list, of, PUT things\n",
			codec.RequestSeqs{Kind: codec.KindSeqs, All: []codec.RequestSeq{
				ops("line 1", "GET /a"),
				ops("line 3", "POST /b", "GET /b/{x, y}", "DELETE /b/{x, y}"), ops("line 4", "GET /list, of", "PUT things"),
			}},
		},
		{
			"sonde seqs --json", `{"seqs": [["GET /a"], ["POST /b", "GET /b, c"], []], "gave_up": true}`,
			codec.RequestSeqs{
				Kind: codec.KindSeqs,
				All:  []codec.RequestSeq{ops("seq 1", "GET /a"), ops("seq 2", "POST /b", "GET /b, c"), ops("seq 3")},
			},
		},
		{
			"lines of sonde seqs that called", "GET /a 200\nPOST /b 201, GET /b/{x, y} 0\nGET /year 200, GET /b\nGET /a 2000\n",
			codec.RequestSeqs{Kind: codec.KindSeqs, All: []codec.RequestSeq{
				ops("line 1", "GET /a"),
				ops("line 2", "POST /b", "GET /b/{x, y}"), ops("line 3", "GET /year 200", "GET /b"), ops("line 4", "GET /a 2000"),
			}},
		},
		{
			"sonde seqs --json that called",
			`{"seqs": [{"operations": ["POST /a", "GET /a"], "statuses": [201, 200]}, {"operations": []}], "summary": {}}`,
			codec.RequestSeqs{Kind: codec.KindSeqs, All: []codec.RequestSeq{ops("seq 1", "POST /a", "GET /a"), ops("seq 2")}},
		},
		{
			"suite.json", `{"version": 1, "tests": [{"id": "t1", "calls": [{"op": "POST /a"}, {"op": "GET /a/{id}"}]}]}`,
			codec.RequestSeqs{Kind: codec.KindSuite, All: []codec.RequestSeq{ops("t1", "POST /a", "GET /a/{id}")}},
		},
		{
			"HAR in order of time, by page",
			"\ufeff" + `{"log": {"version": "1.2", "pages": [{"id": "p1", "title": "Shop"}, {"id": "p2", "title": ""}], "entries": [` +
				entry + `3.5Z", "pageref": "p1", "request": {"method": "GET", "url": "http://h/c"}},` +
				entry + `1.000+00:00", "pageref": "p1", "request": {"method": "POST", "url": "http://h/a"}, "response": {"status": 201}},` +
				`{"startedDateTime": "soon", "pageref": "p1", "request": {"method": "GET", "url": "http://h/b"}},` +
				entry + `2Z", "pageref": "p2", "request": {"method": "GET", "url": "http://h/d"}},` +
				entry + `4Z", "request": {"method": "GET", "url": "data:x"}}]}}`,
			codec.RequestSeqs{Kind: codec.KindHAR, All: []codec.RequestSeq{
				sent("Shop", "POST http://h/a", "GET http://h/b", "GET http://h/c"),
				sent("p2", "GET http://h/d"), sent("without a page", "GET data:x"),
			}},
		},
		{
			"HAR without pages",
			`{"log": {"entries": [` + entry + `2Z", "request": {"method": "GET", "url": "/b"}},` + entry +
				`1Z", "request": {"method": "GET", "url": "/a"}}]}}`,
			codec.RequestSeqs{Kind: codec.KindHAR, All: []codec.RequestSeq{sent("all requests", "GET /a", "GET /b")}},
		},
		{"HAR of nothing", `{"log": {"entries": []}}`, codec.RequestSeqs{Kind: codec.KindHAR}},
		{
			"Go tests that were changed", `package api
func TestB(t *testing.T) {
	t.Run("x", func(t *testing.T) {
		call(t, "GET", ("/b/" + call(t, "POST", "/a").field("/id").path()) + "?q=" + x.query(), as("ann")).want(200)
	})
	call(t, method, "/c")
	call(t, "GET", fmt.Sprintf("/d/%d", 1))
	other("GET", "/e")
}
func helper(t *testing.T) { call(t, "GET", "/f") }
func reset(t *testing.T) { call(t, "POST", "/reset") }
func call(t *testing.T, method, path string, options ...option) *reply { return nil }
`,
			codec.RequestSeqs{
				Kind:   codec.KindGoTests,
				All:    []codec.RequestSeq{sent("TestB", "POST /a", "GET /b/%7B%7D?q=%7B%7D")},
				Unread: 3,
			},
		},
		{
			"Go tests whose helpers are in another file", `package api
func TestA(t *testing.T) { call(t, "GET", "/a").want(200) }
`,
			codec.RequestSeqs{Kind: codec.KindGoTests, All: []codec.RequestSeq{sent("TestA", "GET /a")}},
		},
		{
			"the helpers of Go tests", `package api
func call(t *testing.T, method, path string, options ...option) *reply { return nil }
`,
			codec.RequestSeqs{Kind: codec.KindGoTests},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := codec.ReadRequestSeqs("x", strings.NewReader(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("want and got (-+):\n%s", diff)
			}
		})
	}
}

// A file that sonde export wrote can be read.
func TestReadExported(t *testing.T) {
	got, err := codec.OpenRequestSeqs("../../export/testdata/shop.golden")
	if err != nil {
		t.Fatal(err)
	}
	want := codec.RequestSeqs{Kind: codec.KindGoTests, All: []codec.RequestSeq{
		sent("TestCreateProductThenGetPrice_404", "POST /products", "GET /products/%7B%7D/price?currency=EUR"),
		sent("TestCreateCustomerAndTwoProductsThenPayOrder_500", "POST /customers", "POST /products", "POST /products", "POST /carts",
			"POST /carts/%7B%7D/items", "POST /orders", "POST /orders/%7B%7D/pay"),
		sent("TestListProducts_400", "GET /products?limit=-1&sort=name%20desc"),
		sent("TestPutStockThenDeleteStockThenGetStock_404", "PUT /stock/TENT%2F2", "DELETE /stock/TENT%2F2", "GET /stock/TENT%2F2"),
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

func TestOpenTrailsOfARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := create(t, dir).WriteSuite(tests); err != nil {
		t.Fatal(err)
	}
	for path, kind := range map[string]codec.FileKind{dir: codec.KindRun, filepath.Join(dir, "suite.json"): codec.KindSuite} {
		got, err := codec.OpenRequestSeqs(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(codec.RequestSeqs{Kind: kind, All: []codec.RequestSeq{ops("t1", "POST /a", "GET /a/{id}")}}, got); diff != "" {
			t.Errorf("%s: want and got (-+):\n%s", kind, diff)
		}
	}
}

func TestOpenTrailsRefuses(t *testing.T) {
	const strange = "no tests that Sonde can read"
	for name, c := range map[string]struct{ text, want string }{
		"nothing":              {"", strange},
		"prose":                {"Dear Sir,\nGET /a", strange},
		"no seq in the middle": {"GET /a\nhello there\n", `line 2 is "hello there"`},
		"broken JSON":          {`{"log": {`, "it is not JSON"},
		"other JSON":           {`{"swagger": "2.0"}`, strange},
		"a JSON list":          {`[1]`, strange},
		"a run's header":       {`{"version": 1, "spec_hash": "x"}`, "give the folder"},
		"tests of others":      {`{"tests": []}`, strange},
		"a newer suite":        {`{"version": 99, "tests": []}`, "newer Sonde"},
		"a broken suite": {
			`{"version": 1, "tests": [{"id": "t", "calls": [], "links": [{"from": 0, "to": 1}]}]}`,
			"link from call 0",
		},
		"seqs of numbers":        {`{"seqs": [[1]]}`, "it is not a list of seqs as sonde seqs --json writes it: it has a number"},
		"a seq that is a text":   {`{"seqs": ["GET /a"]}`, "it has a string in a wrong place"},
		"operations of a text":   {`{"seqs": [{"operations": "GET /a"}]}`, `"operations" cannot be a string`},
		"tests that are a text":  {`{"version": 1, "tests": "x"}`, `it is not a suite.json: "tests" cannot be a string`},
		"a log without requests": {`{"log": {"pages": []}}`, strange},
		"a log that is a text":   {`{"log": "x"}`, "it is not a HAR file"},
		"a request of nothing":   {`{"log": {"entries": [{}]}}`, "request 1 has no method or no URL"},
		"Go of others":           {"package p\nfunc call(x int) {}\n", strange},
		"Go tests of others":     {"package p\nfunc TestA(t *testing.T) { call(t, method) }\n", strange},
		"broken Go":              {"package p\nfunc {", "it is not a Go file"},
		"deep JSON":              {`{"log":` + strings.Repeat("[", 100000), "it is not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tests.txt")
			if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := codec.OpenRequestSeqs(path)
			if err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), "tests.txt") || strings.Contains(err.Error(), "\n") ||
				strings.Contains(err.Error(), "unmarshal") {
				t.Errorf("error %v, want one line with %q and the file", err, c.want)
			}
		})
	}
	if _, err := codec.OpenRequestSeqs(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not a run") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := codec.OpenRequestSeqs("nowhere.har"); err == nil || !strings.Contains(err.Error(), `no file "nowhere.har"`) {
		t.Errorf("no file: %v", err)
	}
	_, err := codec.ReadRequestSeqs("endless", endless{})
	if err == nil || !strings.Contains(err.Error(), "larger than the limit of 64 MiB") {
		t.Errorf("an endless file: %v", err)
	}
}

// endless is a reader of infinitely many spaces.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func FuzzReadTrails(f *testing.F) {
	f.Add("GET /a, POST /b\n")
	f.Add(`{"seqs": [["GET /a"]]}`)
	f.Add(`{"version": 1, "tests": [{"id": "t", "calls": [{"op": "GET /a"}]}]}`)
	f.Add(
		`{"log": {"pages": [{"id": "p"}], "entries": [` + entry +
			`1Z", "pageref": "p", "request": {"method": "GET", "url": "http://h/a"}}]}}`,
	)
	f.Add("package p\nfunc TestA(t *testing.T) { call(t, \"GET\", `/a/`+x.path()) }\nfunc call(t *testing.T, method, path string) {}\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := codec.ReadRequestSeqs("fuzz", strings.NewReader(text))
		if err != nil {
			return
		}
		if got.Kind == "" {
			t.Fatalf("%q is of no kind and no error", text)
		}
		for _, trail := range got.All {
			for _, s := range trail.Steps {
				if got.Kind == codec.KindHAR && (s.Method == "" || s.URL == "") {
					t.Fatalf("%q has a request of nothing", text)
				}
			}
		}
	})
}
