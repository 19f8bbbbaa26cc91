package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
)

// headerService records the headers of requests, by path.
type headerService struct {
	*httptest.Server
	seen map[string]http.Header
	body string
}

func newHeaderService(t *testing.T) *headerService {
	t.Helper()
	s := &headerService{seen: map[string]http.Header{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.seen[r.URL.Path] = r.Header.Clone()
		data := make([]byte, r.ContentLength)
		_, _ = r.Body.Read(data)
		s.body = string(data)
		_, _ = w.Write([]byte(`{"token": "granted-by-log-in", "echo": "` + r.Header.Get("X-Gate") + `"}`))
	}))
	t.Cleanup(s.Close)
	return s
}

func inHeader(name, value string) model.Credential {
	return model.Credential{In: model.InHeader, Name: name, Value: value}
}

// All requests to the service carry the headers: anonymous ones, those of users, and log-ins. Headers of the request
// and of the user take precedence. A secret in a header is neither stored nor shown.
func TestHeaders(t *testing.T) {
	t.Setenv("GATE_KEY", "open-sesame")
	s := newHeaderService(t)
	c, err := client.New(s.URL, client.Options{
		Headers: []model.Credential{inHeader("x-tenant", "t1"), inHeader("X-Gate", "${GATE_KEY}"), inHeader("X-Own", "no")},
		Users: []model.User{
			{Name: "ann", Sends: []model.Credential{inHeader("X-Tenant", "anns")}},
			{Name: "bob", Login: &model.Login{
				Method: "POST", Path: "/login",
				Token: &model.LoginToken{Pointer: "/token", In: model.InHeader, Name: "Authorization", Template: "Bearer {token}"},
			}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx := context.Background()
	x := c.Send(ctx, model.Request{Method: "GET", URL: "/anonymous", Header: map[string][]string{"X-Own": {"yes"}}})
	c.SendAs(ctx, "ann", model.Request{Method: "GET", URL: "/ann"})
	c.SendAs(ctx, "bob", model.Request{Method: "GET", URL: "/bob"})
	for _, tt := range []struct{ path, name, want string }{
		{"/anonymous", "X-Tenant", "t1"},
		{"/anonymous", "X-Gate", "open-sesame"},
		{"/anonymous", "X-Own", "yes"},
		{"/ann", "X-Tenant", "anns"},
		{"/ann", "X-Own", "no"},
		{"/bob", "X-Tenant", "t1"},
		{"/bob", "Authorization", "Bearer granted-by-log-in"},
		{"/login", "X-Tenant", "t1"},
	} {
		if got := s.seen[tt.path].Get(tt.name); got != tt.want {
			t.Errorf("%s: %s is %q, want %q", tt.path, tt.name, got, tt.want)
		}
	}
	if shown := strings.Join(x.Request.Header["X-Gate"], ""); shown != model.MaskedSecret {
		t.Errorf("the exchange shows %q", shown)
	}
	if strings.Contains(string(x.Reply.Body), "sesame") {
		t.Errorf("the answer shows %q", x.Reply.Body)
	}
}

func TestHeaderWithoutValue(t *testing.T) {
	_, err := client.New("http://127.0.0.1:1", client.Options{Headers: []model.Credential{inHeader("X-Gate", "${SONDE_MISSING_GATE}")}})
	if err == nil || err.Error() != "the header X-Gate lacks a value: set SONDE_MISSING_GATE in the environment" {
		t.Errorf("got %v", err)
	}
}

// Variables are replaced when a call is sent, as its part of the request requires. The test keeps them, and a secret is
// masked.
func TestVariables(t *testing.T) {
	s := newHeaderService(t)
	c, err := client.New(s.URL, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetVariables(client.Variables{
		Values:  map[string]string{"tenant": `t "1"`, "KEY": "open-barley"},
		Secrets: []string{"open-barley"},
	})
	spec := &model.Spec{Operations: []*model.Operation{{ID: "POST /t/{id}", Method: "POST", Path: "/t/{id}"}}}
	call := model.Call{
		Op: "POST /t/{id}",
		Args: []model.Arg{
			{In: model.InPath, Name: "id", Value: "${tenant}"},
			{In: model.InHeader, Name: "X-Key", Value: "${KEY}"},
			{In: model.InQuery, Name: "q", Value: "${OTHER}"},
		},
		Body: &model.Payload{Media: "application/json", Data: `{"a":"${tenant}","b":"${KEY}"}`},
	}
	played, results := c.PlayTest(context.Background(), spec, model.Test{Calls: []model.Call{call}})
	x := results[0].Exchange
	for _, tt := range []struct{ what, got, want string }{
		{"path", x.Request.URL, "/t/t%20%221%22?q=%24%7BOTHER%7D"},
		{"sent body", s.body, `{"a":"t \"1\"","b":"open-barley"}`},
		{"shown body", string(x.Request.Body), `{"a":"t \"1\"","b":"***"}`},
		{"sent header", s.seen[`/t/t "1"`].Get("X-Key"), "open-barley"},
		{"shown header", x.Request.Header["X-Key"][0], "***"},
		{"kept argument", played.Calls[0].Args[0].Value, "${tenant}"},
		{"kept body", played.Calls[0].Body.Data, call.Body.Data},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.what, tt.got, tt.want)
		}
	}
}

// A variable in a field of a form is replaced although the form escapes it, and its value is escaped. A file is sent as it
// is.
func TestVariablesInForms(t *testing.T) {
	values := map[string]string{"tenant": "a&b"}
	form := model.Payload{Media: "application/x-www-form-urlencoded", Data: "t=%24%7Btenant%7D&o=%24%7Bother%7D"}
	file := model.Payload{Media: "text/x-sh", Data: "echo ${tenant}", FromFile: true}
	for _, tt := range []struct {
		body model.Payload
		want string
	}{{form, "t=a%26b&o=%24%7Bother%7D"}, {file, file.Data}} {
		got := client.FillVariables(model.Call{Body: &tt.body}, values)
		if got.Body.Data != tt.want || got.Body.Media != tt.body.Media {
			t.Errorf("got %+v, want %q", got.Body, tt.want)
		}
	}
}
