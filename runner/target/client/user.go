package client

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"sonde/model"

	"golang.org/x/net/http/httpguts"
)

// resolvedUser is a user whose secrets were read from the environment.
type resolvedUser struct {
	name    string
	sends   []model.Credential // credentials that are sent with each call, besides those of a log-in
	login   *model.Login       // nil if the user does not log in
	creates []model.Login      // the requests that create the user
	secrets []string           // must never be stored or shown
}

// resolveUser replaces the variables in a user's credentials by values from the environment. A variable that is not
// set there gets its value from u. If u.OwnSecrets is true, the values in u take precedence. The error names the
// variables that are not set, or a credential that cannot be sent in a header.
func resolveUser(u model.User) (resolvedUser, error) {
	f := filler{user: u}
	out := resolvedUser{name: u.Name}
	if u.Header != "" || len(u.Sends) == 0 && u.Login == nil {
		value := os.Getenv(u.Env)
		if value == "" {
			value = u.Public
		}
		if value == "" {
			return out, fmt.Errorf("user %q has no credential: set %s to the value of the header %s", u.Name, u.Env, u.Header)
		}
		_, bare, _ := strings.Cut(value, " ")
		f.secrets = append(f.secrets, value, bare)
		out.sends = append(out.sends, model.Credential{In: model.InHeader, Name: u.Header, Value: value})
	}
	for _, c := range u.Sends {
		out.sends = append(out.sends, f.credential(c))
	}
	out.login = f.login(u.Login)
	for _, l := range u.Creates {
		out.creates = append(out.creates, *f.login(&l))
	}
	out.secrets = slices.DeleteFunc(f.secrets, func(s string) bool { return s == "" })
	if len(f.missing) > 0 {
		return out, fmt.Errorf("user %q lacks a secret: set %s in the environment", u.Name, strings.Join(f.missing, " and "))
	}
	for _, c := range slices.Concat(out.sends, headersOf(out.login), creationHeaders(out.creates)) {
		if c.In != model.InQuery && (!httpguts.ValidHeaderFieldName(c.Name) || !httpguts.ValidHeaderFieldValue(c.Value)) {
			return out, fmt.Errorf("user %q has a credential %q that no header can carry: is there a line break in it?", u.Name, c.Name)
		}
	}
	return out, nil
}

func creationHeaders(all []model.Login) (headers []model.Credential) {
	for _, l := range all {
		headers = append(headers, l.Headers...)
	}
	return headers
}

func headersOf(l *model.Login) []model.Credential {
	if l == nil {
		return nil
	}
	return l.Headers
}

// UserSecrets returns the secrets of users. It leaves out secrets that are not set.
func UserSecrets(users []model.User) []string {
	var all []string
	for _, u := range users {
		f, _ := resolveUser(u) // an error means that a secret is not set, so it cannot be shown
		all = append(all, f.secrets...)
	}
	return all
}

// filler replaces variables in texts by their values, and collects the secrets among the values.
type filler struct {
	user    model.User
	secrets []string
	missing []string // the variables that are not set
}

// text replaces the variables in a text by their values. If secret is true, the values are secrets.
func (f *filler) text(text string, secret bool) string {
	return model.FillSecrets(text, func(name string) string {
		value, isOwn := f.user.Secrets[name]
		if set := os.Getenv(name); set != "" && !(isOwn && f.user.OwnSecrets) {
			value = set
		}
		if value == "" && !slices.Contains(f.missing, name) {
			f.missing = append(f.missing, name)
		}
		value = strings.TrimSpace(value)
		if secret {
			f.secrets = append(f.secrets, value)
		}
		return value
	})
}

// credential replaces the variables in a credential. The value of a basic credential, a name and a
// password, becomes the value of an Authorization header.
func (f *filler) credential(c model.Credential) model.Credential {
	if !c.Basic {
		c.Value = f.text(c.Value, true)
		return c
	}
	name, password, _ := strings.Cut(c.Value, ":")
	pair := base64.StdEncoding.EncodeToString([]byte(f.text(name, password == "") + ":" + f.text(password, true)))
	f.secrets = append(f.secrets, pair)
	c.Value = "Basic " + pair
	return c
}

// login returns a copy of a log-in with the variables replaced.
func (f *filler) login(from *model.Login) *model.Login {
	if from == nil {
		return nil
	}
	l := *from
	l.Path, l.URL = f.text(l.Path, true), f.text(l.URL, true)
	l.Headers = nil
	for _, h := range from.Headers {
		l.Headers = append(l.Headers, f.credential(h))
	}
	if from.Body == nil {
		return &l
	}
	l.Body = &model.Payload{Media: from.Body.Media, Data: f.text(from.Body.Data, true)}
	f.inside(l.Body.Data)
	l.Fields = nil
	for _, field := range from.Fields {
		l.Fields = append(l.Fields, model.LoginField{Name: field.Name, Value: f.text(field.Value, model.IsSecretField(field.Name))})
	}
	if len(l.Fields) > 0 {
		l.Body.Data = encode(l.Body.Media, l.Fields)
	}
	return &l
}

// inside collects the secrets in a payload, which is a form or a JSON object: the values of the fields
// that have the name of a password.
func (f *filler) inside(data string) {
	fields, err := url.ParseQuery(data)
	var object map[string]any
	if json.Unmarshal([]byte(data), &object) == nil {
		fields, err = url.Values{}, nil
		for name, value := range object {
			if text, ok := value.(string); ok {
				fields.Set(name, text)
			}
		}
	}
	if err != nil {
		return
	}
	for name := range fields {
		if model.IsPasswordField(name) {
			f.secrets = append(f.secrets, fields.Get(name))
		}
	}
}

// encode returns fields as a form, or as a JSON object if the media type is not that of a form.
func encode(media string, fields []model.LoginField) string {
	form, object := url.Values{}, map[string]string{}
	for _, f := range fields {
		form.Set(f.Name, f.Value)
		object[f.Name] = f.Value
	}
	if strings.HasPrefix(media, "application/x-www-form-urlencoded") {
		return form.Encode()
	}
	data, _ := json.Marshal(object) // marshalling strings cannot fail
	return string(data)
}

// addCredentials adds credentials to the headers and the URL of a request.
func addCredentials(req *http.Request, all []model.Credential) {
	for _, c := range all {
		switch {
		case c.In == model.InQuery:
			pair := url.QueryEscape(c.Name) + "=" + url.QueryEscape(c.Value)
			if req.URL.RawQuery != "" {
				pair = req.URL.RawQuery + "&" + pair
			}
			req.URL.RawQuery = pair
		case c.In == model.InCookie:
			addCookie(req.Header, c.Name+"="+c.Value)
		case strings.EqualFold(c.Name, "Cookie"):
			addCookie(req.Header, c.Value)
		default:
			req.Header.Set(c.Name, c.Value)
		}
	}
}

func addCookie(h http.Header, pair string) {
	if have := h.Get("Cookie"); have != "" {
		pair = have + "; " + pair
	}
	h.Set("Cookie", pair)
}
