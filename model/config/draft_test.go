package config_test

import (
	"reflect"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"

	"pgregory.net/rapid"
)

func draftSpec(schemes ...model.SecurityScheme) *model.Spec {
	op := &model.Operation{ID: "GET /a", Method: "GET", Path: "/a", Secured: true}
	for _, s := range schemes {
		op.Schemes = append(op.Schemes, s.Name)
	}
	return &model.Spec{
		Title:           "Shop\n- evil: true",
		Servers:         []string{"http://shop.example/v1\nurl: http://evil"},
		SecuritySchemes: schemes,
		Operations:      []*model.Operation{op},
	}
}

// A draft that is written and read back is unchanged.
func TestDraftIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var schemes []model.SecurityScheme
		for i := range rapid.IntRange(0, 4).Draw(t, "schemes") {
			schemes = append(schemes, model.SecurityScheme{
				Name: string(rune('a' + i)),
				Kind: rapid.SampledFrom([]string{"bearer", "basic", "apiKey", "oauth2", "digest"}).Draw(t, "kind"),
				In:   model.Location(rapid.SampledFrom([]string{"header", "query", "cookie", "elsewhere"}).Draw(t, "in")),
				Key:  rapid.OneOf(rapid.StringMatching(`[A-Za-z-]{1,8}`), rapid.String()).Draw(t, "key"),
			})
		}
		spec := draftSpec(schemes...)
		spec.Operations = append(spec.Operations, loginOperation(rapid.String().Draw(t, "field")))
		d := config.NewDraft(
			spec,
			rapid.SampledFrom([]string{"", "api.yaml", "with space.yaml", "true", "http://a/b?c#d"}).Draw(t, "source"),
			"",
		)
		got, err := config.Parse(d.Text(), env)
		if err != nil {
			t.Fatalf("%v in\n%s", err, d.Text())
		}
		if !reflect.DeepEqual(got, d.Config) {
			t.Fatalf("got  %+v\nwant %+v from\n%s", got, d.Config, d.Text())
		}
	})
}

func loginOperation(field string) *model.Operation {
	object := &model.Schema{
		Type:       "object",
		Properties: []model.Property{{Name: "userName", Schema: &model.Schema{}}, {Name: "password" + field, Schema: &model.Schema{}}},
	}
	answer := &model.Schema{Type: "object", Properties: []model.Property{{Name: "access/token", Schema: &model.Schema{}}}}
	return &model.Operation{
		ID:        "POST /auth/login",
		Method:    "POST",
		Path:      "/auth/login",
		Body:      &model.RequestBody{Contents: []model.Content{{Media: "application/json", Schema: object}}},
		Responses: []model.Response{{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: answer}}}},
	}
}

func TestDraftText(t *testing.T) {
	spec := draftSpec(model.SecurityScheme{Name: "jwt", Kind: "bearer"}, model.SecurityScheme{Name: "pw", Kind: "basic"})
	login := loginOperation("")
	login.Responses = nil // the spec does not say where the token is
	spec.Operations = append(spec.Operations, login, &model.Operation{ID: "POST /admin/reset", Method: "POST", Path: "/admin/reset"})
	text := string(config.NewDraft(spec, "api.yaml", "").Text())
	for _, want := range []string{
		"Shop - evil: true. sonde search", "# The spec names http://shop.example/v1 url: http://evil\n", "# url: http://127.0.0.1:8080\n",
		"value: \"Bearer ${SONDE_TOKEN}\"}", "# The spec asks for pw as well (basic)", "# reset: POST /admin/reset",
		"# The spec has POST /auth/login, which looks like a log-in",
		"usernameField: userName, passwordField: password}", "extractSelector: /token,",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	// The lines that are commented out are valid YAML without the #.
	resets := 0
	for line := range strings.Lines(text) {
		entry, found := strings.CutPrefix(line, "# reset: ")
		if !found {
			continue
		}
		resets++
		c, err := config.Parse([]byte("service: {command: [shop], ready: {path: /health}}\nreset: "+entry), env)
		if err != nil || c.Reset == nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if resets != 4 {
		t.Errorf("%d resets are shown, want a request, a command, a restart and clean", resets)
	}
	shown := strings.Split(text, "as a log-in")[0]
	at := strings.Index(shown, "auth:")
	entry := strings.ReplaceAll(shown[at:strings.Index(shown, "# How long")], "#   ", "  ")
	if c, err := config.Parse([]byte(entry), env); err != nil || len(c.Users) != 2 || c.Users[1].Login.Path != "/auth/login" {
		t.Errorf("got %+v, %v from\n%s", c.Users, err, entry)
	}
}
