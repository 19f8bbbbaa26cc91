package client_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
)

// A call that logs a user in sends the user's password. The test keeps the variable, the password and the token of the
// answer are masked, and the variables of a log-in are not sent to other operations.
func TestCallThatLogsIn(t *testing.T) {
	sent := map[string]string{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent[r.URL.Path] = string(body)
		w.Header().Set("X-Issued", "token-of-ann-1")
		io.WriteString(w, `{"auth":{"token":"token-of-ann-1"},"name":"ann"}`)
	}))
	defer s.Close()
	c, err := client.New(s.URL, client.Options{Users: []model.User{ann()}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "POST /login", Method: "POST", Path: "/login"}, {ID: "POST /notes", Method: "POST", Path: "/notes"},
	}}
	const body = `{"user":"ann","pw":"${SONDE_TEST_PASSWORD}"}`
	json := &model.Payload{Media: "application/json", Data: body}
	wrong := &model.Payload{Media: "application/json", Data: `{"user":"ann","pw":"guess"}`}
	played, results := c.PlayTest(context.Background(), spec, model.Test{Calls: []model.Call{
		{Op: "POST /login", Body: json}, {Op: "POST /notes", Body: json}, {Op: "POST /login", Body: wrong},
	}})
	if len(results) != 3 {
		t.Fatalf("got %d results", len(results))
	}
	x := results[0].Exchange
	for _, tt := range []struct{ what, got, want string }{
		{"kept body", played.Calls[0].Body.Data, body},
		{"shown body", string(x.Request.Body), `{"user":"ann","pw":"***"}`},
		{"answer", string(x.Reply.Body), `{"auth":{"token":"***"},"name":"ann"}`},
		{"header of the answer", strings.Join(x.Reply.Header["X-Issued"], ","), "***"},
		{"another operation", sent["/notes"], body},
		{"answer to a body without variables", string(results[2].Exchange.Reply.Body), `{"auth":{"token":"token-of-ann-1"},"name":"ann"}`},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.what, tt.got, tt.want)
		}
	}
	c.PlayTest(context.Background(), spec, model.Test{Calls: []model.Call{{Op: "POST /login", Body: json}}})
	if want := `{"user":"ann","pw":"` + password + `"}`; sent["/login"] != want {
		t.Errorf("sent %q, want %q", sent["/login"], want)
	}
}
