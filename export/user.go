package export

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// userList is a list of users of a suite.
type userList []model.User

// named returns the user with a name. It returns false if there is none.
func (l userList) named(name string) (model.User, bool) {
	for _, u := range l {
		if u.Name == name {
			return u, true
		}
	}
	return model.User{}, false
}

// callersIn returns the users who make calls in tests, or with whose secrets calls log in, without duplicates.
func (l userList) callersIn(tests ...model.Test) userList {
	called := map[string]bool{}
	for _, t := range tests {
		for _, c := range t.Calls {
			called[c.User] = called[c.User] || c.Status != 0
			for _, u := range l {
				called[u.Name] = called[u.Name] || c.Status != 0 && len(loginSecrets(userList{u}, c)) > 0
			}
		}
	}
	var all userList
	for _, u := range l {
		if u.Name != "" && called[u.Name] {
			all = append(all, u)
			called[u.Name] = false
		}
	}
	return all
}

// declaration returns the Go declaration of the users. For each user it has the options of the user's
// calls. It returns "" if there are no users.
func (l userList) declaration() string {
	if len(l) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n// users are who call the service, with the credentials that their requests carry.\n" +
		"var users = map[string]func(t *testing.T) []option{\n")
	for _, u := range l {
		fmt.Fprintf(&b, "\t%s: func(t *testing.T) []option {\n", quoted(u.Name))
		for _, l := range u.Creates {
			b.WriteString("\t\t" + loginCall(&l) + ".wantCreated(" + quoted(u.Name) + ")\n")
		}
		carried := fixedOptions(u)
		if u.Login != nil {
			b.WriteString("\t\tlogin := " + loginCall(u.Login) + "\n\t\tlogin.wantLogin()\n")
			carried = append(carried, loginOptions(u.Login)...)
		}
		b.WriteString("\t\treturn []option{" + strings.Join(carried, ", ") + "}\n\t},\n")
	}
	return b.String() + "}\n"
}

// callOption returns the option for the user of a call, "" for an anonymous call.
func (l userList) callOption(user string, status int) string {
	u, _ := l.named(user)
	switch {
	case user == "":
		return ""
	case hasLogin(u) && status == 401: // the test expects the 401, so no new log-in is needed
		return "refusedAs(" + quoted(user) + ")"
	case hasLogin(u):
		return "loggedInAs(" + quoted(user) + ")"
	}
	return "as(" + quoted(user) + ")"
}

// hasLogin reports whether a user must be created or must log in before its calls.
func hasLogin(u model.User) bool { return u.Login != nil || len(u.Creates) > 0 }

// fixedOptions returns the options of a user's calls that do not depend on a log-in.
func fixedOptions(u model.User) []string {
	var all []string
	if u.Header != "" || u.Env != "" || u.Public != "" {
		all = append(all, "withHeader("+quoted(u.Header)+", "+headerValue(u)+")")
	}
	for _, c := range u.Sends {
		all = append(all, credentialOption(c))
	}
	return all
}

// headerValue returns the Go expression for the value of a user's header. The value may be in an
// environment variable.
func headerValue(u model.User) string {
	switch {
	case u.Public == "":
		return secretSource(u.Env).name + ".text()"
	case u.Env == "":
		return quoted(u.Public)
	}
	return "public(" + quoted(u.Env) + ", " + quoted(u.Public) + ").text()"
}

// credentialOption returns the option that sends a credential.
func credentialOption(c model.Credential) string {
	name, rest, split := strings.Cut(c.Value, "=")
	switch {
	case c.Basic:
		user, password, _ := strings.Cut(c.Value, ":")
		return "withBasic(" + secretText(user) + ", " + secretText(password) + ")"
	case c.In == model.InHeader && strings.EqualFold(c.Name, "Cookie") && split:
		return "withCookie(" + quoted(name) + ", " + secretText(rest) + ")"
	}
	return valueOption(c.In, c.Name, secretText(c.Value))
}

// valueOption returns the option that sends a value as a header, cookie or query parameter.
func valueOption(in model.Location, name, value string) string {
	option := map[model.Location]string{model.InQuery: "withQuery", model.InCookie: "withCookie"}[in]
	if option == "" {
		option = "withHeader"
	}
	return option + "(" + quoted(name) + ", " + value + ")"
}

// loginCall returns the Go call that sends the request of a log-in, or a request that creates a user.
func loginCall(l *model.Login) string {
	base, path := "", l.Path
	if l.URL != "" {
		base, path = splitURL(l.URL)
	}
	return wrapped("call(t, "+quoted(l.Method)+", "+secretText(path), func(indent int) (all []string) {
		if base != "" {
			all = append(all, "withBaseURL("+quoted(base)+")")
		}
		for _, h := range l.Headers {
			all = append(all, credentialOption(h))
		}
		if l.Body != nil {
			all = append(all, loginBody(l).option(indent))
		}
		return all
	}, 2)
}

// splitURL splits a URL after its host. The rest is "/" if nothing follows the host.
func splitURL(text string) (base, rest string) {
	scheme, after, _ := strings.Cut(text, "://")
	if i := strings.IndexAny(after, "/?"); i >= 0 {
		return scheme + "://" + after[:i], after[i:]
	}
	return text, "/"
}

// loginBody returns the body of a log-in, with sources for its secrets.
func loginBody(l *model.Login) *payload {
	if len(l.Fields) == 0 {
		return &payload{media: l.Body.Media, linked: secretParts(l.Body.Data)}
	}
	form, object := url.Values{}, map[string]string{}
	var values []field
	for _, f := range l.Fields {
		form.Set(f.Name, "")
		object[f.Name] = ""
		values = append(values, field{"/" + pointer.Escape(f.Name), secretValue(f.Value)})
	}
	body := model.Payload{Media: l.Body.Media, Data: form.Encode()}
	if !strings.HasPrefix(body.Media, "application/x-www-form-urlencoded") {
		data, _ := json.Marshal(object) // a map of strings always marshals
		body.Data = string(data)
	}
	return newPayload(body, values)
}

// loginOptions returns the options that send the cookies and the token from the answer to a log-in.
func loginOptions(l *model.Login) []string {
	var all []string
	if l.Cookies {
		all = append(all, "login.cookies()")
	}
	t := l.Token
	if t == nil {
		return all
	}
	from := &source{name: "login.bodyValue()"}
	switch {
	case t.Header != "":
		from.name = "login.headerValue(" + quoted(t.Header) + ")"
	case t.Pointer != "":
		from.name = "login.field(" + quoted(t.Pointer) + ")"
	}
	value := insert([]part{{text: t.Template}}, model.TokenPlaceholder, part{from: from, escaping: "text"})
	return append(all, valueOption(t.In, t.Name, expr(value, quoted)))
}

// secretSource returns a source for the value of an environment variable.
func secretSource(name string) *source {
	return &source{name: "secret(t, " + quoted(name) + ")", secret: "${" + name + "}"}
}

// secretParts splits a text into literal text and environment variables of the form "${NAME}".
func secretParts(text string) []part {
	parts := []part{{text: text}}
	for _, name := range model.SecretNames(text) {
		parts = insert(parts, "${"+name+"}", part{from: secretSource(name), escaping: "text"})
	}
	return parts
}

// secretText returns the Go expression for a text with environment variables of the form "${NAME}".
func secretText(text string) string { return expr(secretParts(text), quoted) }

// secretValue returns a text with environment variables of the form "${NAME}" as a single part.
func secretValue(text string) part {
	names := model.SecretNames(text)
	switch {
	case len(names) == 0:
		return part{text: text}
	case text == "${"+names[0]+"}":
		return part{from: secretSource(names[0])}
	}
	return part{from: &source{name: "value{" + secretText(text) + "}", secret: text}}
}
