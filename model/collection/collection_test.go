package collection_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"sonde/model/collection"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// read returns the text of a file in testdata.
func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// parsed returns the collection in a file or folder of testdata.
func parsed(t testing.TB, name string) collection.Collection {
	t.Helper()
	if name == "bruno" {
		c, err := collection.ReadBruno(os.DirFS("testdata/bruno"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	data := read(t, name)
	f, err := collection.Detect(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	c, err := collection.Parse(f, data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}

var files = []string{"vscode.http", "jetbrains.http", "shop.postman_collection.json", "browser.har", "commands.sh", "bruno"}

// Each file becomes the .http file beside it, whose last lines are comments with the omissions.
func TestReadFiles(t *testing.T) {
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			c := parsed(t, name)
			text, left := collection.WriteHTTP(c)
			got := string(text)
			for _, o := range slices.Concat(c.Omissions, left) {
				got += fmt.Sprintf("\n# %s | %s | %s", o.Kind, o.Request, o.About)
			}
			golden := filepath.Join("testdata", "golden", name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got+"\n"); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// rest are the parts of a collection that a .http file does not keep.
var rest = cmp.Options{
	cmpopts.IgnoreFields(collection.Collection{}, "Name", "Omissions"),
	cmpopts.EquateEmpty(),
}

// A collection that is written as .http and read again is the same.
func TestRoundTrip(t *testing.T) {
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			c := parsed(t, name)
			text, left := collection.WriteHTTP(c)
			if len(left) > 0 {
				t.Errorf("left out: %v", left)
			}
			again, err := collection.ParseHTTP(string(text))
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if diff := cmp.Diff(c, again, rest); diff != "" {
				t.Errorf("(-read +written and read):\n%s", diff)
			}
			if len(again.Omissions) > 0 {
				t.Errorf("the written file has omissions: %v", again.Omissions)
			}
		})
	}
}

func TestDetect(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want collection.Format
		err  string
	}{
		"request line":          {text: "GET http://localhost/a\n", want: collection.HTTPFormat},
		"variable and request":  {text: "@a = 1\nGET {{a}}/b", want: collection.HTTPFormat},
		"only a URL":            {text: "\ufeff# list\nhttps://x.example/things", want: collection.HTTPFormat},
		"variable as a host":    {text: "{{host}}/things", want: collection.HTTPFormat},
		"separator":             {text: "### Name\ncurl http://x.example", want: collection.HTTPFormat},
		"curl":                  {text: "# a\n$ curl -X POST x.example", want: collection.CurlFormat},
		"script with variables": {text: "#!/bin/sh\nB=1\nexport A=2\ncurl $B", want: collection.CurlFormat},
		"Bruno":                 {text: "meta {\n  name: a\n}\n", want: collection.BrunoFormat},
		"Postman":               {text: `{"info":{},"item":[]}`, want: collection.PostmanFormat},
		"HAR":                   {text: `{"log":{}}`, want: collection.HARFormat},
		"environment":           {text: `{"values":[]}`, err: "--environment"},
		"bruno.json":            {text: `{"version":"1","type":"collection"}`, err: "give its folder"},
		"OpenAPI":               {text: `{"openapi":"3.0.3","info":{}}`, err: "OpenAPI document"},
		"Postman version 1":     {text: `{"requests":[]}`, err: "version 2.1"},
		"broken JSON":           {text: `{"info":`, err: "broken JSON"},
		"prose":                 {text: "Dear reader,\n", err: "it is no Postman collection"},
		"nothing":               {text: "", err: "it is no Postman collection"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := collection.Detect([]byte(test.text))
			if got != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("got %q and %v, want %q and %q", got, err, test.want, test.err)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for name, test := range map[string]struct {
		format collection.Format
		text   string
		want   string
	}{
		"no request line":      {collection.HTTPFormat, "### a\n\nDear reader\n", `line 3: "Dear reader" is no request`},
		"no header":            {collection.HTTPFormat, "GET /a\nDear reader\n", `line 2: "Dear reader" is no header`},
		"empty .http":          {collection.HTTPFormat, "\n\n", "no request"},
		"curl without a URL":   {collection.CurlFormat, "curl -X POST", "the command has no URL"},
		"curl without a value": {collection.CurlFormat, "curl http://x.example -H", "--header has no value"},
		"curl of Windows":      {collection.CurlFormat, "curl \"http://x.example\" ^\n  -H \"a: b", "POSIX shell"},
		"another command":      {collection.CurlFormat, "wget http://x.example", "no curl command"},
		"block without an end": {collection.BrunoFormat, "meta {\n  name: a\n", `line 1: the block "meta" has no end`},
		"no block":             {collection.BrunoFormat, "name: a\n", `line 1: "name: a" begins no block`},
		"empty .bru":           {collection.BrunoFormat, "", "it is empty"},
		"empty HAR":            {collection.HARFormat, `{"log":{"entries":[]}}`, "no request"},
		"HAR of another shape": {collection.HARFormat, `{"log":{"entries":{}}}`, "not a HAR file"},
		"empty collection":     {collection.PostmanFormat, `{"info":{},"item":[]}`, "no request"},
		"Postman version 1":    {collection.PostmanFormat, `{"info":{"schema":"https://x/v1.0.0/"},"item":[]}`, "version 2.1"},
		"unknown format":       {"insomnia", "", `the format "insomnia" is unknown: use one of postman, har, curl, http, bruno`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := collection.Parse(test.format, []byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestEnvironments(t *testing.T) {
	got, err := collection.ParsePostmanEnvironment(read(t, "local.postman_environment.json"))
	want := []collection.Variable{{Name: "baseUrl", Value: "http://127.0.0.1:9090"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	got, err = collection.ParseBrunoEnvironment(string(read(t, "bruno/environments/local.bru")))
	want = []collection.Variable{{Name: "host", Value: "http://127.0.0.1:8080"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := collection.ParsePostmanEnvironment([]byte("x")); err == nil {
		t.Error("no error for a file that is no environment")
	}
}

// Requests that a .http file cannot have are left out with the reason.
func TestUnwritable(t *testing.T) {
	body := func(b collection.Body) collection.Request {
		return collection.Request{Method: "POST", URL: "http://x.example/", Body: &b}
	}
	between := []collection.Field{{Name: "a", Value: "--sonde-boundary"}}
	for name, test := range map[string]struct {
		request collection.Request
		want    string
	}{
		"separator":  {body(collection.Body{Text: "a\n### b"}), "begins as a separator"},
		"script":     {body(collection.Body{Text: "> {% x %}"}), "begins as a separator or a script"},
		"file":       {body(collection.Body{Text: "< a"}), "names a file"},
		"boundary":   {body(collection.Body{Media: collection.MultipartMedia, Fields: between}), "the line between parts"},
		"lines":      {collection.Request{Method: "GET", URL: "/a\n/b"}, "not one line"},
		"no host":    {collection.Request{Method: "GET", URL: "things"}, "no host and no path"},
		"no method":  {collection.Request{URL: "/a"}, "not one line"},
		"file, more": {body(collection.Body{Text: "< 1 is <2\n>3"}), "names a file"},
		"header":     {collection.Request{Method: "GET", URL: "/a", Headers: []collection.Field{{Name: "&a b"}}}, `header "&a b"`},
		"good lines": {body(collection.Body{Text: "# a\n@b = c\n\n// d"}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, left := collection.WriteHTTP(collection.Collection{Requests: []collection.Request{test.request}})
			got := ""
			for _, o := range left {
				got += o.About
			}
			if !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestFillAll(t *testing.T) {
	values := map[string]string{"a": "1{{b}}", "b": "2", "loop": "{{loop}}x", "long": strings.Repeat("{{long}}", 10)}
	value := func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	for text, want := range map[string]string{
		"{{a}}/{{ b }}/{{c}}": "12/2/{{c}}",
		"plain":               "plain",
	} {
		if got := collection.FillAll(text, value); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"{{loop}}", "{{long}}"} {
		if got := collection.FillAll(text, value); len(got) > 1<<20+len(text) {
			t.Errorf("%s became %d bytes", text, len(got))
		}
	}
}

// A long value that texts repeat does not fill the memory.
func TestValuesAreBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<19)
	c := collection.Collection{Variables: []collection.Variable{{Name: "b", Value: long}}}
	text := strings.Repeat("{{b}}", 1000)
	if got := collection.FillAll(text, c.Values()); len(got) > 1<<20+len(text) {
		t.Errorf("the text became %d bytes", len(got))
	}
	values, total := c.Values(), 0
	for range 1000 {
		total += len(collection.FillAll("{{b}}", values))
	}
	if total > 65<<20 {
		t.Errorf("the values of a file made %d bytes", total)
	}
}

// Files with many variables and many secrets are read in seconds.
func TestManyVariablesAndSecrets(t *testing.T) {
	var b strings.Builder
	const count = 100_000
	for i := range count {
		fmt.Fprintf(&b, "@v%d = 1\n", i%(count-1))
	}
	b.WriteString("@v0 = last\n### x\nGET /x\n")
	start := time.Now()
	c, err := collection.ParseHTTP(b.String())
	if err != nil || len(c.Variables) != count-1 || c.Variables[0].Value != "last" {
		t.Fatalf("got %d variables, %v", len(c.Variables), err)
	}
	c = collection.Collection{}
	for i := range 5000 {
		c.Requests = append(c.Requests, collection.Request{
			Method: "GET", URL: "/x", Headers: []collection.Field{{Name: "Authorization", Value: fmt.Sprintf("Bearer token-%d", i)}},
		})
	}
	hidden, secrets := collection.HideSecrets(c, rules)
	if len(secrets) != 5000 || secrets[4999].Variable != "TOKEN_5000" || hidden.Requests[1].Headers[0].Value != "Bearer {{TOKEN_2}}" {
		t.Errorf("got %d secrets, the last %v", len(secrets), secrets[len(secrets)-1])
	}
	if took := time.Since(start); took > 20*time.Second { // it was minutes when the time was quadratic
		t.Errorf("took %v", took)
	}
}

// A variable of a request or a folder of Bruno counts only there.
func TestBrunoVariableScopes(t *testing.T) {
	request := func(name, vars string) *fstest.MapFile {
		text := "meta {\n  name: " + name + "\n}\n\nget {\n  url: {{base}}/{{who}}\n}\n\nvars:pre-request {\n" + vars + "}\n"
		return &fstest.MapFile{Data: []byte(text)}
	}
	c, err := collection.ReadBruno(fstest.MapFS{
		"bruno.json":     {Data: []byte(`{"name": "B"}`)},
		"collection.bru": {Data: []byte("vars:pre-request {\n  base: http://a.example\n  who: all\n}\n")},
		"F/folder.bru":   {Data: []byte("vars:pre-request {\n  base: http://b.example\n}\n")},
		"F/1.bru":        request("1", "  who: ann\n"),
		"F/2.bru":        request("2", "  who: {{base}}-bob\n  ~off: 1\n"),
		"G/3.bru":        request("3", "  other: 1\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range c.Requests {
		got = append(got, collection.FillAll(r.URL, c.Values()))
	}
	want := []string{"http://b.example/ann", "http://b.example/http://b.example-bob", "http://a.example/all"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%v", diff, c)
	}
	if len(c.Omissions) != 1 || c.Omissions[0].About != "the variable off" {
		t.Errorf("omissions: %v", c.Omissions)
	}
}

// What has no place in a request is listed, and a field with several files becomes several fields.
func TestOmissionsAndFiles(t *testing.T) {
	for name, test := range map[string]struct {
		format collection.Format
		text   string
		want   []string
	}{
		"descriptions of Postman": {
			collection.PostmanFormat,
			`{"info":{"name":"P","description":"d"},"item":[{"name":"F","description":{"content":"e"},"item":[
			{"name":"r","response":[{},{}],"request":{"url":"/x","description":"f"}}]}]}`,
			[]string{"description P", "description F", "description F / r", "example answer F / r", "example answer F / r"},
		},
		"files of Postman": {
			collection.PostmanFormat,
			`{"info":{"name":"P"},"item":[{"name":"r","request":{"method":"POST","url":"/x","body":{"mode":"formdata",
			"formdata":[{"key":"f","type":"file","src":["a.png","b.png"]},{"key":"t","value":"v"}]}}}]}`,
			[]string{"field f a.png", "field f b.png", "field t "},
		},
		"files and query of Bruno": {
			collection.BrunoFormat,
			"meta {\n  name: r\n}\n\npost {\n  url: /x\n  body: multipartForm\n}\n\nparams:query {\n  ~a: 1\n  b: 2\n}\n\n" +
				"body:multipart-form {\n  f: @file(a.png|b.png) @contentType(image/png)\n}\n\ndocs {\n  d\n}\n",
			[]string{"description r", "disabled part r the query parameter a", "field f a.png", "field f b.png", "url /x?b=2"},
		},
		"file with an encoding": {
			collection.HTTPFormat, "### r\nPOST /x\n\n<@latin1 in.xml\n", []string{"option r <@latin1, as the file is sent as it is"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := collection.Parse(test.format, []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range c.Omissions {
				got = append(got, strings.TrimRight(fmt.Sprintf("%s %s %s", o.Kind, o.Request, o.About), " "))
			}
			if body := c.Requests[0].Body; body != nil {
				for _, f := range body.Fields {
					got = append(got, "field "+f.Name+" "+f.File)
				}
			}
			if strings.Contains(c.Requests[0].URL, "?") {
				got = append(got, "url "+c.Requests[0].URL)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzParse checks that hostile files do not panic, and that what was read can be written and read again.
func FuzzParse(f *testing.F) {
	for _, name := range files {
		if name != "bruno" {
			f.Add(string(read(f, name)))
		}
	}
	for _, name := range []string{"List products.bru", "Sign in.bru", "orders/create.bru", "orders/photo.bru"} {
		f.Add(string(read(f, "bruno/"+name)))
	}
	f.Add("curl -H 'a: ${b//x/y}' $((1<<62)) {1..99999999}")
	f.Add("curl \f -H a:b http://x.example")
	f.Add("curl http://x.example -d@") // an empty body
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range collection.Formats {
			c, err := collection.Parse(format, []byte(text))
			if err != nil {
				continue
			}
			written, _ := collection.WriteHTTP(c)
			again, err := collection.ParseHTTP(string(written))
			if err != nil {
				if len(written) == 0 {
					continue
				}
				t.Fatalf("%s: %v in\n%s", format, err, written)
			}
			twice, _ := collection.WriteHTTP(again)
			if string(twice) != string(written) {
				t.Errorf("%s: written\n%q\nwritten again\n%q", format, written, twice)
			}
		}
	})
}
