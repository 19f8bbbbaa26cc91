package config

import (
	"strings"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

func TestProofUser(t *testing.T) {
	environ := []string{"TOKEN=t-0123456789", "SHORT=abc", "EMPTY=", "SONDE_DEFAULT_X_KEY=another", "ZED=t-0123456789"}
	header := func(name, value string) model.Credential {
		return model.Credential{In: model.InHeader, Name: name, Value: value}
	}
	basic := func(value string) model.Credential {
		return model.Credential{In: model.InHeader, Name: "Authorization", Value: value, Basic: true}
	}
	for _, c := range []struct {
		name    string
		proof   FlagUser
		sends   []model.Credential
		secrets map[string]string
	}{
		{
			"a named secret",
			FlagUser{Headers: []string{"Authorization: Bearer ${TOKEN}"}},
			[]model.Credential{header("Authorization", "Bearer ${TOKEN}")},
			nil,
		},
		{
			"a literal one",
			FlagUser{Headers: []string{"Authorization:Bearer  xyz"}},
			[]model.Credential{header("Authorization", "Bearer ${SONDE_DEFAULT_AUTHORIZATION}")},
			map[string]string{"SONDE_DEFAULT_AUTHORIZATION": "xyz"},
		},
		{
			"one that the shell filled in",
			FlagUser{Headers: []string{"Authorization: Bearer t-0123456789"}},
			[]model.Credential{header("Authorization", "Bearer ${TOKEN}")},
			nil,
		},
		{
			"a short one, which a variable may equal by chance",
			FlagUser{Headers: []string{"X-Pin: abc"}},
			[]model.Credential{header("X-Pin", "${SONDE_DEFAULT_X_PIN}")},
			map[string]string{"SONDE_DEFAULT_X_PIN": "abc"},
		},
		{
			"a name that the environment has",
			FlagUser{Headers: []string{"X-Key: mine"}},
			[]model.Credential{header("X-Key", "${SONDE_DEFAULT_X_KEY_2}")},
			map[string]string{"SONDE_DEFAULT_X_KEY_2": "mine"},
		},
		{
			"no secret",
			FlagUser{Headers: []string{"Accept: text/csv", "Api-Version: 3"}},
			[]model.Credential{header("Accept", "text/csv"), header("Api-Version", "3")},
			nil,
		},
		{"basic", FlagUser{Basic: "ann:${TOKEN}"}, []model.Credential{basic("ann:${TOKEN}")}, nil},
		{
			"basic with a literal password that has a colon",
			FlagUser{Basic: "ann:a:b"},
			[]model.Credential{basic("ann:${SONDE_DEFAULT_PASSWORD}")},
			map[string]string{"SONDE_DEFAULT_PASSWORD": "a:b"},
		},
		{
			"a key as the name",
			FlagUser{Basic: "sk_live:"},
			[]model.Credential{basic("${SONDE_DEFAULT_NAME}:")},
			map[string]string{"SONDE_DEFAULT_NAME": "sk_live"},
		},
		{
			"a key and basic",
			FlagUser{Headers: []string{"X-Tenant: ${SHORT}"}, Basic: "ann:${TOKEN}"},
			[]model.Credential{header("X-Tenant", "${SHORT}"), basic("ann:${TOKEN}")},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.proof.User(nil, environ)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(model.User{Name: "default", Sends: c.sends, Secrets: c.secrets}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestProofUserHasANameOfItsOwn(t *testing.T) {
	got, err := FlagUser{Basic: "ann:x"}.User([]model.User{{Name: "default"}, {Name: "default-2"}}, nil)
	if err != nil || got.Name != "default-3" {
		t.Errorf("%q, %v", got.Name, err)
	}
}

func TestProofErrors(t *testing.T) {
	environ := []string{"TOKEN=t-0123456789", "EMPTY="}
	for _, c := range []struct {
		proof FlagUser
		want  string
	}{
		{FlagUser{Headers: []string{"hunter22"}}, "header needs a name and a value"},
		{FlagUser{Headers: []string{"X Y: hunter22"}}, "header needs a name and a value"},
		{FlagUser{Headers: []string{"X-Key:"}}, "header X-Key has no value"},
		{FlagUser{Headers: []string{"Authorization: Bearer "}}, "header Authorization has no value"},
		{FlagUser{Headers: []string{"X-Key: hunter22\r\nX: y"}}, "is there a line break in it?"},
		{FlagUser{Headers: []string{"X-Key: $TOKEN"}}, "header X-Key: write ${TOKEN} instead of $TOKEN"},
		{FlagUser{Headers: []string{"X-Key: ${EMPTY}"}}, "header X-Key: set EMPTY in the environment"},
		{FlagUser{Headers: []string{"X-Key: ${NONE}"}}, "header X-Key: set NONE in the environment"},
		{FlagUser{Headers: []string{"x-key: hunter22", "X-Key: b"}}, "header X-Key is given twice"},
		{FlagUser{Headers: []string{"content-length: 3"}}, "follows from the request"},
		{FlagUser{Headers: []string{"Authorization: Bearer hunter22"}, Basic: "ann:hunter22"}, "two ways to set the same header"},
		{FlagUser{Basic: "ann:$TOKEN"}, "user: write ${TOKEN} instead of $TOKEN"},
		{FlagUser{Basic: "ann:${NONE}"}, "user: set NONE in the environment"},
		{FlagUser{Basic: "hunter22\n"}, "user has no password"},
		{FlagUser{Basic: ":"}, "neither a name nor a password"},
	} {
		_, err := c.proof.User(nil, environ)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%+v: got %v, want %q and no secret", c.proof, err, c.want)
		}
	}
}
