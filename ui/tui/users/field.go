package users

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// field is a line of the form: a text, or one of several choices.
type field struct {
	name, what string
	text       func(*model.UserForm) *string // of a text
	secret     bool
	choices    []string // nil for a text
	chosen     func(*model.UserForm) string
	choose     func(*model.UserForm, string)
}

// fields are those of a way to prove who calls.
func fields(way model.AuthMethod) []field {
	all := []field{
		{name: "name", what: "what tests call the user, such as ann", text: func(t *model.UserForm) *string { return &t.Name }},
		{
			name: "way", what: "how the service knows who calls", choices: texts(model.AuthMethods),
			chosen: func(t *model.UserForm) string { return string(t.Method) },
			choose: func(t *model.UserForm, c string) { t.Method = model.AuthMethod(c) },
		},
	}
	secret := field{
		name: way.SecretLabel(), what: "stays in memory; or ${NAME}, a variable of the environment", secret: true,
		text: func(t *model.UserForm) *string { return &t.Secret },
	}
	username := field{name: "user name", what: "is written down as it is", text: func(t *model.UserForm) *string { return &t.Username }}
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

func keyField(name, what string) field {
	return field{name: name, what: what, text: func(t *model.UserForm) *string { return &t.Key }}
}

var inField = field{
	name: "sent in", what: "where the key travels", choices: texts([]model.Location{model.InHeader, model.InQuery, model.InCookie}),
	chosen: func(t *model.UserForm) string { return string(t.In) },
	choose: func(t *model.UserForm, c string) { t.In = model.Location(c) },
}

// The two ways to write the body of a log-in.
const (
	asJSON = "JSON"
	asForm = "form"
)

// requestFields say how to log in, and tokenFields what that gives.
var (
	requestFields = []field{
		{
			name: "method", what: "of the log-in", choices: []string{"POST", "PUT", "PATCH"},
			chosen: func(t *model.UserForm) string { return t.LoginMethod },
			choose: func(t *model.UserForm, c string) { t.LoginMethod = c },
		},
		{name: "path", what: "such as /login, or a whole URL of another host", text: func(t *model.UserForm) *string { return &t.LoginPath }},
		{
			name: "body", what: "how the fields are written", choices: []string{asJSON, asForm},
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
			what: "the field that takes the user name",
			text: func(t *model.UserForm) *string { return &t.UsernameField },
		},
		{name: "pass field", what: "the field that takes the password", text: func(t *model.UserForm) *string { return &t.PasswordField }},
	}
	tokenFields = []field{
		{
			name: "token at",
			what: "a JSON pointer such as /token, a header's name, or cookies",
			text: func(t *model.UserForm) *string { return &t.Token },
		},
		{
			name: "send as",
			what: "the header that carries {token}; not used for cookies",
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

// next is the choice after or before the one that is chosen.
func (f field) next(t *model.UserForm, step int) {
	n := len(f.choices)
	at := slices.Index(f.choices, f.chosen(t))
	f.choose(t, f.choices[(at+step+n)%n])
}

var variable = regexp.MustCompile(`^\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)

// masked is how a secret is shown: the name of a variable is none.
func masked(text string) string {
	if variable.MatchString(strings.TrimSpace(text)) {
		return text
	}
	return strings.Repeat("•", min(len([]rune(text)), mostDots))
}

// mostDots bounds what is told of a secret's length.
const mostDots = 24
