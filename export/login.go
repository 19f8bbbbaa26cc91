package export

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
)

// session is what the log-in of a user gives in a test, nil where it gives none.
type session struct{ token, cookies *Take }

// logins are the steps with which a test begins, so that its users can call: the requests
// that make them, and their log-ins.
func (w *scripter) logins(t model.Test, taken names) []Step {
	w.sessions = map[string]session{}
	if w.byVariable {
		return nil
	}
	var all []Step
	done := map[string]bool{}
	for _, c := range t.Calls {
		u, known := w.user(c.User)
		if c.Status == 0 || c.User == "" || !known || done[u.Name] {
			continue
		}
		done[u.Name] = true
		who := cmp.Or(strings.Join(ascii(words(u.Name)), " "), "it")
		for i := range u.Creates {
			all = append(all, w.creation(&u.Creates[i], u, "The user "+who+" is made, who may be there already."))
		}
		if u.Login != nil {
			all = append(all, w.login(u, "The user "+who+" logs in.", len(all), taken))
		}
	}
	return all
}

// creation is the request that makes a user. Services refuse a second one in many ways.
func (w *scripter) creation(l *model.Login, u model.User, about string) Step {
	return Step{
		Op: opOf(l), About: about, Request: w.loginRequest(l, u),
		Wants: []Want{{Kind: WantStatus, Values: []string{"200-299", "400-499"}}},
	}
}

// login is the log-in of a user. Many are answered with a redirect to the page that comes
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
	var gives session
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
	w.sessions[u.Name] = gives
	return step
}

func opOf(l *model.Login) model.OpID {
	path, _, _ := strings.Cut(cmp.Or(l.URL, slashed(l.Path)), "?")
	return model.OpID(l.Method + " " + remark(path, 200))
}

// loginRequest is the request of a log-in, or one that makes a user.
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

// spelled are the variables in a text, and the text between them, as they are sent in
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
