package users

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// field is a line of the form: a text, or one of several choices.
type field struct {
	name, help string
	text       func(*model.UserForm) *string // nil for choices
	secret     bool
	choices    []string // nil for a text
	chosen     func(*model.UserForm) string
	choose     func(*model.UserForm, string)
}

// fields returns the fields of the form for a way to authenticate.
func fields(way model.AuthMethod) []field {
	all := []field{
		{
			name: "name",
			help: "the name of the user in tests, such as ann",
			text: func(t *model.UserForm) *string { return &t.Name },
		},
		{
			name: "way", help: "how the service authenticates the user", choices: texts(model.AuthMethods),
			chosen: func(t *model.UserForm) string { return string(t.Method) },
			choose: func(t *model.UserForm, c string) { t.Method = model.AuthMethod(c) },
		},
	}
	secret := field{
		name: way.SecretLabel(), help: "stays in memory; or ${NAME} for an environment variable", secret: true,
		text: func(t *model.UserForm) *string { return &t.Secret },
	}
	username := field{
		name: "user name",
		help: "is not treated as a secret",
		text: func(t *model.UserForm) *string { return &t.Username },
	}
	switch way {
	case model.AuthByHeader:
		all = append(all, keyField("header", "the name of the header, such as X-Session"))
	case model.AuthByBasic:
		all = append(all, username)
	case model.AuthByKey:
		all = append(all, inField, keyField("key name", "the name under which the key is sent"))
	case model.AuthByLogin:
		return slices.Concat(all, requestFields, []field{username, secret}, tokenFields)
	}
	return append(all, secret)
}

func keyField(name, help string) field {
	return field{name: name, help: help, text: func(t *model.UserForm) *string { return &t.Key }}
}

var inField = field{
	name:    "sent in",
	help:    "the part of the request that has the key",
	choices: texts([]model.Location{model.InHeader, model.InQuery, model.InCookie}),
	chosen:  func(t *model.UserForm) string { return string(t.In) },
	choose:  func(t *model.UserForm, c string) { t.In = model.Location(c) },
}

// The encodings of the body of a log-in request.
const (
	asJSON = "JSON"
	asForm = "form"
)

// requestFields are the fields for the log-in request, tokenFields the fields for its result.
var (
	requestFields = []field{
		{
			name: "method", help: "of the log-in request", choices: []string{"POST", "PUT", "PATCH"},
			chosen: func(t *model.UserForm) string { return t.LoginMethod },
			choose: func(t *model.UserForm, c string) { t.LoginMethod = c },
		},
		{
			name: "path",
			help: "such as /login, or the full URL of another host",
			text: func(t *model.UserForm) *string { return &t.LoginPath },
		},
		{
			name: "body", help: "the encoding of the fields", choices: []string{asJSON, asForm},
			chosen: func(t *model.UserForm) string {
				if t.Form {
					return asForm
				}
				return asJSON
			},
			choose: func(t *model.UserForm, c string) { t.Form = c == asForm },
		},
		{
			name: "name field",
			help: "the field with the user name",
			text: func(t *model.UserForm) *string { return &t.UsernameField },
		},
		{
			name: "pass field",
			help: "the field with the password",
			text: func(t *model.UserForm) *string { return &t.PasswordField },
		},
	}
	tokenFields = []field{
		{
			name: "token at",
			help: "a JSON pointer such as /token, a header's name, or cookies",
			text: func(t *model.UserForm) *string { return &t.Token },
		},
		{
			name: "send as",
			help: "the header with {token}; not used for cookies",
			text: func(t *model.UserForm) *string { return &t.Send },
		},
	}
)

func texts[T ~string](all []T) []string {
	out := make([]string, len(all))
	for i, t := range all {
		out[i] = string(t)
	}
	return out
}

// next chooses the next choice or, with step -1, the previous one.
func (f field) next(t *model.UserForm, step int) {
	n := len(f.choices)
	at := slices.Index(f.choices, f.chosen(t))
	f.choose(t, f.choices[(at+step+n)%n])
}

var variable = regexp.MustCompile(`^\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)

// masked hides a secret. The name of a variable is not a secret.
func masked(text string) string {
	if variable.MatchString(strings.TrimSpace(text)) {
		return text
	}
	return strings.Repeat("•", min(len([]rune(text)), maxDots))
}

// maxDots bounds the visible length of a secret.
const maxDots = 24
