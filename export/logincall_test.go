package export_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
)

// A call that logs a user in takes the password from the environment, in all formats. In calls to other operations,
// "${NAME}" is a text.
func TestCallsThatLogIn(t *testing.T) {
	t.Parallel()
	const password = `open+"sesame"&1`
	for name, run := range withGo() {
		for _, media := range []string{"application/json", "application/x-www-form-urlencoded"} {
			if name == "bruno" && media != "application/json" {
				continue // the format leaves such a test out
			}
			t.Run(name+" "+media, func(t *testing.T) {
				body := `{"name":"ann","pw":"${ANN_PASSWORD}"}`
				if media != "application/json" {
					body = "name=ann&pw=%24%7BANN_PASSWORD%7D"
				}
				s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					sent, _ := io.ReadAll(r.Body)
					texts := model.Payload{Media: media, Data: string(sent)}.Texts()
					want := map[string]string{"/login": password, "/notes": "${ANN_PASSWORD}"}[r.URL.Path]
					if len(texts) != 2 || texts[1].Text != want {
						w.WriteHeader(400)
						return
					}
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprint(w, `{"token":"t1"}`)
				}))
				defer s.Close()
				call := func(op model.OpID) model.Call {
					return model.Call{Op: op, Status: 200, Body: &model.Payload{Media: media, Data: body}}
				}
				dir, made := written(t, name, export.Suite{
					BaseURL: s.URL,
					Users: []model.User{{Name: "ann", Login: &model.Login{
						Method: "POST", Path: "/login", Body: &model.Payload{Media: media},
						Fields: []model.LoginField{{Name: "name", Value: "ann"}, {Name: "pw", Value: "${ANN_PASSWORD}"}},
						Token:  &model.LoginToken{Pointer: "/token", In: model.InHeader, Name: "X-Token", Template: "{token}"},
					}}},
					Tests: []model.Test{{ID: "t1", Calls: []model.Call{call("POST /login"), call("POST /notes")}}},
				})
				if output, err := run(t, dir, s.URL, []string{"ANN_PASSWORD=" + password}); err != nil {
					t.Fatalf("%v in\n%s\n%s", err, output, made.Text)
				}
				if !strings.Contains(string(made.Text), "ANN_PASSWORD") {
					t.Errorf("no variable in\n%s", made.Text)
				}
				if output, err := run(t, dir, s.URL, []string{"ANN_PASSWORD=wrong"}); err == nil {
					t.Errorf("it passes with a wrong password:\n%s", output)
				}
			})
		}
	}
}
