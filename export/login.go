package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// Session is the session of a user who is created or logs in before its calls.
type Session struct {
	Name  string   // the name of the user
	Words []string // the name in words of lower-case ASCII, unique among sessions
	// Steps are the requests that create the user and log in.
	Steps []TestStep
	// Carries has the parts that the session adds to each request: headers, Basic, and the end of a query
	// in Path.
	Carries Request
	secrets []Secret // the environment variables that Steps and Carries read
}

// Join returns the words of the name, joined by a separator.
func (s *Session) Join(between string) string { return strings.Join(s.Words, between) }

// CamelCase returns the name in the form ApiClient.
func (s *Session) CamelCase() string { return camel(append([]string{""}, s.Words...)) }

// loginCaptures are the values that a user's log-in returns. token or cookies is nil if the log-in does not return it.
type loginCaptures struct{ token, cookies *Capture }

// openAll adds the sessions of all users who log in or are created.
func (w *scripter) openAll() {
	for _, u := range w.users {
		if !hasLogin(u) || w.sessionOf[u.Name] != nil {
			continue
		}
		named, secrets := w.secretList, w.secrets
		w.secretList, w.secrets = nil, map[string]bool{}
		s := &Session{Name: u.Name, Words: w.sessionWords(u)}
		s.Steps = w.opening(u, 0, w.taken)
		w.carry(&s.Carries, u)
		s.secrets = w.secretList
		w.secretList, w.secrets = named, secrets
		w.sessionOf[u.Name] = s
		w.sessionList = append(w.sessionList, s)
	}
}

// nameSecrets adds to the script the secrets of the users who make calls in a test. This is necessary if tests share
// sessions, because loginSteps then adds no secrets.
func (w *scripter) nameSecrets(t model.Test) {
	for _, u := range w.users.callersIn(t) {
		if s := w.sessionOf[u.Name]; s != nil {
			for _, v := range s.secrets {
				w.secret(v.Name, v.About, v.Default)
			}
		}
	}
}

// byVariable reports whether the tests take a user's token or cookies from an environment variable instead of logging
// in.
func (l LoginMode) byVariable(u model.User) bool {
	if l != LoginSimple || u.Login == nil {
		return l == LoginByVariable
	}
	basic := slices.ContainsFunc(u.Login.Headers, func(c model.Credential) bool { return c.Basic })
	return u.Login.Cookies || u.Login.Token == nil || u.Login.URL != "" || basic
}

// sessionWords returns words for a user's session that no other session has.
func (w *scripter) sessionWords(u model.User) []string {
	words := ascii(words(u.Name))
	if len(words) == 0 || '0' <= words[0][0] && words[0][0] <= '9' {
		words = append([]string{"user"}, words...)
	}
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	own := slices.Clone(words)
	for i := 2; slices.ContainsFunc(w.sessionList, func(s *Session) bool { return s.Join("") == strings.Join(own, "") }); i++ {
		own = append(slices.Clone(words), fmt.Sprint(i))
	}
	return own
}

// loginSteps returns the first steps of a test: those that create and log in its users. It returns nil if
// tests share sessions.
func (w *scripter) loginSteps(t model.Test, taken names) []TestStep {
	if w.logins == LoginShared || w.logins == LoginSharedByName {
		return nil
	}
	w.loginCaptures = map[string]loginCaptures{}
	var all []TestStep
	done := map[string]bool{}
	for _, c := range t.Calls {
		u, known := w.users.named(c.User)
		if c.Status == 0 || c.User == "" || !known || done[u.Name] || w.logins.byVariable(u) {
			continue
		}
		done[u.Name] = true
		all = append(all, w.opening(u, len(all), taken)...)
	}
	return all
}

// opening returns the steps that create a user and log in. at is the index of the first step.
func (w *scripter) opening(u model.User, at int, taken names) []TestStep {
	var all []TestStep
	who := cmp.Or(strings.Join(ascii(words(u.Name)), " "), "it")
	for i := range u.Creates {
		all = append(all, w.creation(&u.Creates[i], u, "The user "+who+" is created, unless it exists already."))
	}
	w.createdUsers[u.Name] = len(u.Creates) > 0
	if u.Login != nil {
		all = append(all, w.login(u, "The user "+who+" logs in.", at+len(all), taken))
	}
	return all
}

// creation returns the step that creates a user. It accepts a 409 as well as a 2xx. If an earlier step of
// the file creates the same user, it accepts any 4xx, because services use various statuses to refuse a
// second request.
func (w *scripter) creation(l *model.Login, u model.User, about string) TestStep {
	refusals := "409"
	if w.createdUsers[u.Name] {
		refusals = "400-499"
	}
	return TestStep{
		Op: loginOp(l), About: about, CreatesUser: true, Request: w.loginRequest(l, u),
		Assertions: []Assertion{{Kind: AssertStatus, Values: []string{"200-299", refusals}}},
	}
}

// login returns the step that logs in a user. It accepts a redirect, because many services redirect to the
// next page.
func (w *scripter) login(u model.User, about string, at int, taken names) TestStep {
	step := TestStep{
		Op: loginOp(u.Login), About: about, Request: w.loginRequest(u.Login, u),
		Assertions: []Assertion{{Kind: AssertStatus, Values: []string{"200-399"}}},
	}
	take := func(what string, t Capture) *Capture {
		t.Words, t.Step = taken.words(append(words(u.Name), what), []string{"user"}), at
		step.Captures = append(step.Captures, &t)
		return &t
	}
	var gives loginCaptures
	if u.Login.Cookies {
		gives.cookies = take("cookies", Capture{Kind: CaptureCookies})
	}
	if from := u.Login.Token; from != nil {
		t := Capture{Header: from.Header, Pointer: from.Pointer}
		switch {
		case from.Header != "":
			t.Kind = CaptureHeader
		case from.Pointer == "":
			t.Kind = CaptureBody
		}
		gives.token = take("token", t)
	}
	if w.loginCaptures == nil {
		w.loginCaptures = map[string]loginCaptures{}
	}
	w.loginCaptures[u.Name] = gives
	return step
}

// loginOp returns the operation of a log-in. The log-in may be at another host.
func loginOp(l *model.Login) model.OpID {
	path, _, _ := strings.Cut(cmp.Or(l.URL, slashed(l.Path)), "?")
	return model.OpID(l.Method + " " + remark(path, 200))
}

// loginRequest returns the request of a log-in, or a request that creates a user.
func (w *scripter) loginRequest(l *model.Login, u model.User) Request {
	w.about = "the log-in of the user " + quotedRemark(u.Name)
	target := l.URL
	if target == "" {
		target = slashed(l.Path)
	}
	r := Request{Method: l.Method, Path: urlSafe(w.filled(target, w.about)), Template: target}
	if !isMethod(r.Method) {
		w.fail("%q is not an HTTP method", r.Method)
	}
	for _, h := range l.Headers {
		r.addCredential(h, w.filled(h.Value, w.about))
	}
	if l.Body == nil {
		return r
	}
	r.send(loginBody(l), func(parts []part) []TextPart { return w.parts(parts, nil) })
	if len(l.Fields) > 0 && !r.Body.JSON {
		for _, f := range l.Fields {
			r.Body.Form = append(r.Body.Form, MessageField{f.Name, w.filled(f.Value, w.about)})
		}
	}
	return r
}

// escapedText splits a text at "${NAME}" into parts that are escaped for a place.
func (w *scripter) escapedText(text string, as Escaping) []TextPart {
	parts := w.filled(text, w.about)
	if len(parts) == 1 {
		parts[0].Escaping = as
		return parts
	}
	quoted := as == EscapeJSON || as == EscapeNumber
	for i := range parts {
		p := &parts[i]
		switch {
		case p.Variable != "" && as == EscapeForm:
			p.Escaping = EscapeForm
		case p.Variable == "" && as == EscapeForm:
			p.Text = model.EscapeQuery(p.Text)
		case p.Variable == "" && quoted:
			p.Text = strings.TrimSuffix(strings.TrimPrefix(jsonString(p.Text), `"`), `"`)
		}
	}
	if quoted {
		parts = slices.Concat([]TextPart{{Text: `"`}}, parts, []TextPart{{Text: `"`}})
	}
	return parts
}

// GoesToOtherHost reports whether a request goes to another host than the service. Its Path is then a
// complete URL.
func (r Request) GoesToOtherHost() bool {
	return len(r.Path) > 0 && !strings.HasPrefix(r.Path[0].Text, "/")
}

// IsLoginStep reports whether a step creates a user or is a log-in. Other steps are calls of the test.
func (s TestStep) IsLoginStep() bool { return s.About != "" }
