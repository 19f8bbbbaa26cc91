package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// Session is a user who is made, or logs in, before calls carry what proves it.
type Session struct {
	Name  string   // the user's
	Words []string // of lower-case ASCII, which no other session has
	// Steps are the requests that make the user, and its log-in.
	Steps []Step
	// Carries is what requests carry then: headers, in Basic a name and a password, and in Path
	// the end of a query.
	Carries Request
	secrets []Secret
}

// Join joins the words of the name.
func (s *Session) Join(between string) string { return strings.Join(s.Words, between) }

// Camel returns the name like ApiClient.
func (s *Session) Camel() string { return camel(append([]string{""}, s.Words...)) }

// granted is what the log-in of a user gives, nil where it gives none.
type granted struct{ token, cookies *Take }

// opens reports whether a user has to be made or to log in before it calls.
func opens(u model.User) bool { return u.Login != nil || len(u.Creates) > 0 }

// openAll opens the sessions of all users.
func (w *scripter) openAll() {
	for _, u := range w.Users {
		if !opens(u) || w.shared[u.Name] != nil {
			continue
		}
		named, secrets := w.named, w.secrets
		w.named, w.secrets = nil, map[string]bool{}
		s := &Session{Name: u.Name, Words: w.free(u)}
		s.Steps = w.opening(u, 0, w.taken)
		w.carry(&s.Carries, u)
		s.secrets = w.named
		w.named, w.secrets = named, secrets
		w.shared[u.Name] = s
		w.open = append(w.open, s)
	}
}

// needs names the secrets of those who call in a test, where tests share sessions.
func (w *scripter) needs(t model.Test) {
	for _, u := range w.callersOf(t) {
		if s := w.shared[u.Name]; s != nil {
			for _, v := range s.secrets {
				w.secret(v.Name, v.About, v.Default)
			}
		}
	}
}

// byVariable reports whether a variable holds what the log-in of a user gives.
func (l Logins) byVariable(u model.User) bool {
	if l != LoginsPlain || u.Login == nil {
		return l == LoginsByVariable
	}
	basic := slices.ContainsFunc(u.Login.Headers, func(c model.Credential) bool { return c.Basic })
	return u.Login.Cookies || u.Login.Token == nil || u.Login.URL != "" || basic
}

// free returns words for a user that no other session has.
func (w *scripter) free(u model.User) []string {
	words := ascii(words(u.Name))
	if len(words) == 0 || '0' <= words[0][0] && words[0][0] <= '9' {
		words = append([]string{"user"}, words...)
	}
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	own := slices.Clone(words)
	for i := 2; slices.ContainsFunc(w.open, func(s *Session) bool { return s.Join("") == strings.Join(own, "") }); i++ {
		own = append(slices.Clone(words), fmt.Sprint(i))
	}
	return own
}

// logsIn returns the steps with which a test begins where tests share no sessions, so that its users
// can call.
func (w *scripter) logsIn(t model.Test, taken names) []Step {
	if w.logins == LoginsOnce || w.logins == LoginsNamed {
		return nil
	}
	w.gives = map[string]granted{}
	var all []Step
	done := map[string]bool{}
	for _, c := range t.Calls {
		u, known := w.user(c.User)
		if c.Status == 0 || c.User == "" || !known || done[u.Name] || w.logins.byVariable(u) {
			continue
		}
		done[u.Name] = true
		all = append(all, w.opening(u, len(all), taken)...)
	}
	return all
}

// opening returns the requests that make a user, and its log-in, as steps from an index on.
func (w *scripter) opening(u model.User, at int, taken names) []Step {
	var all []Step
	who := cmp.Or(strings.Join(ascii(words(u.Name)), " "), "it")
	for i := range u.Creates {
		all = append(all, w.creation(&u.Creates[i], u, "The user "+who+" is made, unless it is there already."))
	}
	w.made[u.Name] = len(u.Creates) > 0
	if u.Login != nil {
		all = append(all, w.login(u, "The user "+who+" logs in.", at+len(all), taken))
	}
	return all
}

// creation returns the request that makes a user. Services refuse a second one in many ways: only
// where the file made the user before, each refusal says that it is there.
func (w *scripter) creation(l *model.Login, u model.User, about string) Step {
	refusals := "409"
	if w.made[u.Name] {
		refusals = "400-499"
	}
	return Step{
		Op: opOf(l), About: about, Makes: true, Request: w.loginRequest(l, u),
		Wants: []Want{{Kind: WantStatus, Values: []string{"200-299", refusals}}},
	}
}

// login returns the log-in of a user. Many are answered with a redirect to the page that comes
// next.
func (w *scripter) login(u model.User, about string, at int, taken names) Step {
	step := Step{
		Op: opOf(u.Login), About: about, Request: w.loginRequest(u.Login, u),
		Wants: []Want{{Kind: WantStatus, Values: []string{"200-399"}}},
	}
	take := func(what string, t Take) *Take {
		t.Words, t.Step = taken.words(append(words(u.Name), what), []string{"user"}), at
		step.Takes = append(step.Takes, &t)
		return &t
	}
	var gives granted
	if u.Login.Cookies {
		gives.cookies = take("cookies", Take{Kind: TakeCookies})
	}
	if from := u.Login.Token; from != nil {
		t := Take{Header: from.Header, Pointer: from.Pointer}
		switch {
		case from.Header != "":
			t.Kind = TakeHeader
		case from.Pointer == "":
			t.Kind = TakeBody
		}
		gives.token = take("token", t)
	}
	if w.gives == nil {
		w.gives = map[string]granted{}
	}
	w.gives[u.Name] = gives
	return step
}

func opOf(l *model.Login) model.OpID {
	path, _, _ := strings.Cut(cmp.Or(l.URL, slashed(l.Path)), "?")
	return model.OpID(l.Method + " " + remark(path, 200))
}

// loginRequest returns the request of a log-in, or one that makes a user.
func (w *scripter) loginRequest(l *model.Login, u model.User) Request {
	w.about = "what the user " + remark(u.Name, 60) + " logs in with"
	target := l.URL
	if target == "" {
		target = slashed(l.Path)
	}
	r := Request{Method: l.Method, Path: urlSafe(w.filled(target, w.about)), Template: target}
	if !isMethod(r.Method) {
		w.fail("%q is no method", r.Method)
	}
	for _, h := range l.Headers {
		r.prove(h, w.filled(h.Value, w.about))
	}
	if l.Body == nil {
		return r
	}
	r.send(loginBody(l), func(parts []part) []Part { return w.parts(parts, nil) })
	if len(l.Fields) > 0 && !r.Body.JSON {
		for _, f := range l.Fields {
			r.Body.Form = append(r.Body.Form, Field{f.Name, w.filled(f.Value, w.about)})
		}
	}
	return r
}

// spelled returns the variables in a text, and the text between them, as they are sent in
// a place.
func (w *scripter) spelled(text string, as Escape) []Part {
	parts := w.filled(text, w.about)
	if len(parts) == 1 {
		parts[0].As = as
		return parts
	}
	quoted := as == AsJSON || as == AsNumber
	for i := range parts {
		p := &parts[i]
		switch {
		case p.Env != "" && as == AsForm:
			p.As = AsForm
		case p.Env == "" && as == AsForm:
			p.Text = model.EscapeQuery(p.Text)
		case p.Env == "" && quoted:
			p.Text = strings.TrimSuffix(strings.TrimPrefix(spell(p.Text), `"`), `"`)
		}
	}
	if quoted {
		parts = slices.Concat([]Part{{Text: `"`}}, parts, []Part{{Text: `"`}})
	}
	return parts
}

// Elsewhere reports whether a request is sent to another host than the service: then its
// path is a whole URL.
func (r Request) Elsewhere() bool { return len(r.Path) > 0 && !strings.HasPrefix(r.Path[0].Text, "/") }

// LogsIn reports whether a step makes a user or logs one in: it is no call of the test.
func (s Step) LogsIn() bool { return s.About != "" }
