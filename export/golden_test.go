package export

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	for name, s := range map[string]Suite{
		"shop":    shop(),
		"least":   {Title: "Shop", Tests: []model.Test{refused()}},
		"hostile": hostile(),
		"started": startedGolden(),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Go(s)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("the file differs from %s (look at it, then run with -update): -want +got\n%s", path, diff)
			}
		})
	}
}

// startedGolden is a suite that starts its service, and where all users log in
// in their own way.
func startedGolden() Suite {
	s := Suite{
		Title: "Vault", BaseURL: "http://127.0.0.1:{port}/v1", Users: keyholders("https://login.example"), Dir: "..",
		Service: &model.Service{
			Command: []string{"go", "run", ".", "--port", "{port}"}, Env: map[string]string{"DATABASE": "memory", "KEY": "${VAULT_KEY}"},
			Ready: model.Ready{Path: "/health", Status: 200, Timeout: 1500 * time.Millisecond}, Stop: model.Stop{Signal: "INT"},
		},
		Reset: &model.Reset{Method: "POST", Path: "/reset", Header: map[string]string{"X-Key": "${VAULT_KEY}"}},
	}
	for _, u := range s.Users {
		s.Tests = append(s.Tests, model.Test{ID: u.Name, Calls: []model.Call{{Op: "GET /keys", User: u.Name, Status: 200}}})
	}
	return s
}

// hostile is a suite whose every text tries to leave its place.
func hostile() Suite {
	evil := "*/ `\"\\\n\r\x00\u2028\u202e\ufeff\xff +build // {id} \x1b[2J"
	return Suite{
		Title: evil, BaseURL: evil, Command: evil,
		Reset: &model.Reset{Method: evil, Path: evil},
		Users: []model.User{{Name: evil, Header: evil, Env: evil}, {Name: "type", Header: "X", Public: evil}},
		Tests: []model.Test{
			{
				ID: evil, Flaky: evil,
				Calls: []model.Call{
					{
						Op: "POST /" + model.OpID(evil), User: evil, Status: 599,
						Args: []model.Arg{inPath("id", evil), inQuery(evil, evil), {In: model.InHeader, Name: "X-Evil", Value: evil},
							{In: model.InHeader, Name: evil, Value: "left out"}, {In: model.InCookie, Name: evil, Value: evil}},
						Body: &model.Payload{Media: evil, Data: evil},
					},
					{
						Op: "POST /types/{id}", User: "type", Status: 201,
						Args: []model.Arg{inPath("id", "..")},
						Body: jsonBody("{\"a`b\":\"`\u202e\U000e0001\x7f*/\",\"bad\":1}"),
					},
				},
				Links: []model.Link{
					{From: 0, To: 1, Pointer: evil, In: model.InBody, Name: "/" + evil},
					{From: 0, To: 1, Header: evil, In: model.InQuery, Name: evil},
				},
				Checks: []model.Check{present(0, evil), equal(1, evil, "\"`\u2029\"")},
			},
			{ID: "func", Calls: []model.Call{{Op: "PATCH /函数/{型}", Status: 200}, {Op: "DELETE /func", Status: 200}}, Checks: []model.Check{present(0, ""), present(1, "")}},
			{ID: "", Calls: []model.Call{{Op: "", Status: 1}}},
		},
	}
}
