package export

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"sonde/model"
)

// If the users of a suite have to be created, each exported test creates its user once.
func TestExportedTestsMakeTheirUser(t *testing.T) {
	t.Parallel()
	users := map[string]bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		switch {
		case r.URL.Path == "/__reset":
			clear(users)
		case r.URL.Path == "/users" && users[r.FormValue("name")]:
			w.WriteHeader(422)
		case r.URL.Path == "/users":
			users[r.FormValue("name")] = r.FormValue("password") == "s3cr3t"
			w.WriteHeader(201)
		case !users[name] || password != "s3cr3t":
			w.WriteHeader(401)
		}
	}))
	t.Cleanup(s.Close)
	for name, suite := range creating() {
		t.Run(name, func(t *testing.T) {
			clear(users)
			output, err := runBuilt(t, built(t, suite), []string{"ANN_PASSWORD=s3cr3t", "SONDE_BASE_URL=" + s.URL})
			wantPasses(t, len(suite.Tests), output, err)
		})
	}
}

// creating returns suites whose user is created, with a reset and without one.
func creating() map[string]Suite {
	user := model.User{
		Name: "ann", Sends: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "ann:${ANN_PASSWORD}", Basic: true}},
		Creates: []model.Login{{
			Method: "POST", Path: "/users", Body: &model.Payload{Media: "application/x-www-form-urlencoded"},
			Fields: []model.LoginField{{Name: "name", Value: "ann"}, {Name: "password", Value: "${ANN_PASSWORD}"}},
		}},
	}
	call := model.Call{Op: "GET /a", User: "ann", Status: 200}
	all := map[string]Suite{}
	for name, reset := range map[string]*model.Reset{"with a reset": {Method: "POST", Path: "/__reset"}, "without one": nil} {
		all[name] = Suite{
			BaseURL: "http://127.0.0.1:1",
			Reset:   reset,
			Users:   []model.User{user},
			Tests:   []model.Test{{ID: "a", Calls: []model.Call{call}}, {ID: "b", Calls: []model.Call{call, call}}},
		}
	}
	return all
}
