package model_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestSecretNames(t *testing.T) {
	tests := map[string][]string{
		"":                       nil,
		"plain":                  nil,
		"Bearer ${TOKEN}":        {"TOKEN"},
		"${USER}:${PASS_1}":      {"USER", "PASS_1"},
		"$TOKEN ${} ${1A} ${A-}": nil,
		"${A}${A}":               {"A", "A"},
	}
	for text, want := range tests {
		if got := model.SecretNames(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// If the values of the secrets contain no references, FillSecrets removes all references from a text and keeps its
// other parts.
func TestFillSecrets(t *testing.T) {
	part := rapid.StringMatching(`[a-z:$ ]{0,5}`)
	name := rapid.StringMatching(`[A-Z_][A-Z0-9_]{0,5}`)
	rapid.Check(t, func(rt *rapid.T) {
		var text, want strings.Builder
		var names []string
		for range rapid.IntRange(0, 4).Draw(rt, "secrets") {
			p, n := part.Draw(rt, "part"), name.Draw(rt, "name")
			names = append(names, n)
			text.WriteString(p + "${" + n + "}")
			want.WriteString(p + "<" + n + ">")
		}
		if got := model.SecretNames(text.String()); !slices.Equal(got, names) {
			rt.Fatalf("%q: got the names %q, want %q", text.String(), got, names)
		}
		got := model.FillSecrets(text.String(), func(name string) string { return "<" + name + ">" })
		if got != want.String() {
			rt.Fatalf("%q: got %q, want %q", text.String(), got, want.String())
		}
	})
}

func TestSecretFields(t *testing.T) {
	tests := []struct {
		name             string
		password, secret bool
	}{
		{"password", true, true},
		{"pwd", true, true},
		{"client_secret", true, true},
		{"username", false, false},
		{"email", false, false},
		{"grant_type", false, false},
		{"pin", false, true}, // an unknown name is treated as a secret
	}
	for _, tt := range tests {
		if got := model.IsPasswordField(tt.name); got != tt.password {
			t.Errorf("IsPasswordField(%q) is %t, want %t", tt.name, got, tt.password)
		}
		if got := model.IsSecretField(tt.name); got != tt.secret {
			t.Errorf("IsSecretField(%q) is %t, want %t", tt.name, got, tt.secret)
		}
	}
}

// SecretTexts returns each text of a user in which secrets are filled in.
func TestSecretTexts(t *testing.T) {
	login := model.Login{
		Path:    "/login?key=${PATH}",
		URL:     "https://id.example/${URL}",
		Headers: []model.Credential{{In: model.InHeader, Name: "X-Key", Value: "${HEADER}"}},
		Body:    &model.Payload{Media: "application/json", Data: `"${BODY}"`},
		Fields:  []model.LoginField{{Name: "password", Value: "${FIELD}"}},
	}
	u := model.User{
		Name:    "ann",
		Sends:   []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "Bearer ${SENT}"}},
		Login:   &login,
		Creates: []model.Login{{Path: "/users", Body: &model.Payload{Data: "${CREATED}"}}},
	}
	var got []string
	for _, text := range u.SecretTexts() {
		got = append(got, model.SecretNames(text)...)
	}
	want := []string{"SENT", "PATH", "URL", "HEADER", "BODY", "FIELD", "CREATED"}
	if !slices.Equal(got, want) {
		t.Errorf("got the secrets %q, want %q", got, want)
	}
	if got := (model.User{Name: "bob"}).SecretTexts(); len(got) > 0 {
		t.Errorf("a user without credentials has the texts %q", got)
	}
}

func TestSecretLabel(t *testing.T) {
	want := map[model.AuthMethod]string{
		model.AuthByBearer: "token",
		model.AuthByBasic:  "password",
		model.AuthByHeader: "value",
		model.AuthByKey:    "key",
		model.AuthByLogin:  "password",
	}
	if len(model.AuthMethods) != len(want) {
		t.Errorf("a form offers %q", model.AuthMethods)
	}
	for _, method := range model.AuthMethods {
		if got := method.SecretLabel(); got != want[method] {
			t.Errorf("%s: got %q, want %q", method, got, want[method])
		}
	}
}

func TestTLSPaths(t *testing.T) {
	files := model.TLSFiles{CACert: "ca.pem", Cert: "cert.pem", Key: "key.pem"}
	for _, path := range files.Paths() {
		*path = "dir/" + *path
	}
	if want := (model.TLSFiles{CACert: "dir/ca.pem", Cert: "dir/cert.pem", Key: "dir/key.pem"}); files != want {
		t.Errorf("got %+v, want %+v", files, want)
	}
}

func TestResetString(t *testing.T) {
	tests := map[string]model.Reset{
		"POST /reset":     {Method: "POST", Path: "/reset"},
		"sh -c ./reset":   {Command: []string{"sh", "-c", "./reset"}},
		"restart":         {Restart: true},
		"DELETE /all?x=1": {Method: "DELETE", Path: "/all?x=1"},
	}
	for want, reset := range tests {
		if got := reset.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSupportsCopies(t *testing.T) {
	run := &model.Service{Command: []string{"driver", model.PortPlaceholder}}
	tests := []struct {
		name   string
		driver model.Driver
		want   bool
	}{
		{"started on any port", model.Driver{URL: "http://127.0.0.1:{port}", Run: run}, true},
		{"started on one port", model.Driver{URL: "http://127.0.0.1:7000", Run: run}, false},
		{"already running", model.Driver{URL: "http://127.0.0.1:7000"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.driver.SupportsCopies(); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}
