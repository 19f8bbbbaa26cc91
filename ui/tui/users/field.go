package users

import (
	"slices"

	"sonde/model"
	"sonde/ui/widget"
)

// field is a line of the form.
type field = widget.FormField[model.UserForm]

// fields returns the fields of the form for the chosen way to authenticate.
func fields(typed *model.UserForm) []field {
	way := typed.Method
	all := []field{
		{
			Name: "name",
			Help: "the name of the user in tests, such as ann",
			Text: func(t *model.UserForm) *string { return &t.Name },
		},
		{
			Name: "way", Help: "how the service authenticates the user", Choices: texts(model.AuthMethods),
			Chosen: func(t *model.UserForm) string { return string(t.Method) },
			Choose: func(t *model.UserForm, c string) { t.Method = model.AuthMethod(c) },
		},
	}
	secret := field{
		Name: way.SecretLabel(), Help: "stays in memory; or ${NAME} for an environment variable", Secret: true,
		Text: func(t *model.UserForm) *string { return &t.Secret },
	}
	username := field{
		Name: "user name",
		Help: "is not treated as a secret",
		Text: func(t *model.UserForm) *string { return &t.Username },
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
	return field{Name: name, Help: help, Text: func(t *model.UserForm) *string { return &t.Key }}
}

var inField = field{
	Name:    "sent in",
	Help:    "the part of the request that has the key",
	Choices: texts([]model.Location{model.InHeader, model.InQuery, model.InCookie}),
	Chosen:  func(t *model.UserForm) string { return string(t.In) },
	Choose:  func(t *model.UserForm, c string) { t.In = model.Location(c) },
}

// The encodings of the body of a log-in request.
const (
	asJSON = "JSON"
	asForm = "form"
)

// requestFields are the fields for the log-in request. tokenFields are the fields for its result.
var (
	requestFields = []field{
		{
			Name: "method", Help: "of the log-in request", Choices: []string{"POST", "PUT", "PATCH"},
			Chosen: func(t *model.UserForm) string { return t.LoginMethod },
			Choose: func(t *model.UserForm, c string) { t.LoginMethod = c },
		},
		{
			Name: "path",
			Help: "such as /login, or the full URL of another host",
			Text: func(t *model.UserForm) *string { return &t.LoginPath },
		},
		{
			Name: "body", Help: "the encoding of the fields", Choices: []string{asJSON, asForm},
			Chosen: func(t *model.UserForm) string {
				if t.Form {
					return asForm
				}
				return asJSON
			},
			Choose: func(t *model.UserForm, c string) { t.Form = c == asForm },
		},
		{
			Name: "name field",
			Help: "the field with the user name",
			Text: func(t *model.UserForm) *string { return &t.UsernameField },
		},
		{
			Name: "pass field",
			Help: "the field with the password",
			Text: func(t *model.UserForm) *string { return &t.PasswordField },
		},
	}
	tokenFields = []field{
		{
			Name: "token at",
			Help: "a JSON pointer such as /token, a header's name, or cookies",
			Text: func(t *model.UserForm) *string { return &t.Token },
		},
		{
			Name: "send as",
			Help: "the header with {token}; not used for cookies",
			Text: func(t *model.UserForm) *string { return &t.Send },
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
