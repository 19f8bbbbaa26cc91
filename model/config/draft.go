package config

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// Draft is a first configuration for a spec: what the spec tells, and remarks on
// what only a person knows.
type Draft struct {
	Config  Config
	Title   string
	Servers []string
	// Reset is an operation that may bring the service back to its first state,
	// "" where none looks like it.
	Reset string
	// Login is an operation that may give credentials, nil where none does.
	Login *model.Operation
	// Left are the schemes for which Sonde has no form, or which another one
	// keeps from being used.
	Left []model.Scheme
}

// NewDraft returns a draft for a spec that is found at source. Its URL, which
// may be "", is not taken from the spec: nobody asked to call what stands there.
func NewDraft(spec *model.Spec, source, url string) Draft {
	d := Draft{Config: Config{Spec: source, URL: url}, Title: spec.Title, Servers: spec.Servers}
	d.user(spec)
	for _, op := range spec.Operations {
		if d.Reset == "" && resets(op) {
			d.Reset = string(op.ID)
		}
		if d.Login == nil && logsIn(op) {
			d.Login = op
		}
	}
	return d
}

// user drafts one user who has what the operations ask for.
func (d *Draft) user(spec *model.Spec) {
	u := model.User{Name: "user"}
	for _, s := range spec.Schemes {
		if !slices.ContainsFunc(spec.Operations, func(op *model.Operation) bool { return slices.Contains(op.Schemes, s.Name) }) {
			continue
		}
		c, ok := credential(s)
		if !ok || slices.ContainsFunc(u.Sends, func(other model.Credential) bool { return barred(other, c) }) {
			d.Left = append(d.Left, s)
			continue
		}
		u.Sends = append(u.Sends, c)
	}
	slices.SortStableFunc(u.Sends, func(a, b model.Credential) int { return form(a) - form(b) })
	if len(u.Sends) > 0 {
		d.Config.Users = []model.User{u}
	}
}

// form is which of an entry's keys writes a credential: fixedHeaders, basic or
// apiKey. Of the last two there is one each.
func form(c model.Credential) int {
	switch {
	case c.Basic:
		return 1
	case c.In != model.InHeader:
		return 2
	}
	return 0
}

// barred tells whether two credentials cannot be written for one user.
func barred(a, b model.Credential) bool {
	return form(a) == form(b) && form(a) > 0 || a.In == b.In && strings.EqualFold(a.Name, b.Name)
}

// credential is what a scheme asks for, with the secret to be set by a person.
func credential(s model.Scheme) (c model.Credential, ok bool) {
	switch s.Kind {
	case "bearer", "oauth2", "openIdConnect":
		return model.Credential{In: model.InHeader, Name: "Authorization", Value: "Bearer ${SONDE_TOKEN}"}, true
	case "basic":
		return model.Credential{In: model.InHeader, Name: "Authorization", Value: "${SONDE_USERNAME}:${SONDE_PASSWORD}", Basic: true}, true
	case "apiKey":
		c = model.Credential{In: s.In, Name: s.Key, Value: "${SONDE_API_KEY}"}
		sendable := s.In == model.InHeader || s.In == model.InCookie || s.In == model.InQuery
		return c, sendable && token.MatchString(s.Key)
	}
	return c, false
}

var resetWord = regexp.MustCompile(`(?i)(^|[/_-])reset(-?(all|db|database|state))?$`)

// resets tells whether an operation looks like a reset of the whole service: it
// names nothing that it resets.
func resets(op *model.Operation) bool {
	return (op.Method == "POST" || op.Method == "PUT" || op.Method == "DELETE") && !strings.Contains(op.Path, "{") && resetWord.MatchString(op.Path)
}

var (
	loginWord    = regexp.MustCompile(`(?i)(^|[/_-])(log-?in|sign-?in|authenticate|auth|tokens?|sessions?)$`)
	passwordWord = regexp.MustCompile(`(?i)passw|pwd|secret`)
	usernameWord = regexp.MustCompile(`(?i)user|login|mail|name|client`)
	tokenWord    = regexp.MustCompile(`(?i)token|jwt`)
)

// logsIn tells whether an operation looks like a log-in: it takes a password.
func logsIn(op *model.Operation) bool {
	if op.Method != "POST" || strings.Contains(op.Path, "{") || !loginWord.MatchString(op.Path) {
		return false
	}
	return field(loginSchema(op), passwordWord) != ""
}

func loginSchema(op *model.Operation) *model.Schema {
	if op.Body == nil || len(op.Body.Contents) == 0 {
		return nil
	}
	return op.Body.Contents[0].Schema
}

// field returns an object's first property whose name fits.
func field(s *model.Schema, word *regexp.Regexp) string {
	if s == nil {
		return ""
	}
	for _, p := range s.Properties {
		if word.MatchString(p.Name) {
			return p.Name
		}
	}
	return ""
}

// tokenField returns where the answer to a log-in has its token, as far as the
// spec tells.
func tokenField(op *model.Operation) string {
	for _, r := range op.Responses {
		for _, c := range r.Contents {
			if name := field(c.Schema, tokenWord); r.Success() && name != "" {
				return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
			}
		}
	}
	return "/token"
}
