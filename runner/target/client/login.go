package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/pointer"
)

// LoginError is the error of a request that logs a user in, if the service refused it or answered
// without credentials. It is also the error of a refused request that creates a user.
type LoginError struct {
	User    string
	Request string // such as "POST /login"
	Text    string // such as "answered 401: no such user"
	// Creating is true for a request that creates the user, false for a log-in.
	Creating bool
}

func (e *LoginError) Error() string {
	if e.Creating {
		return fmt.Sprintf(
			"user %q cannot be created: %s %s: correct createUsers, or remove it if the user exists", e.User,
			e.Request, e.Text,
		)
	}
	return fmt.Sprintf("user %q cannot log in: %s %s", e.User, e.Request, e.Text)
}

// checkLoginURL returns an error if the URL of a log-in at another host is invalid or not allowed.
func checkLoginURL(where string, hosts []string) error {
	u, err := url.Parse(where)
	if err != nil {
		return fmt.Errorf("%q is not a URL", where)
	}
	u.RawQuery, u.Fragment = "", ""
	_, err = CheckURL(u.String(), hosts)
	return err
}

// logIn sends a user's log-in and stores the credentials from the answer in u. The caller holds
// u.mu.
func (s *sender) logIn(u *session) error {
	reply, err := s.sendLogin(u.login)
	if err != nil {
		return s.unanswered(u.name, err)
	}
	got, problem := extractCredentials(u.login, reply)
	if problem != "" {
		u.failed++
		return &LoginError{User: u.name, Request: s.mask.text(loginRequest(u.login)), Text: s.mask.text(problem)}
	}
	for _, o := range got {
		s.mask.obtain(o.secret)
	}
	u.obtained = nil
	for _, o := range got {
		u.obtained = append(u.obtained, o.Credential)
	}
	u.loggedIn, u.everLoggedIn, u.failed, u.accepted = true, true, 0, false
	return nil
}

// loginRequest describes the request of a log-in, such as "POST /login".
func loginRequest(l *model.Login) string {
	if l.URL != "" {
		u, _ := url.Parse(l.URL) // cannot fail, because checkLoginURL accepted the URL
		return l.Method + " " + u.Host + u.Path
	}
	path, _, _ := strings.Cut(l.Path, "?")
	return l.Method + " " + path
}

// sendLogin sends a log-in, or a request that creates a user, and retries it if the service asks for
// that. The requests count against the budget of log-ins.
func (s *sender) sendLogin(l *model.Login) (model.Reply, error) {
	r := model.Request{Method: l.Method, URL: l.Path, Header: map[string][]string{"Accept": {"*/*"}}}
	if l.Body != nil {
		r.Body = []byte(l.Body.Data)
		r.Header["Content-Type"] = []string{l.Body.Media}
	}
	if l.URL == "" {
		r = s.withHeaders(r)
	}
	x := s.sendWithRetries(outgoing{Request: r, elsewhere: l.URL, credentials: l.Headers, take: s.takeLogin})
	return x.Reply, x.Err
}

// loginCredential is a credential from the answer to a log-in, and the secret that it contains.
type loginCredential struct {
	model.Credential
	secret string
}

// extractCredentials returns the credentials in the answer to a log-in. If there are none, problem says
// why; otherwise it is "".
func extractCredentials(l *model.Login, reply model.Reply) (got []loginCredential, problem string) {
	if reply.Status >= 400 || reply.Status < 200 {
		return nil, strings.TrimSuffix(fmt.Sprintf("answered %d: %s", reply.Status, model.Excerpt(reply.Body)), ": ")
	}
	if to := header(reply, "Location"); reply.Status >= 300 && strings.Contains(to, "error") {
		return nil, fmt.Sprintf("answered %d and redirects to %q: is the password right?", reply.Status, to)
	}
	if l.Cookies {
		got = cookies(reply)
		if len(got) == 0 && l.Token == nil {
			return nil, fmt.Sprintf(
				"answered %d and set no cookie: extract a token from its answer instead, or correct the request",
				reply.Status,
			)
		}
	}
	if t := l.Token; t != nil {
		secret, place := tokenIn(*t, reply)
		if secret == "" {
			return nil, fmt.Sprintf("answered %d, but has no token %s: correct extractSelector or the request", reply.Status, place)
		}
		value := strings.ReplaceAll(t.Template, model.TokenPlaceholder, secret)
		got = append(got, loginCredential{model.Credential{In: t.In, Name: t.Name, Value: value}, secret})
	}
	return got, ""
}

// maxCookies is how many cookies a user keeps; later ones are ignored. It is the number that every
// browser must support for one host (RFC 6265, section 6.1).
const maxCookies = 50

// cookies returns the cookies that an answer sets. If an answer sets a name twice, the last value
// counts. A cookie that the answer deletes is left out.
func cookies(reply model.Reply) []loginCredential {
	var all []loginCredential
	for _, k := range (&http.Response{Header: reply.Header}).Cookies() {
		is := loginCredential{model.Credential{In: model.InCookie, Name: k.Name, Value: k.Value}, k.Value}
		at := slices.IndexFunc(all, func(p loginCredential) bool { return p.Name == k.Name })
		switch ends := deletes(k, time.Now()); {
		case at >= 0 && ends:
			all = slices.Delete(all, at, at+1)
		case at >= 0:
			all[at] = is
		case !ends && len(all) < maxCookies:
			all = append(all, is)
		}
	}
	return all
}

// deletes reports whether an answer deletes a cookie: its value is empty, its Max-Age is 0 or less, or its Expires is in
// the past. Max-Age has precedence over Expires (RFC 6265, section 5.3).
func deletes(k *http.Cookie, now time.Time) bool {
	expired := k.MaxAge == 0 && !k.Expires.IsZero() && !k.Expires.After(now) // net/http sets MaxAge to -1 for "Max-Age=0"
	return k.Value == "" || k.MaxAge < 0 || expired
}

// tokenIn returns the token in an answer, "" if there is none. place is where the token should be,
// in words for an error.
func tokenIn(t model.LoginToken, reply model.Reply) (token, place string) {
	if t.Header != "" {
		return printable(header(reply, textproto.CanonicalMIMEHeaderKey(t.Header))), fmt.Sprintf("in the header %q", t.Header)
	}
	place = fmt.Sprintf("at %q in its body", t.Pointer)
	body := decode(reply.Body)
	if body == nil && t.Pointer == "" {
		return printable(string(reply.Body)), place
	}
	value, _ := pointer.Lookup(body, t.Pointer)
	switch v := value.(type) {
	case string:
		return printable(v), place
	case json.Number:
		return v.String(), place
	}
	return "", place
}
