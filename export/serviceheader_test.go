package export_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"sonde/export"
	"sonde/model"
)

// newGated returns a service that answers 403 to requests without the headers of an environment. Its users log in.
func newGated(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		known := r.Header.Get("X-Token") == "granted" || r.URL.Path == "/login" || r.URL.Path == "/open"
		switch {
		case r.Header.Get("X-Tenant") != "t1" || r.Header.Get("X-Gate") != "key gate-9":
			w.WriteHeader(http.StatusForbidden)
		case !known:
			w.WriteHeader(http.StatusUnauthorized)
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"token": "granted"}`))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// Exported tests send the headers of an environment with all requests, also with log-ins and anonymous calls. A variable
// in a header comes from the process environment.
func TestSuitesSendHeaders(t *testing.T) {
	t.Parallel()
	for name, run := range withGo() {
		t.Run(name, func(t *testing.T) {
			s := newGated(t)
			suite := export.Suite{
				BaseURL: s.URL,
				Users: []model.User{{Name: "ann", Login: &model.Login{
					Method: "POST", Path: "/login", Body: &model.Payload{Media: "application/json"},
					Fields: []model.LoginField{{Name: "password", Value: "${ANN_PASSWORD}"}},
					Token:  &model.LoginToken{Pointer: "/token", In: model.InHeader, Name: "X-Token", Template: "{token}"},
				}}},
				Tests: []model.Test{
					{ID: "a", Calls: []model.Call{{Op: "GET /open", Status: 200}}},
					{ID: "b", Calls: []model.Call{{Op: "GET /keys", Status: 200, User: "ann"}}},
				},
			}.WithHeaders([]model.Credential{
				{In: model.InHeader, Name: "X-Tenant", Value: "t1"},
				{In: model.InHeader, Name: "X-Gate", Value: "key ${GATE_KEY}"},
			})
			dir, made := written(t, name, suite)
			env := []string{"ANN_PASSWORD=p", "GATE_KEY=gate-9"}
			if output, err := run(t, dir, s.URL, env); err != nil {
				t.Fatalf("%v in\n%s\n%s", err, output, made.Text)
			}
			if output, err := run(t, dir, s.URL, []string{"ANN_PASSWORD=p", "GATE_KEY=wrong"}); err == nil {
				t.Errorf("it passes with a wrong header:\n%s", output)
			}
		})
	}
}
