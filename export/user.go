package export

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// users declares what the requests of those who call carry.
func (s Suite) users() string {
	all := s.callers()
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n// users are those who call, with what their requests carry to prove it.\n" +
		"var users = map[string]func(t *testing.T) []option{\n")
	for _, u := range all {
		fmt.Fprintf(&b, "\t%s: func(t *testing.T) []option {\n", quoted(u.Name))
		for _, l := range u.Creates {
			b.WriteString("\t\t" + logIn(&l) + ".wantMade(" + quoted(u.Name) + ")\n")
		}
		carried := fixed(u)
		if u.Login != nil {
			b.WriteString("\t\tlogin := " + logIn(u.Login) + "\n\t\tlogin.wantLogin()\n")
			carried = append(carried, obtained(u.Login)...)
		}
		b.WriteString("\t\treturn []option{" + strings.Join(carried, ", ") + "}\n\t},\n")
	}
	return b.String() + "}\n"
}

// proof returns the option of a call that lets a user make it.
func (s Suite) proof(user string, status int) string {
	u, _ := s.user(user)
	switch {
	case user == "":
		return ""
	case opens(u) && status == 401: // it would be renewed in vain
		return "refusedAs(" + quoted(user) + ")"
	case opens(u):
		return "loggedInAs(" + quoted(user) + ")"
	}
	return "as(" + quoted(user) + ")"
}

// fixed returns the options that need no log-in.
func fixed(u model.User) []string {
	var all []string
	if u.Header != "" || u.Env != "" || u.Public != "" {
		all = append(all, "withHeader("+quoted(u.Header)+", "+ownHeader(u)+")")
	}
	for _, c := range u.Sends {
		all = append(all, carries(c))
	}
	return all
}

// ownHeader returns the value of the header that is all in one variable.
func ownHeader(u model.User) string {
	switch {
	case u.Public == "":
		return secretNamed(u.Env).name + ".text()"
	case u.Env == "":
		return quoted(u.Public)
	}
	return "public(" + quoted(u.Env) + ", " + quoted(u.Public) + ").text()"
}

// carries returns the option that lets a request carry a credential.
func carries(c model.Credential) string {
	name, rest, split := strings.Cut(c.Value, "=")
	switch {
	case c.Basic:
		user, password, _ := strings.Cut(c.Value, ":")
		return "withBasic(" + secretText(user) + ", " + secretText(password) + ")"
	case c.In == model.InHeader && strings.EqualFold(c.Name, "Cookie") && split:
		return "withCookie(" + quoted(name) + ", " + secretText(rest) + ")"
	}
	return sent(c.In, c.Name, secretText(c.Value))
}

// sent returns the option that puts a value into its place.
func sent(in model.Location, name, value string) string {
	way := map[model.Location]string{model.InQuery: "withQuery", model.InCookie: "withCookie"}[in]
	if way == "" {
		way = "withHeader"
	}
	return way + "(" + quoted(name) + ", " + value + ")"
}

// logIn returns the request of a log-in.
func logIn(l *model.Login) string {
	base, path := "", l.Path
	if l.URL != "" {
		base, path = splitURL(l.URL)
	}
	return laid("call(t, "+quoted(l.Method)+", "+secretText(path), func(indent int) (all []string) {
		if base != "" {
			all = append(all, "elsewhere("+quoted(base)+")")
		}
		for _, h := range l.Headers {
			all = append(all, carries(h))
		}
		if l.Body != nil {
			all = append(all, loginBody(l).option(indent))
		}
		return all
	}, 2)
}

// splitURL returns a URL's scheme and host, and the rest.
func splitURL(text string) (base, rest string) {
	scheme, after, _ := strings.Cut(text, "://")
	if i := strings.IndexAny(after, "/?"); i >= 0 {
		return scheme + "://" + after[:i], after[i:]
	}
	return text, "/"
}

// loginBody returns the body of a log-in, its secrets in their places.
func loginBody(l *model.Login) *payload {
	if len(l.Fields) == 0 {
		return &payload{media: l.Body.Media, form: secretParts(l.Body.Data)}
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
		data, _ := json.Marshal(object) // texts always marshal
		body.Data = string(data)
	}
	return newPayload(body, values)
}

// obtained returns the options that send what the answer to a log-in gives.
func obtained(l *model.Login) []string {
	var all []string
	if l.Cookies {
		all = append(all, "login.cookies()")
	}
	t := l.Token
	if t == nil {
		return all
	}
	from := &source{name: "login.whole()"}
	switch {
	case t.Header != "":
		from.name = "login.headed(" + quoted(t.Header) + ")"
	case t.Pointer != "":
		from.name = "login.field(" + quoted(t.Pointer) + ")"
	}
	value := insert([]part{{text: t.Template}}, model.TokenPlaceholder, part{from: from, as: "text"})
	return append(all, sent(t.In, t.Name, expr(value, quoted)))
}

// secretNamed returns what a variable of the environment gives.
func secretNamed(name string) *source {
	return &source{name: "secret(t, " + quoted(name) + ")", secret: "${" + name + "}"}
}

// secretParts returns a text with what the environment gives in the place of
// "${NAME}".
func secretParts(text string) []part {
	parts := []part{{text: text}}
	for _, name := range model.SecretNames(text) {
		parts = insert(parts, "${"+name+"}", part{from: secretNamed(name), as: "text"})
	}
	return parts
}

// secretText returns that as a Go expression.
func secretText(text string) string { return expr(secretParts(text), quoted) }

// secretValue returns that in one part, which can be put anywhere.
func secretValue(text string) part {
	names := model.SecretNames(text)
	switch {
	case len(names) == 0:
		return part{text: text}
	case text == "${"+names[0]+"}":
		return part{from: secretNamed(names[0])}
	}
	return part{from: &source{name: "value{" + secretText(text) + "}", secret: text}}
}
