package config

import (
	"net/url"
	"strings"

	"sonde/model"
)

// oauth2 is a short form for a log-in by OAuth 2. With a username, the grant is the resource owner's password.
// Without a username, the grant is client credentials.
type oauth2 struct {
	line               int
	tokenURL           string
	id, secret, style  string
	username, password string
	scope, audience    string
	template           string
}

// grant returns the keys of the section oauth2, with their decoders.
func (r *authDecoder) grant(o *oauth2) fields {
	return fields{
		"tokenUrl":     r.decoder.text(&o.tokenURL),
		"clientId":     r.decoder.text(&o.id),
		"clientSecret": r.decoder.text(&o.secret),
		"style":        r.decoder.oneOf(&o.style, "basic", "post"),
		"username":     r.decoder.text(&o.username),
		"password":     r.decoder.text(&o.password),
		"scope":        r.decoder.text(&o.scope),
		"audience":     r.decoder.text(&o.audience),
		"sendTemplate": r.decoder.text(&o.template),
	}
}

// model checks the section and returns it as a log-in.
func (o *oauth2) model(d *decoder, s secrets) *model.Login {
	o.check(d)
	l := &model.Login{Method: "POST", Body: &model.Payload{Media: "application/x-www-form-urlencoded"}}
	l.URL = o.tokenURL
	if strings.HasPrefix(o.tokenURL, "/") {
		l.Path, l.URL = o.tokenURL, ""
	}
	add := func(name, value string) {
		if value != "" {
			l.Fields = append(l.Fields, model.LoginField{Name: name, Value: value})
		}
	}
	if o.username == "" {
		add("grant_type", "client_credentials")
	} else {
		add("grant_type", "password")
		add("username", o.username)
		add("password", s.hide("PASSWORD", o.password))
	}
	add("scope", o.scope)
	add("audience", o.audience)
	secret := s.hide("CLIENT_SECRET", o.secret)
	if o.style == "post" || secret == "" {
		add("client_id", o.id)
		add("client_secret", secret)
	} else {
		l.Headers = []model.Credential{{In: model.InHeader, Name: "Authorization", Value: o.id + ":" + secret, Basic: true}}
	}
	l.Token = &model.LoginToken{
		Pointer:  "/access_token",
		In:       model.InHeader,
		Name:     "Authorization",
		Template: orElse(o.template, "Bearer "+model.TokenPlaceholder),
	}
	return l
}

func (o *oauth2) check(d *decoder) {
	u, err := url.Parse(o.tokenURL)
	inside := strings.HasPrefix(o.tokenURL, "/")
	switch {
	case o.tokenURL == "":
		d.failAt(o.line, "oauth2 needs a tokenUrl, such as /oauth/token or https://id.example/token")
	case !inside && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https"):
		d.failAt(o.line, "tokenUrl %.60q is neither a URL nor a path such as /oauth/token", o.tokenURL)
	case o.username == "" && (o.id == "" || o.secret == ""):
		d.failAt(o.line, "oauth2 needs clientId and clientSecret, or with a user's password username and password")
	case o.username != "" && o.password == "":
		d.failAt(o.line, "oauth2 has a username and no password")
	case o.template != "" && !strings.Contains(o.template, model.TokenPlaceholder):
		d.failAt(o.line, "sendTemplate %.60q has no place for the token: write {token} in it", o.template)
	}
}
