package format_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
)

// things is a service that creates things with new ids and records its requests.
type things struct {
	mu       sync.Mutex
	requests []string
}

func (s *things) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	request := fmt.Sprintf("%s %s %s %s", r.Method, r.RequestURI, r.Header.Get("Authorization"), body)
	s.requests = append(s.requests, strings.TrimSpace(request))
	if r.Method == "POST" {
		w.Header().Set("Location", "/things/x%20y/")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"id": %d, "code": "a b/c"}`, 40+len(s.requests))
		return
	}
	w.WriteHeader(http.StatusInternalServerError)
}

// run runs a reproduction and returns the requests that the service received.
func (s *things) run(t *testing.T, script string, env ...string) []string {
	t.Helper()
	for _, tool := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s here: %v", tool, err)
		}
	}
	s.mu.Lock()
	s.requests = nil
	s.mu.Unlock()
	c := exec.Command("sh", "-euc", script)
	c.Env = append(os.Environ(), env...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, script)
	}
	return s.requests
}

func reproduced(t *testing.T, s export.Suite, test model.Test) string {
	t.Helper()
	script, err := format.CurlScript(s, model.Fault{ID: "f1", Test: &test})
	if err != nil {
		t.Fatal(err)
	}
	return script
}

func TestReproductionOfOneCallIsOneLine(t *testing.T) {
	s := new(things)
	server := httptest.NewServer(s)
	defer server.Close()
	script := reproduced(t, export.Suite{Title: "T", BaseURL: server.URL}, model.Test{ID: "t1", Calls: []model.Call{{
		Op:     "PUT /things/{id}",
		Status: 500,
		Args:   []model.Arg{{In: model.InPath, Name: "id", Value: "a b"}, {In: model.InQuery, Name: "q", Value: "it's"}},
		Body:   &model.Payload{Media: "application/json", Data: `{"name":"o'neil"}`},
	}}})
	if strings.Contains(script, "\n") {
		t.Errorf("%q is not one line", script)
	}
	want := []string{`PUT /things/a%20b?q=it%27s  {"name":"o'neil"}`}
	if got := s.run(t, script); !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q by\n%s", got, want, script)
	}
}

// A script takes the values for later calls from the answers of the service.
func TestReproductionTakesValues(t *testing.T) {
	s := new(things)
	server := httptest.NewServer(s)
	defer server.Close()
	create := model.Call{Op: "POST /things", Status: 201, Body: &model.Payload{Media: "application/json", Data: `{}`}}
	put := model.Call{
		Op:     "PUT /codes/{code}/{id}",
		Status: 0,
		Args: []model.Arg{
			{In: model.InPath, Name: "code", Value: "old"},
			{In: model.InPath, Name: "id", Value: "1"},
			{In: model.InQuery, Name: "at", Value: "z"},
		},
		Body: &model.Payload{Media: "application/json", Data: `{"id":1,"code":"old"}`},
		User: "ann",
	}
	script := reproduced(t, export.Suite{
		Title: "T", BaseURL: server.URL, Users: []model.User{{Name: "ann", Header: "Authorization", Env: "ANN_TOKEN"}},
	}, model.Test{
		ID: "t1", Calls: []model.Call{create, put}, Links: []model.Link{
			{From: 0, To: 1, Pointer: "/code", In: model.InPath, Name: "code"},
			{From: 0, To: 1, Pointer: "/id", In: model.InPath, Name: "id"},
			{From: 0, To: 1, Header: "Location", In: model.InQuery, Name: "at"},
			{From: 0, To: 1, Pointer: "/id", In: model.InBody, Name: "/id"},
			{From: 0, To: 1, Pointer: "/code", In: model.InBody, Name: "/code"},
		},
	})
	got := s.run(t, script, "ANN_TOKEN=Bearer s3cret")
	want := []string{"POST /things  {}", `PUT /codes/a%20b%2Fc/41?at=x%20y Bearer s3cret {"id": 41, "code": "a b/c"}`}
	if !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q by\n%s", got, want, script)
	}
	if strings.Contains(script, "s3cret") || !strings.Contains(script, `"$ANN_TOKEN"`) {
		t.Errorf("the credential is no variable in\n%s", script)
	}
}

// If the run started the service, the script asks for the address of the service.
func TestReproductionAsksWhereTheServiceIs(t *testing.T) {
	s := new(things)
	server := httptest.NewServer(s)
	defer server.Close()
	script := reproduced(
		t, export.Suite{Title: "T", BaseURL: "http://127.0.0.1:" + model.PortPlaceholder},
		model.Test{ID: "t1", Calls: []model.Call{{Op: "GET /x", Status: 500}}},
	)
	if got := s.run(t, script, "SONDE_BASE_URL="+server.URL); !slices.Equal(got, []string{"GET /x"}) {
		t.Errorf("sent %q by\n%s", got, script)
	}
	if _, err := format.CurlScript(export.Suite{}, model.Fault{ID: "f2"}); err == nil || !strings.Contains(err.Error(), "f2") {
		t.Errorf("error %v names no fault", err)
	}
}

// A script sends requests unchanged that curl would change by default.
func TestReproductionOfOddRequests(t *testing.T) {
	s := new(things)
	server := httptest.NewServer(s)
	defer server.Close()
	for name, c := range map[string]struct {
		call         model.Call
		option, want string
	}{
		"no body in the answer": {model.Call{Op: "HEAD /things"}, " --head ", "HEAD /things"},
		"dots in the path":      {model.Call{Op: "GET /a/../b"}, " --path-as-is ", "GET /a/../b"},
		"braces in the query": {
			model.Call{Op: "GET /a", Args: []model.Arg{{In: model.InQuery, Name: "f[x]", Value: "{1,2}"}}},
			"", "GET /a?f%5Bx%5D=%7B1%2C2%7D",
		},
		"a body with a byte 0": {
			model.Call{Op: "PUT /a", Body: &model.Payload{Media: "application/octet-stream", Data: "a\x00'%"}},
			" --data-binary @-", "PUT /a  a\x00'%",
		},
		"a body that is not UTF-8": {
			model.Call{Op: "PUT /a", Body: &model.Payload{Media: "image/png", Data: "\x89PNG\r\nx"}},
			`printf '\211PNG\015\012x' | `, "PUT /a  \x89PNG\r\nx",
		},
		"JSON on several lines": {
			model.Call{Op: "PUT /a", Body: &model.Payload{Media: "application/json", Data: "{\n  \"a\": [1,\n 2]}"}},
			"", `PUT /a  {"a":[1,2]}`,
		},
	} {
		c.call.Status = 500
		script := reproduced(t, export.Suite{Title: "T", BaseURL: server.URL}, model.Test{ID: "t1", Calls: []model.Call{c.call}})
		if got := s.run(t, script); !slices.Equal(got, []string{c.want}) || !strings.Contains(script, c.option) {
			t.Errorf("%s: sent %q, want %q with%q by\n%s", name, got, c.want, c.option, script)
		}
	}
}

// A script lists the rows and the stubs with faults, and the variables to set. It accepts any certificate if the run did.
func TestReproductionNamesItsSurroundings(t *testing.T) {
	call := model.Call{Op: "GET /things", User: "ann", Status: 500}
	script := reproduced(t, export.Suite{
		Title: "T", BaseURL: "https://127.0.0.1:1", Insecure: true,
		Users: []model.User{{Name: "ann", Sends: []model.Credential{
			{In: model.InHeader, Name: "Authorization", Value: "ann:${ANN_PASSWORD}", Basic: true},
			{In: model.InQuery, Name: "key", Value: "${ANN_KEY}"},
		}}},
	}, model.Test{
		ID: "t1", Calls: []model.Call{call}, Stubs: []model.Stub{{Host: "pay.example\n:443"}},
		Rows: []model.Row{{Table: "orders", Cells: []model.Cell{{Column: "name", Value: []byte(`"it's\nmine"`)}}}},
	})
	want := "# with a row in the database of the service: INSERT INTO \"orders\" (\"name\") VALUES ('it''s mine')\n" +
		"# while pay.example :443 misbehaves as it did in the run, which this cannot do\n" +
		"# Set ANN_PASSWORD to the credentials of the user \"ann\".\n# Set ANN_KEY to the credentials of the user \"ann\".\n" +
		`curl -sS -i -k 'https://127.0.0.1:1/things?key='"$(printf '%s' "$ANN_KEY" | jq -Rr @uri)" -u ann:"$ANN_PASSWORD"`
	if script != want {
		t.Errorf("got\n%s\nwant\n%s", script, want)
	}
}

func FuzzReproductionIsWhatWasMeant(f *testing.F) {
	f.Add("name", "value", "body")
	f.Add("x'y", "$(touch /tmp/x)", "`id`")
	f.Fuzz(func(t *testing.T, path, query, body string) {
		test := model.Test{ID: "t1", Calls: []model.Call{{
			Op:     "POST /a/{p}",
			Status: 500,
			Args:   []model.Arg{{In: model.InPath, Name: "p", Value: path}, {In: model.InQuery, Name: "q", Value: query}},
			Body:   &model.Payload{Media: "text/plain", Data: body},
		}}}
		script, err := format.CurlScript(export.Suite{Title: "T", BaseURL: "http://h"}, model.Fault{ID: "f1", Test: &test})
		if err != nil {
			return
		}
		// The shell must not expand anything outside of quotes.
		quoted := false
		for _, r := range strings.ReplaceAll(script, `'\''`, "") {
			if r == '\'' {
				quoted = !quoted
			}
			if !quoted && strings.ContainsRune("$`;&<>(){}", r) {
				t.Fatalf("%q is outside of quotes in %s", r, script)
			}
		}
	})
}

// The commands and the description of a fault of a list wait before the reading calls, as the test does.
func TestReproductionPauses(t *testing.T) {
	s := new(things)
	server := httptest.NewServer(s)
	defer server.Close()
	create := model.Call{Op: "POST /things", Status: 201, Body: &model.Payload{Media: "application/json", Data: `{}`}}
	list := model.Call{Op: "GET /things", Status: 200}
	test := model.Test{ID: "t1", Calls: []model.Call{list, create, list, list}, Pause: 1500 * time.Millisecond}
	script := reproduced(t, export.Suite{Title: "T", BaseURL: server.URL}, test)
	want := "\n# " + export.PauseRemark + "\nsleep 1.5\n# 3. GET /things\n"
	if !strings.Contains(script, want) || strings.Count(script, "sleep") != 1 {
		t.Errorf("want one pause, %q, in\n%s", want, script)
	}
	began := time.Now()
	if got := s.run(t, script); len(got) != 4 {
		t.Errorf("sent %q", got)
	}
	if took := time.Since(began); took < test.Pause {
		t.Errorf("the commands took %v, want at least %v", took, test.Pause)
	}
	text := export.FaultDescription(model.Fault{ID: "f1", Test: &test}, export.Report{})
	want = "  2. POST /things → 201\n       application/json {}\n  wait 1.5 s\n  3. GET /things → 200\n"
	if !strings.Contains(text, want) || strings.Count(text, "wait") != 1 {
		t.Errorf("want %q in\n%s", want, text)
	}
}
