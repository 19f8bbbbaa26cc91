package search_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/runner/search"
)

// A search logs in with the names and passwords of the users, which it could not guess. It reports neither a password nor
// a token.
func TestLogInOfUsers(t *testing.T) {
	const password, token = "tulip-4711-rose", "token-8f2e61-ann"
	text := &model.Schema{Type: "string"}
	short := 12 // shorter than the reference to the password
	mail := &model.Schema{Type: "string", Format: "email"}
	secret := &model.Schema{Type: "string", Format: "password", MinLength: 3, MaxLength: &short}
	grant := &model.Schema{Type: "string", Pattern: "^password$"}
	user := model.Property{Name: "user", Required: true, Schema: &model.Schema{
		Type:       "object",
		Properties: []model.Property{{Name: "mail", Required: true, Schema: mail}, {Name: "pw", Required: true, Schema: secret}},
	}}
	for name, c := range map[string]struct {
		media   string
		login   *model.Login
		body    *model.Schema
		accepts func(*http.Request) bool
	}{
		"form": {
			"application/x-www-form-urlencoded",
			&model.Login{
				Method: "POST", Path: "/login", Body: &model.Payload{Media: "application/x-www-form-urlencoded"},
				Fields: []model.LoginField{
					{Name: "grant_type", Value: "password"}, {Name: "name", Value: "ann"}, {Name: "pw", Value: "${ANN_PASSWORD}"},
				},
			},
			&model.Schema{Type: "object", Properties: []model.Property{
				{Name: "grant_type", Schema: grant},
				{Name: "name", Required: true, Schema: text},
				{Name: "pw", Required: true, Schema: secret},
			}},
			func(r *http.Request) bool {
				return r.FormValue("name") == "ann" && r.FormValue("pw") == password && r.FormValue("grant_type") == "password"
			},
		},
		"JSON": {
			"application/json",
			&model.Login{Method: "POST", Path: "/login", Body: &model.Payload{
				Media: "application/json", Data: `{"user":{"mail":"${ANN_MAIL}","pw":"${ANN_PASSWORD}"}}`,
			}},
			&model.Schema{AllOf: []*model.Schema{{Type: "object", Properties: []model.Property{user}}}},
			func(r *http.Request) bool {
				var sent struct{ User struct{ Mail, PW string } }
				return json.NewDecoder(r.Body).Decode(&sent) == nil && sent.User.Mail == "ann@example.com" && sent.User.PW == password
			},
		},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if !c.accepts(r) {
				w.WriteHeader(400)
				return
			}
			w.Write([]byte(`{"token":"` + token + `"}`))
		}))
		defer server.Close()
		c.login.Token = &model.LoginToken{Pointer: "/token", In: model.InHeader, Name: "Authorization", Template: "Bearer {token}"}
		answer := &model.Schema{Type: "object", Properties: []model.Property{{Name: "token", Schema: text}}}
		spec := &model.Spec{Operations: []*model.Operation{{
			ID: "POST /login", Method: "POST", Path: "/login",
			Body: &model.RequestBody{Required: true, Contents: []model.Content{{Media: c.media, Schema: c.body}}},
			Responses: []model.Response{
				{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: answer}}}, {Status: "400"},
			},
		}}}
		var log strings.Builder
		got := start(t, model.Plan{
			Spec:      spec,
			Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
			BaseURL:   server.URL,
			Seed:      1,
			Users: []model.User{{
				Name: "ann", Login: c.login, Secrets: map[string]string{"ANN_PASSWORD": password, "ANN_MAIL": "ann@example.com"},
			}},
			Minimise: model.DefaultMinimise,
			Tuning:   model.DefaultTuning(),
			Sampling: model.DefaultSampling(),
			Limits:   model.Limits{Calls: 300},
		}, search.Sink{Emit: func(l model.LogEntry) error { return json.NewEncoder(&log).Encode(l.Event) }}).Wait()
		if got.Err != nil || got.Grid["POST /login"][200] == 0 || got.Grid["POST /login"][400] == 0 {
			t.Errorf("%s: error %v, answers %v", name, got.Err, got.Grid)
		}
		all, err := json.Marshal([]any{got.Tests, got.Faults, got.Summary, log.String()})
		if text := string(all); err != nil || strings.Contains(text, password) || strings.Contains(text, token) ||
			!strings.Contains(text, "ANN_PASSWORD") {
			t.Errorf("%s: error %v, or a secret is reported, or no test refers to it: %s", name, err, text)
		}
	}
}
