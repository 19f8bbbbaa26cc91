package config

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// Draft is a first configuration for a spec. It has what the spec states, and notes about what the user must add.
type Draft struct {
	Config  Config
	Title   string
	Servers []string
	// Reset is the ID of an operation that seems to reset the service, "" if there is none.
	Reset string
	// LoginAt is the operation, or the OAuth 2 token URL, by which a user logs in. If the spec declares no log-in,
	// LoginAt is an operation that seems to be one, or "" if there is none.
	LoginAt string
	// Login is an incomplete log-in for LoginAt, because the spec does not say where the answer has the credential.
	// It is nil if there is no log-in, or if the log-in of the user in Config is complete.
	Login *model.Login
	// Creation is a request that may create the user, or nil.
	Creation *model.Login
	// Left are the schemes that operations require but the draft does not configure. Sonde does not support them, or
	// one user cannot have them together with the chosen schemes.
	Left []model.SecurityScheme
	// Instead are schemes that operations accept in place of the user's schemes.
	Instead []model.SecurityScheme
}

// NewDraft returns a draft for a spec. source is the path or URL of the spec. url is the URL of the service, or "".
// NewDraft does not take the URL of the service from the spec, because Sonde calls a server of a spec only if the
// user asks for it.
func NewDraft(spec *model.Spec, source, url string) Draft {
	d := Draft{Config: Config{Spec: source, URL: url}, Title: spec.Title, Servers: spec.Servers}
	for _, op := range spec.Operations {
		if d.Reset == "" && resets(op) {
			d.Reset = string(op.ID)
		}
	}
	d.user(spec)
	return d
}

// user drafts a user with the credentials that the operations require. If the spec describes a log-in, the user has
// this log-in. If the spec has neither credentials nor a log-in, user drafts no user.
func (d *Draft) user(spec *model.Spec) {
	c := choice{spec: spec}
	c.choose()
	d.Left, d.Instead = c.left, c.instead
	u := model.User{Name: "user", Login: d.login(spec, &c)}
	for _, s := range c.chosen {
		u.Sends = append(u.Sends, s.sends)
	}
	slices.SortStableFunc(u.Sends, func(a, b model.Credential) int { return form(a) - form(b) })
	if len(u.Sends) > 0 || u.Login != nil {
		d.Config.Users = []model.User{u}
	}
}

// login returns a log-in, and removes from the choice the credential that its answer has. The choice may also be empty.
// login returns nil if the spec does not describe a log-in completely, or if the choice has credentials but none that
// may come from a log-in. It also sets the fields LoginAt, Login and Creation of the draft, if it finds them.
func (d *Draft) login(spec *model.Spec, c *choice) *model.Login {
	at, s := c.obtainable()
	if l := grantOf(s); l != nil {
		c.chosen = slices.Delete(c.chosen, at, at+1)
		d.LoginAt = s.TokenURL
		return l
	}
	f := findLogin(spec, s)
	if f == nil || at < 0 && len(c.chosen) > 0 {
		return nil
	}
	d.LoginAt = string(f.op.ID)
	if !f.sure {
		d.Login = &f.login
		return nil
	}
	if at >= 0 {
		c.chosen = slices.Delete(c.chosen, at, at+1)
	}
	d.Creation = findCreation(spec, *f)
	return &f.login
}

// grantOf returns the log-in for an OAuth 2 scheme. It returns nil for other schemes, for flows that Sonde does not
// support, and for a token URL that is missing or invalid.
func grantOf(s model.SecurityScheme) *model.Login {
	o := oauth2{tokenURL: s.TokenURL, id: "${SONDE_CLIENT_ID}", secret: "${SONDE_CLIENT_SECRET}"}
	switch s.Flow {
	case "clientCredentials":
	case "password":
		o = oauth2{tokenURL: s.TokenURL, username: "${SONDE_USERNAME}", password: "${SONDE_PASSWORD}"}
	default:
		return nil
	}
	if o.tokenURL != "" && !strings.Contains(o.tokenURL, "://") {
		o.tokenURL = "/" + strings.TrimLeft(o.tokenURL, "/")
	}
	d := &decoder{}
	l := o.model(d, secrets{names: map[string]bool{}, user: &model.User{}})
	if d.err != nil {
		return nil
	}
	return l
}

// form returns a number for the key of the file under which a credential is written: 0 for fixedHeaders, 1 for basic
// and 2 for apiKey. A user has at most one basic and at most one apiKey.
func form(c model.Credential) int {
	switch {
	case c.Basic:
		return 1
	case c.In != model.InHeader:
		return 2
	}
	return 0
}

// barred reports whether one user cannot have both credentials. This is so if both would be written under basic or both
// under apiKey, or if both have the same location and name.
func barred(a, b model.Credential) bool {
	return form(a) == form(b) && form(a) > 0 || a.In == b.In && strings.EqualFold(a.Name, b.Name)
}

// credential returns the credential for a scheme, with a variable for its secret. ok is false if Sonde does
// not support the scheme.
func credential(s model.SecurityScheme) (c model.Credential, ok bool) {
	bearer := model.Credential{In: model.InHeader, Name: "Authorization", Value: "Bearer ${SONDE_TOKEN}"}
	switch {
	case s.Kind == "bearer" || s.Kind == "oauth2" || s.Kind == "openIdConnect" || bearerKey(s):
		return bearer, true
	case s.Kind == "basic":
		c = model.Credential{In: model.InHeader, Name: "Authorization", Value: "${SONDE_USERNAME}:${SONDE_PASSWORD}", Basic: true}
		return c, true
	case s.Kind == "apiKey":
		c = model.Credential{In: s.In, Name: s.Key, Value: strings.TrimLeft(s.Prefix+" ${SONDE_API_KEY}", " ")}
		sendable := s.In == model.InHeader || s.In == model.InCookie || s.In == model.InQuery
		return c, sendable && token.MatchString(s.Key)
	}
	return c, false
}

var bearerWord = regexp.MustCompile(`(?i)bearer|jwt`)

// bearerKey reports whether an API key is really a bearer token. OpenAPI 2.0 has no scheme for bearer tokens, so
// specs declare them as API keys.
func bearerKey(s model.SecurityScheme) bool {
	return s.Kind == "apiKey" && s.In == model.InHeader && strings.EqualFold(s.Key, "Authorization") &&
		(s.Prefix == "Bearer" || s.Prefix == "" && bearerWord.MatchString(s.Name))
}

var resetWord = regexp.MustCompile(`(?i)(^|[/_-])reset(-?(all|db|database|state))?$`)

// resets reports whether an operation seems to reset the whole service: its method is POST, PUT or DELETE, and its path
// has no parameters and ends in a word such as "reset".
func resets(op *model.Operation) bool {
	return (op.Method == "POST" || op.Method == "PUT" ||
		op.Method == "DELETE") && !strings.Contains(op.Path, "{") && resetWord.MatchString(op.Path)
}
