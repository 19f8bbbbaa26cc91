package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
)

// NewUserForm returns the initial content of a form for an additional user. The content follows from the security
// schemes and the log-in of a spec. spec may be nil.
func NewUserForm(spec *model.Spec, others []model.User) model.UserForm {
	t := model.UserForm{
		Name:          freeName(others),
		Method:        model.AuthByBearer,
		Key:           "X-API-Key",
		In:            model.InHeader,
		LoginMethod:   "POST",
		LoginPath:     "/login",
		UsernameField: "username",
		PasswordField: "password",
		Token:         "/token",
		Send:          "Authorization: Bearer " + model.TokenPlaceholder,
	}
	if spec == nil {
		return t
	}
	for _, s := range slices.Backward(spec.SecuritySchemes) {
		switch s.Kind {
		case "bearer", "oauth2", "openIdConnect":
			t.Method = model.AuthByBearer
		case "basic":
			t.Method = model.AuthByBasic
		case "apiKey":
			t.Method, t.Key, t.In = model.AuthByKey, s.Key, s.In
		}
	}
	l := NewDraft(spec, "", "").foundLogin()
	if l == nil {
		return t
	}
	isConstant := func(f model.LoginField) bool { return !strings.Contains(f.Value, "${") }
	if own := slices.DeleteFunc(slices.Clone(l.Fields), isConstant); len(own) == 2 {
		t.Method, t.LoginMethod, t.LoginPath, t.Form = model.AuthByLogin, l.Method, cmp.Or(l.Path, l.URL), isForm(l.Body.Media)
		t.UsernameField, t.PasswordField = own[0].Name, own[1].Name
		t.Constants = slices.DeleteFunc(slices.Clone(l.Fields), func(f model.LoginField) bool { return !isConstant(f) })
		switch {
		case l.Token == nil:
			t.Token = model.CookiesToken
		case l.Token.In == model.InHeader:
			t.Token, t.Send = l.Token.Pointer, l.Token.Name+": "+l.Token.Template
		}
	}
	return t
}

// foundLogin returns the log-in of the draft, complete or not. It returns nil if there is none.
func (d Draft) foundLogin() *model.Login {
	if len(d.Config.Users) > 0 && d.Config.Users[0].Login != nil {
		return d.Config.Users[0].Login
	}
	return d.Login
}

// UserFromForm returns the user of a form. It replaces literal secrets in the same way as FlagUser.User. The error is
// of one line and contains no secret.
func UserFromForm(t model.UserForm, others []model.User, environ []string) (model.User, error) {
	t.Name = strings.TrimSpace(t.Name)
	switch {
	case t.Name == "":
		return model.User{}, errors.New("the user needs a name, such as ann")
	case strings.ContainsFunc(t.Name, unicode.IsControl):
		return model.User{}, errors.New("the user's name has a character that cannot be shown")
	case slices.ContainsFunc(others, func(u model.User) bool { return u.Name == t.Name }):
		return model.User{}, fmt.Errorf("there is a user %q already: give this one another name", t.Name)
	}
	h := hider{user: model.User{Name: t.Name}, owner: t.Name, environ: environ}
	if err := (typing{t}).prove(&h); err != nil {
		return model.User{}, err
	}
	return h.user, h.checkAll()
}

// typing is a form that is converted to a user.
type typing struct{ model.UserForm }

// prove adds the credential or the log-in of the form to the user that h builds.
func (t typing) prove(h *hider) error {
	secret := strings.TrimSpace(t.Secret)
	switch {
	case secret == "":
		return fmt.Errorf("the %s is empty: type it, or ${NAME} for a variable of the environment", t.Method.SecretLabel())
	case strings.ContainsFunc(secret, unicode.IsControl):
		return fmt.Errorf("the %s has a control character, which cannot be sent", t.Method.SecretLabel())
	}
	switch t.Method {
	case model.AuthByHeader:
		return h.header(t.Key + ": " + secret)
	case model.AuthByBearer:
		return h.header("Authorization: Bearer " + strings.TrimPrefix(secret, "Bearer "))
	case model.AuthByBasic:
		return h.basic(t.Username + ":" + secret)
	case model.AuthByKey:
		return t.key(h, secret)
	case model.AuthByLogin:
		return t.logIn(h, secret)
	}
	return fmt.Errorf("%q is not a method of authentication", t.Method)
}

func (t typing) key(h *hider, secret string) error {
	if !token.MatchString(t.Key) {
		return fmt.Errorf("%.60q is not a name of an API key, such as X-API-Key", t.Key)
	}
	if t.In == model.InHeader {
		return h.header(t.Key + ": " + secret)
	}
	h.user.Sends = append(h.user.Sends, model.Credential{In: t.In, Name: t.Key, Value: h.hide(t.Key, secret)})
	return nil
}

func (t typing) logIn(h *hider, secret string) error {
	l := &model.Login{Method: t.LoginMethod, Path: t.LoginPath, Body: &model.Payload{Media: "application/json"}}
	if t.Form {
		l.Body.Media = "application/x-www-form-urlencoded"
	}
	switch {
	case strings.Contains(t.LoginPath, "://"):
		l.Path, l.URL = "", t.LoginPath
	case !strings.HasPrefix(t.LoginPath, "/"):
		return fmt.Errorf("the path %.60q of the log-in does not begin with a slash: type one such as /login, or a whole URL", t.LoginPath)
	}
	if t.Username == "" || t.UsernameField == "" || t.PasswordField == "" {
		return errors.New("a log-in needs a user name, and the names of the fields for it and for the password")
	}
	own := []model.LoginField{{Name: t.UsernameField, Value: t.Username}, {Name: t.PasswordField, Value: h.hide("PASSWORD", secret)}}
	l.Fields = append(slices.Clip(t.Constants), own...)
	if err := t.take(l); err != nil {
		return err
	}
	h.user.Login = l
	return nil
}

// take sets where the answer to the log-in l has the credential.
func (t typing) take(l *model.Login) error {
	l.Cookies = t.Token == model.CookiesToken
	if l.Cookies {
		return nil
	}
	name, template, ok := strings.Cut(t.Send, ":")
	name, template = strings.TrimSpace(name), strings.TrimSpace(template)
	if !ok || !token.MatchString(name) || !strings.Contains(template, model.TokenPlaceholder) {
		return fmt.Errorf("%.60q is not a header with {token} in it: type such as Authorization: Bearer {token}", t.Send)
	}
	l.Token = &model.LoginToken{In: model.InHeader, Name: name, Template: template}
	switch {
	case t.Token == "" || strings.HasPrefix(t.Token, "/"):
		l.Token.Pointer = t.Token
	case token.MatchString(t.Token):
		l.Token.Header = t.Token
	default:
		return fmt.Errorf("%.60q is not the location of a token: type a JSON pointer such as /token, a header, or cookies", t.Token)
	}
	return nil
}
