package generate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// credential is what a request carries to prove who calls.
type credential struct {
	in     model.Location
	name   string
	value  string
	scheme string // the prefix of the token: "Bearer "
}

func (c credential) token() string { return strings.TrimPrefix(c.value, c.scheme) }

// is reports whether an input of the request is the credential.
func (c credential) is(in model.Location, name string) bool {
	return c.in == in && c.value != "" && strings.EqualFold(c.name, name)
}

var (
	keyHeader = regexp.MustCompile(`(?i)^(authorization|.*(api-?key|auth-?token|access-?token|session-?token))$`)
	keyCookie = regexp.MustCompile(`(?i)sess|sid$|token|auth|login|jwt`)
)

// credentialOf finds a request's credential. One that was refused does not count: it is sent again
// as it is.
func credentialOf(s *recordedExchange, keys map[string]bool) credential {
	if s.Reply.Status == 401 && s.User == "" {
		return credential{}
	}
	for _, name := range sortedKeys(s.Request.Header) {
		if value := first(s.Request.Header, name); keyHeader.MatchString(name) || keys[strings.ToLower(name)] {
			scheme, _, spaced := strings.Cut(value, " ")
			if spaced {
				return credential{in: model.InHeader, name: name, value: value, scheme: scheme + " "}
			}
			return credential{in: model.InHeader, name: name, value: value}
		}
	}
	for _, c := range cookiesOf(s.Request.Header) {
		if keyCookie.MatchString(c.Name) || keys[strings.ToLower(c.Name)] {
			return credential{in: model.InCookie, name: c.Name, value: c.Value}
		}
	}
	return credential{}
}

// cookie is one that a request carries.
type cookie struct{ Name, Value string }

func cookiesOf(header map[string][]string) []cookie {
	var all []cookie
	for _, pair := range strings.Split(first(header, "Cookie"), ";") {
		if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			all = append(all, cookie{name, value})
		}
	}
	return all
}

// cookies returns the cookies that are no credential, as arguments.
func (s *recordedExchange) cookies() []model.Arg {
	var all []model.Arg
	for _, c := range cookiesOf(s.Request.Header) {
		if !s.cred.is(model.InCookie, c.Name) {
			all = append(all, model.Arg{In: model.InCookie, Name: c.Name, Value: c.Value, Escaped: true})
		}
	}
	return all
}

// userDirectory are the users of the tests: those that the recording names, and others that only appear
// in it.
type userDirectory struct {
	*recordingIndex
	users  []model.User
	byCred map[string]string // names of those that only appear

	snapshot bool // the state is there before each call
}

// caller returns who made a call, and the log-in that it needed in the recording, nil if none.
func (p *userDirectory) caller(s *recordedExchange) (name string, login *recordedExchange) {
	if s.User != "" || s.cred.value == "" {
		return s.User, nil
	}
	login, token := p.login(s)
	key := s.cred.name + " " + s.cred.value
	if login != nil {
		key = fmt.Sprint(login.op.ID, login.request.text, login.cred.value)
	}
	if p.byCred[key] == "" {
		u := p.stranger(s)
		if login != nil {
			u = p.member(login, token)
		}
		p.byCred[key] = u.Name
		p.users = append(p.users, u)
	}
	return p.byCred[key], login
}

// login is the call whose answer has a credential, and where.
func (p *userDirectory) login(s *recordedExchange) (*recordedExchange, model.LoginToken) {
	c := s.cred
	token := model.LoginToken{In: c.in, Name: c.name, Template: c.scheme + model.TokenPlaceholder}
	for _, t := range slices.Backward(p.tellers[c.token()]) {
		if t.in == model.InBody && t.recordedExchange.before(s) && t.life == s.life && t.bars == "" {
			token.Pointer = t.leaf.name
			return t.recordedExchange, token
		}
	}
	if c.in != model.InCookie {
		return nil, token
	}
	for _, other := range slices.Backward(p.all[:s.at]) {
		if other.op != nil && other.bars == "" && other.life == s.life && sets(other, c) {
			return other, model.LoginToken{}
		}
	}
	return nil, token
}

// sets reports whether an answer sets a cookie.
func sets(s *recordedExchange, c credential) bool {
	for name, lines := range s.Reply.Header {
		if !strings.EqualFold(name, "Set-Cookie") {
			continue
		}
		for _, line := range lines {
			pair, _, _ := strings.Cut(line, ";")
			if strings.TrimSpace(pair) == c.name+"="+c.value {
				return true
			}
		}
	}
	return false
}

// stranger returns a user of whom at most a credential is known.
func (p *userDirectory) stranger(s *recordedExchange) model.User {
	name := p.free("user")
	env := "SONDE_" + strings.ToUpper(name) + "_" + variable(s.cred.name)
	u := model.User{Name: name}
	if s.cred.in == model.InHeader && s.cred.scheme == "" {
		u.Header, u.Env = s.cred.name, env
		return u
	}
	u.Sends = []model.Credential{{In: s.cred.in, Name: s.cred.name, Value: s.cred.scheme + "${" + env + "}"}}
	if strings.EqualFold(s.cred.scheme, "Basic ") {
		u.Sends[0].Value, u.Sends[0].Basic = fmt.Sprintf("${%s_NAME}:${%s_PASSWORD}", env, env), true
	}
	return u
}

var nameField = regexp.MustCompile(`(?i)user|login|mail|name|account`)

// member returns a user who logs in as recorded.
func (p *userDirectory) member(login *recordedExchange, token model.LoginToken) model.User {
	name := "user"
	for _, l := range login.asked {
		if nameField.MatchString(l.called()) && !secret(l.called()) && l.in == model.InBody {
			name = strings.ToLower(variable(strings.SplitN(l.text(), "@", 2)[0]))
			break
		}
	}
	u := model.User{
		Name:  p.free(name),
		Login: &model.Login{Method: login.Request.Method, Path: strings.TrimPrefix(login.Request.URL, login.base)},
	}
	u.Login.Token = &token
	if token.Template == "" {
		u.Login.Token, u.Login.Cookies = nil, true
	}
	if login.call.Body != nil {
		u.Login.Body = p.proof(u.Name, login)
	}
	return u
}

// proof returns the body of a log-in. A secret with which a user registered in the recording is
// sent as recorded; other secrets come from the environment.
func (p *userDirectory) proof(user string, login *recordedExchange) *model.Payload {
	body := *login.call.Body
	if p.registration(login) != nil {
		return &body
	}
	for _, l := range login.asked {
		if l.in != model.InBody || !secret(l.called()) {
			continue
		}
		env := "${SONDE_" + strings.ToUpper(user) + "_" + variable(l.called()) + "}"
		if login.request.isJSON {
			changed, _ := decode([]byte(body.Data))
			if parent, ok := pointer.Lookup(changed, pointer.Parent(l.name)); ok {
				if object, ok := parent.(map[string]any); ok {
					object[l.called()] = env
				}
			}
			body.Data = string(encoded(changed))
		} else {
			body.Data = strings.Replace(body.Data, l.called()+"="+l.text(), l.called()+"="+env, 1)
		}
	}
	return &body
}

// registration returns the write that has the same secret as a log-in, nil if there is none before
// the log-in.
func (p *userDirectory) registration(login *recordedExchange) *recordedExchange {
	if p.snapshot {
		return nil
	}
	for _, l := range login.asked {
		if !secret(l.called()) || l.in != model.InBody {
			continue
		}
		for _, s := range p.all[:login.at] {
			if s.op != nil && s.op != login.op && s.writes() && s.life == login.life && s.before(login) &&
				s.bars == "" &&
				slices.ContainsFunc(s.asked, func(a leaf) bool { return a.in == model.InBody && a.text() == l.text() && a.text() != "" }) {
				return s
			}
		}
	}
	return nil
}

// free returns a name that no user has.
func (p *userDirectory) free(name string) string {
	free := name
	for n := 1; name == "user" && n == 1 || slices.ContainsFunc(p.users, func(u model.User) bool { return u.Name == free }); n++ {
		free = fmt.Sprint(name, n)
	}
	return free
}

var noWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// variable converts a text to a part of a variable name.
func variable(text string) string {
	text = noWord.ReplaceAllString(text[:min(len(text), 40)], "_")
	text = strings.Trim(text, "_")
	if text == "" {
		return "X"
	}
	return strings.ToUpper(text)
}

// text returns a value as a JSON string.
func jsonText(text string) json.RawMessage { return encoded(text) }
