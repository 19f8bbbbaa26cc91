package config

import (
	"fmt"
	"maps"
	"regexp"
	"strings"

	"sonde/model"
)

// verbs are the allowed HTTP methods of the requests in the file: log-ins, requests that create users, and resets.
var verbs = []string{"POST", "GET", "PATCH", "DELETE", "PUT"}

// maxUsers limits the number of users of a file.
const maxUsers = 100

// auth is the content of one entry of the section auth.
type auth struct {
	line    int
	fixed   []header
	bearer  string
	basic   *basic
	key     *key
	login   *login
	oauth2  *oauth2
	creates []*login
}

type header struct {
	line        int
	name, value string
}

// basic and key are Sonde's own short forms of credentials. The format of the Web Fuzzing Commons does not have them.
type basic struct{ username, password string }

type key struct {
	line            int
	in, name, value string
}

// authDecoder decodes the users of a file, in the format of the Web Fuzzing Commons.
type authDecoder struct {
	decoder  *decoder
	users    []model.User    // the users so far
	names    map[string]bool // names of secrets that are in use
	template *value          // the section authTemplate; a null value if there is none
}

// newAuthDecoder returns a decoder for the users of a file.
func newAuthDecoder(d *decoder, file *value) *authDecoder {
	a := &authDecoder{decoder: d, names: map[string]bool{}, template: &value{}}
	if t := file.get("authTemplate"); t != nil {
		a.template = t
	}
	return a
}

// useTemplate uses the section authTemplate of another tree of the file.
func (r *authDecoder) useTemplate(file *value) {
	if t := file.get("authTemplate"); t != nil {
		r.template = t
	}
}

// more decodes the users of an environment, without adding them to those of the file. v is nil if it has none.
func (r *authDecoder) more(v *value) []model.User {
	if v == nil {
		return nil
	}
	own := authDecoder{decoder: r.decoder, names: maps.Clone(r.names), template: r.template}
	own.auth()(v)
	return own.users
}

// fields returns the keys of the file that define users, with their decoders.
func (r *authDecoder) fields() fields {
	return fields{
		"auth":         r.auth(),
		"authTemplate": func(v *value) { r.decoder.object(v, "authTemplate", r.user(&model.User{}, &auth{})) },
	}
}

// auth decodes the section auth. If an entry lacks a key, the entry inherits the key from the template.
func (r *authDecoder) auth() decodeFunc {
	return func(v *value) {
		if v.kind != isList {
			r.decoder.fail(v, "auth is a list of users, each with a name, not %s", v.what())
			return
		}
		for i, entry := range v.kids {
			if i == maxUsers {
				r.decoder.fail(entry, "there are more than %d users", maxUsers)
			}
			if r.decoder.err == nil && entry.kind != isNull {
				r.users = append(r.users, r.entry(inherit(entry, r.template)))
			}
		}
	}
}

func (r *authDecoder) entry(v *value) model.User {
	u, a := model.User{}, auth{line: v.line}
	r.decoder.object(v, "a user", r.user(&u, &a))
	switch {
	case r.decoder.err != nil:
		return u
	case u.Name == "":
		r.decoder.fail(v, "a user needs a name")
	}
	for _, other := range r.users {
		if other.Name == u.Name {
			r.decoder.fail(v, "there are two users %.60q: names are unique", u.Name)
		}
	}
	r.credentials(&u, a)
	return u
}

// user returns the keys of an entry of auth, with their decoders. authTemplate has the same keys.
func (r *authDecoder) user(u *model.User, a *auth) fields {
	unused := false
	return fields{
		"name":                r.decoder.text(&u.Name),
		"requireMockHandling": r.decoder.flag(&unused), // ignored: it is for white-box testing
		"fixedHeaders":        r.headers(&a.fixed),
		"loginEndpointAuth": func(v *value) {
			a.login = &login{line: v.line}
			r.decoder.object(v, "loginEndpointAuth", r.login(a.login))
		},
		"createUsers": r.creations(&a.creates),
		"bearer":      r.decoder.text(&a.bearer),
		"basic":       r.basic(&a.basic),
		"oauth2": func(v *value) {
			a.oauth2 = &oauth2{line: v.line}
			r.decoder.object(v, "oauth2", r.grant(a.oauth2))
		},
		"apiKey": func(v *value) {
			a.key = &key{line: v.line, in: "header"}
			r.decoder.object(v, "apiKey", fields{
				"in":    r.decoder.oneOf(&a.key.in, "header", "query", "cookie"),
				"name":  r.decoder.text(&a.key.name),
				"value": r.decoder.text(&a.key.value),
			})
		},
	}
}

func (r *authDecoder) basic(to **basic) decodeFunc {
	return func(v *value) {
		*to = &basic{}
		r.decoder.object(v, "basic", fields{
			"username": r.decoder.text(&(*to).username),
			"password": r.decoder.text(&(*to).password),
		})
	}
}

func (r *authDecoder) headers(to *[]header) decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			h := header{line: kid.line}
			r.decoder.object(kid, "a header", fields{
				"name":  r.decoder.text(&h.name),
				"value": r.decoder.text(&h.value),
			})
			r.headerName(kid.line, h.name)
			*to = append(*to, h)
		})
	}
}

var token = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

func (r *authDecoder) headerName(line int, name string) {
	if !token.MatchString(name) {
		r.decoder.failAt(line, "%.60q is not a name of a header", name)
	}
}

// credentials sets a user's credentials from an entry.
func (r *authDecoder) credentials(u *model.User, a auth) {
	s := secrets{names: r.names, user: u}
	send := func(c model.Credential) { u.Sends = append(u.Sends, c) }
	for _, h := range a.fixed {
		send(model.Credential{In: model.InHeader, Name: h.name, Value: s.header(h)})
	}
	if a.bearer != "" {
		send(model.Credential{In: model.InHeader, Name: "Authorization", Value: "Bearer " + s.hide("TOKEN", a.bearer)})
	}
	if a.basic != nil {
		send(s.basic(*a.basic))
	}
	if k := a.key; k != nil {
		if k.name == "" || k.value == "" {
			r.decoder.failAt(k.line, "apiKey needs a name and a value")
		} else if k.in != "query" {
			r.headerName(k.line, k.name)
		}
		send(model.Credential{In: model.Location(k.in), Name: k.name, Value: s.hide("KEY", k.value)})
	}
	switch {
	case a.login != nil && a.oauth2 != nil:
		r.decoder.failAt(a.line, "user %.60q has loginEndpointAuth and oauth2: keep one of them", u.Name)
	case a.login != nil:
		u.Login = a.login.model(r.decoder, s)
	case a.oauth2 != nil:
		u.Login = a.oauth2.model(r.decoder, s)
	}
	for _, l := range a.creates {
		u.Creates = append(u.Creates, l.creation(r.decoder, s))
	}
	if len(u.Sends) == 0 && u.Login == nil {
		r.decoder.failAt(
			a.line,
			"user %.60q has no credential: add fixedHeaders, bearer, basic, apiKey, loginEndpointAuth or oauth2",
			u.Name,
		)
	}
}

// secrets replaces the literal secrets of a user by references to variables with generated names, such as
// "${SONDE_ANN_TOKEN}".
type secrets struct {
	names map[string]bool // names in use; hide adds the generated names
	user  *model.User
}

var (
	notName = regexp.MustCompile(`[^A-Za-z0-9]+`)
	scheme  = regexp.MustCompile(`^[A-Za-z]+ $`)
)

// hide replaces a literal secret by "${NAME}" with a generated NAME. It returns an empty text, and a text that
// already refers to a secret, unchanged. what is a word for the kind of secret, which becomes part of NAME.
func (s secrets) hide(what, text string) string {
	if text == "" || len(model.SecretNames(text)) > 0 {
		return text
	}
	name := secretName(s.user.Name, what, func(name string) bool { return s.names[name] })
	s.names[name] = true
	if s.user.Secrets == nil {
		s.user.Secrets = map[string]string{}
	}
	s.user.Secrets[name] = text
	return "${" + name + "}"
}

// basic returns the credential of basic authentication. If the password is empty, the username is treated as the
// secret.
func (s secrets) basic(b basic) model.Credential {
	name, password := b.username, s.hide("PASSWORD", b.password)
	if password == "" {
		name = s.hide("NAME", name)
	}
	return model.Credential{In: model.InHeader, Name: "Authorization", Value: name + ":" + password, Basic: true}
}

// fields returns the fields of a body. If the name of a field suggests that its value is secret, fields replaces the
// value by a reference.
func (s secrets) fields(all []model.LoginField) []model.LoginField {
	var out []model.LoginField
	for _, f := range all {
		if model.IsSecretField(f.Name) {
			f.Value = s.hide(f.Name, f.Value)
		}
		out = append(out, f)
	}
	return out
}

// secretName returns a name for a secret of a user. taken reports whether a name is already in use.
func secretName(user, what string, taken func(name string) bool) string {
	base := "SONDE_" + strings.Trim(strings.ToUpper(notName.ReplaceAllString(user+"_"+what, "_")), "_")
	name := base
	for i := 2; taken(name); i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	return name
}

// header returns the value of a header, with a reference in place of the secret. The name of a scheme, such as "Bearer"
// in "Bearer x", is not part of the secret.
func (s secrets) header(h header) string {
	text := strings.TrimSpace(h.value)
	if at := strings.IndexByte(text, ' ') + 1; at > 0 && scheme.MatchString(text[:at]) && len(model.SecretNames(text)) == 0 {
		return text[:at] + s.hide(h.name, text[at:])
	}
	return s.hide(h.name, text)
}
