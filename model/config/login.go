package config

import (
	"net/url"
	"strings"

	"sonde/model"
)

// login is the content of loginEndpointAuth, or of a request in createUsers.
type login struct {
	line                          int
	endpoint, external, verb, raw string
	media                         string
	pair                          *userPwd
	basic                         *basic
	fields                        []model.LoginField
	key                           string // the key in the file: loginEndpointAuth or createUsers
	headers                       []header
	token                         *tokenHandling
	cookies                       bool
}

type userPwd struct{ username, password, usernameField, passwordField string }

// tokenHandling says where an answer has a token and how requests send the token. The fields oldField, oldHeader and
// oldPrefix are for keys of the format before version 0.2.
type tokenHandling struct {
	line                                   int
	from, selector, sendIn, name, template string
	oldField, oldHeader, oldPrefix         string
}

func (r *authDecoder) login(l *login) fields {
	l.key = "loginEndpointAuth"
	all := r.asked(l)
	all["externalEndpointURL"], all["expectCookies"] = r.decoder.text(&l.external), r.decoder.flag(&l.cookies)
	all["token"] = func(v *value) {
		l.token = &tokenHandling{line: v.line}
		r.decoder.object(v, "token", r.token(l.token))
	}
	return all
}

// creations decodes the requests that create a user: one request, or a list of requests.
func (r *authDecoder) creations(to *[]*login) decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			l := &login{line: kid.line, key: "createUsers"}
			r.decoder.object(kid, l.key, r.asked(l))
			*to = append(*to, l)
		})
	}
}

// asked returns the keys that a log-in and a request that creates a user have in common, with their decoders.
func (r *authDecoder) asked(l *login) fields {
	return fields{
		"endpoint":      r.decoder.text(&l.endpoint),
		"verb":          r.decoder.oneOf(&l.verb, verbs...),
		"payloadRaw":    r.decoder.text(&l.raw),
		"contentType":   r.decoder.text(&l.media),
		"headers":       r.headers(&l.headers),
		"basic":         r.basic(&l.basic),
		"payloadFields": r.payload(&l.fields),
		"payloadUserPwd": func(v *value) {
			l.pair = &userPwd{}
			r.decoder.object(v, "payloadUserPwd", fields{
				"username": r.decoder.text(&l.pair.username), "password": r.decoder.text(&l.pair.password),
				"usernameField": r.decoder.text(&l.pair.usernameField), "passwordField": r.decoder.text(&l.pair.passwordField),
			})
		},
	}
}

// payload decodes payloadFields, the fields of a body, in the order of the file.
func (r *authDecoder) payload(to *[]model.LoginField) decodeFunc {
	return func(v *value) {
		if v.kind != isObject {
			r.decoder.fail(v, "payloadFields are names with values, not %s", v.what())
			return
		}
		for i, name := range v.keys {
			f := model.LoginField{Name: name}
			r.decoder.text(&f.Value)(v.kids[i])
			*to = append(*to, f)
		}
	}
}

func (r *authDecoder) token(t *tokenHandling) fields {
	return fields{
		"extractFrom":      r.decoder.oneOf(&t.from, "body", "header"),
		"extractSelector":  r.decoder.text(&t.selector),
		"sendIn":           r.decoder.oneOf(&t.sendIn, "header", "query", "cookie"),
		"sendName":         r.decoder.text(&t.name),
		"sendTemplate":     r.decoder.text(&t.template),
		"extractFromField": r.decoder.text(&t.oldField),
		"httpHeaderName":   r.decoder.text(&t.oldHeader),
		"headerPrefix":     r.decoder.text(&t.oldPrefix),
	}
}

// model checks the log-in and returns it as a model.Login.
func (l *login) model(d *decoder, s secrets) *model.Login {
	l.check(d)
	out := l.request(s)
	if l.token != nil {
		out.Token = l.token.model(d)
	}
	return &out
}

// creation checks a request that creates a user and returns it as a model.Login.
func (l *login) creation(d *decoder, s secrets) model.Login {
	l.checkAsked(d)
	if l.endpoint == "" {
		d.failAt(l.line, "createUsers needs an endpoint such as /users")
	}
	return l.request(s)
}

// request returns the request of the login as a model.Login without a Token.
func (l *login) request(s secrets) model.Login {
	out := model.Login{Method: l.verb, Path: l.endpoint, URL: l.external, Cookies: l.cookies}
	if out.Method == "" {
		out.Method = "POST"
	}
	if out.Path != "" && !strings.HasPrefix(out.Path, "/") {
		out.Path = "/" + out.Path
	}
	for _, h := range l.headers {
		out.Headers = append(out.Headers, model.Credential{In: model.InHeader, Name: h.name, Value: s.header(h)})
	}
	if l.basic != nil {
		out.Headers = append(out.Headers, s.basic(*l.basic))
	}
	switch media := l.mediaType(); {
	case len(l.fields) > 0:
		out.Body = &model.Payload{Media: media}
		out.Fields = s.fields(l.fields)
	case l.raw != "":
		out.Body = &model.Payload{Media: media, Data: s.hide("PAYLOAD", l.raw)}
	case l.pair != nil:
		out.Body = &model.Payload{Media: media}
		out.Fields = []model.LoginField{
			{Name: l.pair.usernameField, Value: l.pair.username}, {Name: l.pair.passwordField, Value: s.hide("PASSWORD", l.pair.password)},
		}
	}
	return out
}

func (l *login) check(d *decoder) {
	u, err := url.Parse(l.external)
	switch {
	case (l.endpoint == "") == (l.external == ""):
		d.failAt(l.line, "loginEndpointAuth needs an endpoint such as /login, or an externalEndpointURL, and not both")
	case l.external != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https"):
		d.failAt(l.line, "externalEndpointURL %.60q is not a URL", l.external)
	case l.token == nil && !l.cookies:
		d.failAt(l.line, "loginEndpointAuth needs a token or expectCookies: true, to find the credential in its answer")
	}
	l.checkAsked(d)
}

// checkAsked checks the values of the keys that asked returns.
func (l *login) checkAsked(d *decoder) {
	switch {
	case strings.Contains(l.endpoint, "://"):
		d.failAt(l.line, "endpoint %.60q is a whole URL: call it externalEndpointURL", l.endpoint)
	case l.payloads() > 1:
		d.failAt(l.line, "%s takes one of payloadRaw, payloadUserPwd and payloadFields", l.key)
	case l.basic != nil && l.basic.username == "" && l.basic.password == "":
		d.failAt(l.line, "basic needs username and password")
	case len(l.fields) > 0 && !isForm(l.mediaType()) && !isJSON(l.mediaType()):
		d.failAt(l.line, "payloadFields cannot be written as %.60q: use JSON, a form, or payloadRaw", l.media)
	case l.pair != nil && (l.pair.username == "" || l.pair.password == "" || l.pair.usernameField == "" || l.pair.passwordField == ""):
		d.failAt(l.line, "payloadUserPwd needs username, password, usernameField and passwordField")
	case l.pair != nil && !isForm(l.mediaType()) && !isJSON(l.mediaType()):
		d.failAt(l.line, "payloadUserPwd cannot be written as %.60q: use JSON, a form, or payloadRaw", l.media)
	}
}

// payloads returns how many of the keys for a body are set; at most one is allowed.
func (l *login) payloads() (n int) {
	for _, given := range []bool{l.raw != "", l.pair != nil, len(l.fields) > 0} {
		if given {
			n++
		}
	}
	return n
}

func isForm(media string) bool { return strings.HasPrefix(media, "application/x-www-form-urlencoded") }
func isJSON(media string) bool { return strings.Contains(media, "json") }

// mediaType returns the media type of the body. If the file does not state it, a payload that looks like a form is a
// form, and any other is JSON.
func (l *login) mediaType() string {
	raw := strings.TrimSpace(l.raw)
	switch {
	case l.media != "":
		return l.media
	case raw != "" && raw[0] != '{' && raw[0] != '[' && raw[0] != '"' && strings.Contains(raw, "="):
		return "application/x-www-form-urlencoded"
	}
	return "application/json"
}

func (t *tokenHandling) model(d *decoder) *model.LoginToken {
	out := &model.LoginToken{Pointer: t.selector, In: model.Location(t.sendIn), Name: t.name, Template: t.template}
	if t.oldField != "" {
		out.Pointer = t.oldField
	}
	if out.Name == "" && t.oldHeader != "" {
		out.Name, out.Template = t.oldHeader, t.oldPrefix+model.TokenPlaceholder
	}
	if t.from == "header" {
		out.Header, out.Pointer = t.selector, ""
	}
	if out.In == "" {
		out.In = model.InHeader
	}
	if out.Template == "" {
		out.Template = model.TokenPlaceholder
	}
	t.check(d, out)
	return out
}

func (t *tokenHandling) check(d *decoder, out *model.LoginToken) {
	switch {
	case out.Name == "":
		d.failAt(t.line, "token needs a sendName, such as Authorization")
	case out.In != model.InQuery && !token.MatchString(out.Name):
		d.failAt(t.line, "%.60q is not a name of a header", out.Name)
	case t.from == "header" && !token.MatchString(out.Header):
		d.failAt(t.line, "extractSelector %.60q is not a name of a header", out.Header)
	case out.Pointer != "" && !strings.HasPrefix(out.Pointer, "/"):
		d.failAt(t.line, "%.60q is not a JSON pointer: write such as /token/value", out.Pointer)
	case !strings.Contains(out.Template, model.TokenPlaceholder):
		d.failAt(t.line, "sendTemplate %.60q has no place for the token: write {token} in it", out.Template)
	}
}
