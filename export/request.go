package export

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
)

// request returns the request of a call. user is the name of the user who makes the call. takes has
// the capture of each source.
func (w *scripter) request(s *boundCall, user string, takes map[*source]*Capture) Request {
	w.about = "a call that logs in" // the only calls with secrets of their own
	to := func(parts []part) []TextPart { return w.parts(parts, takes) }
	r := Request{Method: s.method, Path: urlSafe(to(s.path)), Template: s.template}
	if !isMethod(s.method) {
		w.fail("%q is not an HTTP method", s.method)
	}
	for _, g := range s.args {
		p := TextPart{Text: g.PlainValue(), Escaping: EscapeNone}
		if g.from != nil {
			p = TextPart{Capture: takes[g.from], Escaping: EscapeNone}
			if p.Capture == nil {
				continue // the path has no such parameter
			}
		}
		r.Params = append(r.Params, Parameter{In: g.In, Name: g.Name, TextPart: p})
	}
	for _, h := range s.headers {
		r.set(h.name, to([]part{h.value}))
	}
	for _, c := range s.cookies {
		r.cookie(c.name, to([]part{c.value}))
	}
	if u, ok := w.users.named(user); ok && user != "" && (w.sessionOf[user] == nil || w.logins == LoginShared) {
		w.carry(&r, u)
	}
	r.send(s.body, to)
	r.Headers = slices.DeleteFunc(r.Headers, func(f MessageField) bool { return slices.Contains(unsent, strings.ToLower(f.Name)) })
	return r
}

// unsent are headers that HTTP clients set themselves.
var unsent = []string{"host", "content-length", "transfer-encoding", "trailer"}

func isMethod(text string) bool {
	return text != "" && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// send sets the body and the Content-Type of a request. It does nothing if p is nil.
func (r *Request) send(p *payload, to func([]part) []TextPart) {
	if p == nil {
		return
	}
	if media := printable(p.media); media != "" {
		r.set("Content-Type", []TextPart{{Text: media}})
	}
	r.Body = &RequestBody{Media: p.media, Parts: to(p.parts(0)), JSON: p.tree != nil}
	for i := range r.Body.Parts {
		if p.tree != nil { // tabs in JSON are insignificant
			r.Body.Parts[i].Text = strings.ReplaceAll(r.Body.Parts[i].Text, "\t", "  ")
		}
	}
}

// set sets a header. It replaces a header of the same name.
func (r *Request) set(name string, value []TextPart) {
	if i := slices.IndexFunc(r.Headers, func(f MessageField) bool { return strings.EqualFold(f.Name, name) }); i >= 0 {
		r.Headers[i].Value = value
		return
	}
	r.Headers = append(r.Headers, MessageField{name, value})
}

// cookie adds a cookie. Its value must be escaped.
func (r *Request) cookie(name string, value []TextPart) {
	r.cookies(append([]TextPart{{Text: name + "="}}, value...))
}

// cookies appends cookies to the header Cookie, which it adds if there is none.
func (r *Request) cookies(value []TextPart) {
	for _, h := range r.Headers {
		if h.Name == "Cookie" {
			value = slices.Concat(h.Value, []TextPart{{Text: "; "}}, value)
		}
	}
	r.set("Cookie", value)
}

// parts converts parts of a bound call to parts of a script. takes has the captures of the test.
func (w *scripter) parts(from []part, takes map[*source]*Capture) []TextPart {
	var all []TextPart
	for _, p := range from {
		if p.from != nil && p.from.secret != "" {
			all = append(all, w.escapedText(p.from.secret, Escaping(p.escaping))...)
		} else if p.from != nil {
			all = append(all, TextPart{Capture: takes[p.from], Escaping: Escaping(p.escaping), Original: p.original})
		} else if n := len(all); n > 0 && all[n-1].Capture == nil && all[n-1].Variable == "" {
			all[n-1].Text += p.text
		} else if p.text != "" || len(from) == 1 {
			all = append(all, TextPart{Text: p.text})
		}
	}
	return all
}

// urlSafe escapes the characters that a URL must not contain.
func urlSafe(parts []TextPart) []TextPart {
	for i := range parts {
		var b strings.Builder
		for _, c := range []byte(parts[i].Text) {
			if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
				fmt.Fprintf(&b, "%%%02X", c)
			} else {
				b.WriteByte(c)
			}
		}
		parts[i].Text = b.String()
	}
	return parts
}

// carry adds the credentials of a user to a request.
func (w *scripter) carry(r *Request, u model.User) {
	if u.Header != "" || u.Env != "" || u.Public != "" {
		r.addCredential(model.Credential{In: model.InHeader, Name: u.Header}, w.headerValue(u))
	}
	for _, c := range u.Sends {
		r.addCredential(c, w.filled(c.Value, "the credentials of the user "+quotedRemark(u.Name)))
	}
	if l := u.Login; l != nil {
		w.carrySession(r, u, l)
	}
}

// carrySession adds the cookies and the token of a user's log-in to a request.
func (w *scripter) carrySession(r *Request, u model.User, l *model.Login) {
	about := "the result of the log-in of the user " + quotedRemark(u.Name)
	s := w.loginCaptures[u.Name]
	if s.cookies != nil {
		r.cookies([]TextPart{{Capture: s.cookies, Escaping: EscapeNone, Original: model.MaskedSecret}})
	}
	token := TextPart{Capture: s.token, Escaping: EscapeNone, Original: model.MaskedSecret}
	if w.logins.byVariable(u) {
		token = w.secret(sessionEnv(u), about, "")
		if l.Token == nil {
			r.cookies([]TextPart{token})
		}
	}
	if l.Token == nil {
		return
	}
	before, after, _ := strings.Cut(l.Token.Template, model.TokenPlaceholder)
	value := slices.Concat(w.filled(before, about), []TextPart{token}, w.filled(after, about))
	r.addCredential(model.Credential{In: l.Token.In, Name: l.Token.Name}, value)
}

// headerValue returns the value of a user's header. The value may be in an environment variable.
func (w *scripter) headerValue(u model.User) []TextPart {
	if u.Env == "" {
		return []TextPart{{Text: printable(u.Public)}}
	}
	about := fmt.Sprintf("the header %s of the user %s", remark(u.Header, 60), quotedRemark(u.Name))
	return []TextPart{w.secret(u.Env, about, printable(u.Public))}
}

// secret returns the value of an environment variable and adds the variable to the script.
func (w *scripter) secret(name, about, defaultValue string) TextPart {
	if !envName.MatchString(name) {
		w.fail("%q cannot be the name of an environment variable", name)
	}
	if !w.secrets[name] {
		w.secrets[name] = true
		w.secretList = append(w.secretList, Secret{Name: name, About: about, Default: defaultValue})
	}
	return TextPart{Variable: name, Escaping: EscapeNone}
}

// filled splits a text at "${NAME}" into literal text and environment variables.
func (w *scripter) filled(text, about string) []TextPart {
	parts := []TextPart{}
	for _, name := range model.SecretNames(text) {
		before, after, _ := strings.Cut(text, "${"+name+"}")
		parts = append(parts, TextPart{Text: printableAll(before)}, w.secret(name, about, ""))
		text = after
	}
	parts = append(parts, TextPart{Text: printableAll(text)})
	return slices.DeleteFunc(parts, func(p TextPart) bool { return p.Text == "" && p.Variable == "" })
}

// printableAll replaces all characters except printable ASCII, like printable, but keeps spaces at the
// ends.
func printableAll(text string) string {
	return strings.TrimSuffix(strings.TrimPrefix(printable("|"+text+"|"), "|"), "|")
}

// addCredential adds a credential to the request. It leaves out a header with an invalid name.
func (r *Request) addCredential(c model.Credential, value []TextPart) {
	name, rest, split := "", "", false
	if len(value) > 0 {
		name, rest, split = strings.Cut(value[0].Text, "=")
	}
	switch {
	case c.Basic:
		r.Basic = value
	case c.In == model.InCookie:
		r.cookie(printable(c.Name), value)
	case c.In == model.InQuery:
		r.query(c.Name, value)
	case strings.EqualFold(c.Name, "Cookie") && split:
		r.cookie(name, append([]TextPart{{Text: rest}}, value[1:]...))
	case isToken(c.Name):
		r.set(c.Name, value)
	}
}

// query appends a parameter to the query of the path, and escapes its value.
func (r *Request) query(name string, value []TextPart) {
	mark := "?"
	if slices.ContainsFunc(r.Path, func(p TextPart) bool { return strings.Contains(p.Text, "?") }) {
		mark = "&"
	}
	r.Path = append(r.Path, TextPart{Text: mark + url.QueryEscape(name) + "="})
	for _, p := range value {
		r.Params = append(r.Params, Parameter{In: model.InQuery, Name: name, TextPart: p})
		p.Escaping = EscapeQuery
		if p.Variable == "" && p.Capture == nil {
			p.Text = model.EscapeQuery(p.Text)
		}
		r.Path = append(r.Path, p)
	}
}

// resetRequest returns the request that resets the service, or nil if the reset is not a request.
func (w *scripter) resetRequest(reset *model.Reset) *Request {
	if reset == nil || reset.Path == "" {
		return nil
	}
	path := slashed(reset.Path)
	r := Request{Method: reset.Method, Path: urlSafe([]TextPart{{Text: path}}), Template: path}
	for _, name := range sorted(reset.Header) {
		r.set(name, w.filled(reset.Header[name], "the reset"))
	}
	if body := reset.Body; body != nil {
		r.send(&payload{media: body.Media, data: body.Data}, func(parts []part) []TextPart { return w.parts(parts, nil) })
	}
	if !isMethod(r.Method) {
		w.fail("%q is not an HTTP method", r.Method)
	}
	return &r
}
