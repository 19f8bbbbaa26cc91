package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
)

// Typed is a user as a person types it into a form. Secret texts may name a
// variable of the environment as ${NAME}.
type Typed struct {
	Name string
	Way  Way
	// Key is the name of the header or of the API key, and In where an API key
	// travels.
	Key string
	In  model.Place
	// Username is for basic authentication and for log-ins.
	Username string
	// Secret is the header's value, the bearer token, the password or the API key.
	Secret string
	// Method and Path are those of a log-in, whose fields are sent as a form or as
	// JSON.
	Method, Path                 string
	Form                         bool
	UsernameField, PasswordField string
	// Token says where a log-in's answer has the token: a JSON pointer, the name of a
	// header, or "cookies". Send is how it is sent, such as "Authorization: Bearer {token}".
	Token, Send string
}

// Way is how a user proves who it is.
type Way string

// The ways.
const (
	ByHeader Way = "header"
	ByBearer Way = "bearer token"
	ByBasic  Way = "basic"
	ByKey    Way = "API key"
	ByLogin  Way = "log-in"
)

// Ways are all ways, in the order in which a form offers them.
var Ways = []Way{ByBearer, ByBasic, ByHeader, ByKey, ByLogin}

// CookiesToken is the Token of a log-in whose answer sets cookies.
const CookiesToken = "cookies"

// NewTyped returns what a form begins with, beside other users.
func NewTyped(others []model.User) Typed {
	return Typed{
		Name: freeName(others), Way: ByBearer, Key: "X-API-Key", In: model.InHeader, Method: "POST", Path: "/login",
		UsernameField: "username", PasswordField: "password", Token: "/token", Send: "Authorization: Bearer " + model.TokenHere,
	}
}

// User returns the user that was typed. A literal secret gets a name of its own: the
// user's texts hold "${NAME}", and the value stays in Secrets. The error is of one
// line and holds no secret.
func (t Typed) User(others []model.User, environ []string) (model.User, error) {
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
	if err := t.prove(&h); err != nil {
		return model.User{}, err
	}
	return h.user, h.checkAll()
}

// prove adds what the user carries or how it logs in.
func (t Typed) prove(h *hider) error {
	secret := strings.TrimSpace(t.Secret)
	switch {
	case secret == "":
		return fmt.Errorf("%s is empty: type it, or ${NAME} for a variable of the environment", t.Way.secret())
	case strings.ContainsFunc(secret, unicode.IsControl):
		return fmt.Errorf("%s has a control character, which cannot be sent", t.Way.secret())
	}
	switch t.Way {
	case ByHeader:
		return h.header(t.Key + ": " + secret)
	case ByBearer:
		return h.header("Authorization: Bearer " + strings.TrimPrefix(secret, "Bearer "))
	case ByBasic:
		return h.basic(t.Username + ":" + secret)
	case ByKey:
		return t.key(h, secret)
	case ByLogin:
		return t.logIn(h, secret)
	}
	return fmt.Errorf("%q is no way to prove who calls", t.Way)
}

// secret is what a form calls the secret.
func (w Way) secret() string {
	switch w {
	case ByHeader:
		return "the value"
	case ByBearer:
		return "the token"
	case ByKey:
		return "the key"
	}
	return "the password"
}

func (t Typed) key(h *hider, secret string) error {
	if !token.MatchString(t.Key) {
		return fmt.Errorf("%.60q is no name of an API key, such as X-API-Key", t.Key)
	}
	if t.In == model.InHeader {
		return h.header(t.Key + ": " + secret)
	}
	h.user.Sends = append(h.user.Sends, model.Credential{In: t.In, Name: t.Key, Value: h.hide(t.Key, secret)})
	return nil
}

func (t Typed) logIn(h *hider, secret string) error {
	l := &model.Login{Method: t.Method, Path: t.Path, Body: &model.Payload{Media: "application/json"}}
	if t.Form {
		l.Body.Media = "application/x-www-form-urlencoded"
	}
	switch {
	case strings.Contains(t.Path, "://"):
		l.Path, l.URL = "", t.Path
	case !strings.HasPrefix(t.Path, "/"):
		return fmt.Errorf("the path %.60q of the log-in begins with no slash: type such as /login, or a whole URL", t.Path)
	}
	if t.Username == "" || t.UsernameField == "" || t.PasswordField == "" {
		return errors.New("a log-in needs a user name, and the names of the fields for it and for the password")
	}
	l.Fields = []model.Field{{Name: t.UsernameField, Value: t.Username}, {Name: t.PasswordField, Value: h.hide("PASSWORD", secret)}}
	if err := t.take(l); err != nil {
		return err
	}
	h.user.Login = l
	return nil
}

// take says what the answer to a log-in gives.
func (t Typed) take(l *model.Login) error {
	if l.Cookies = t.Token == CookiesToken; l.Cookies {
		return nil
	}
	name, template, ok := strings.Cut(t.Send, ":")
	name, template = strings.TrimSpace(name), strings.TrimSpace(template)
	if !ok || !token.MatchString(name) || !strings.Contains(template, model.TokenHere) {
		return fmt.Errorf("the token is sent as a header with {token} in it, such as Authorization: Bearer {token}, not %.60q", t.Send)
	}
	l.Token = &model.Token{In: model.InHeader, Name: name, Template: template}
	switch {
	case t.Token == "" || strings.HasPrefix(t.Token, "/"):
		l.Token.Pointer = t.Token
	case token.MatchString(t.Token):
		l.Token.Header = t.Token
	default:
		return fmt.Errorf("the token is at a JSON pointer such as /token, in a header, or in cookies, not at %.60q", t.Token)
	}
	return nil
}
