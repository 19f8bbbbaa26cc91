package client

import (
	"net/http"
	"net/url"
	"strings"
	"sync"

	"sonde/model"
)

// maxCallers limits the credentials of observed log-ins. A CallerIndex that has more credentials forgets all of them
// at the next log-in.
const maxCallers = 1000

// CallerIndex identifies the user who sent a request to the service, by the credentials in it.
// It is safe for concurrent use.
type CallerIndex struct {
	users []resolvedUser

	mu     sync.RWMutex
	issued map[model.Credential]string // credential that an observed log-in returned → name of its user
}

// NewCallerIndex returns an index of users. It leaves out a user whose credentials are invalid or
// not set in the environment.
func NewCallerIndex(users []model.User) *CallerIndex {
	c := &CallerIndex{issued: map[model.Credential]string{}}
	for _, u := range users {
		if f, err := resolveUser(u); err == nil {
			c.users = append(c.users, f)
		}
	}
	return c
}

// UserOf returns the name of the user who sent a request, or "" if the credentials in the request
// are those of no user.
func (c *CallerIndex) UserOf(r model.Request) string {
	sent := credentialsOf(r)
	for _, u := range c.users {
		if len(u.sends) > 0 && u.login == nil && sent.hasAll(u.sends) {
			return u.name
		}
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if len(c.issued) == 0 {
		return ""
	}
	for _, k := range sent.all() {
		if name, ok := c.issued[k]; ok {
			return name
		}
	}
	return ""
}

// LearnLogin records the credentials in the answer of an exchange, if the request is a user's
// log-in.
func (c *CallerIndex) LearnLogin(x model.Exchange) {
	for _, u := range c.users {
		if u.login == nil || !u.isLogin(x.Request) {
			continue
		}
		got, problem := extractCredentials(u.login, x.Reply)
		if problem != "" {
			continue
		}
		c.mu.Lock()
		if len(c.issued) > maxCallers {
			clear(c.issued)
		}
		for _, p := range got {
			c.issued[canonical(p.Credential)] = u.name
		}
		c.mu.Unlock()
	}
}

// isLogin reports whether a request is the user's log-in: it has the log-in's method, its path ends
// with the log-in's path, and it contains all secrets of the user. It is false for a user without
// secrets. The user must have a log-in.
func (u resolvedUser) isLogin(r model.Request) bool {
	path, _, _ := strings.Cut(r.URL, "?")
	own := u.login.Path
	if u.login.URL != "" {
		if elsewhere, err := url.Parse(u.login.URL); err == nil {
			own = elsewhere.Path
		}
	}
	own, _, _ = strings.Cut(own, "?")
	if r.Method != u.login.Method || !strings.HasSuffix(path, own) || len(u.secrets) == 0 {
		return false
	}
	text := r.URL + "\n" + string(r.Body)
	for _, values := range r.Header {
		text += "\n" + strings.Join(values, "\n")
	}
	for _, secret := range u.secrets {
		if !strings.Contains(text, secret) {
			return false
		}
	}
	return true
}

// requestCredentials has the parts of a request that may contain credentials.
type requestCredentials struct {
	header  http.Header
	query   string
	cookies []*http.Cookie
}

func credentialsOf(r model.Request) requestCredentials {
	c := requestCredentials{header: r.Header}
	_, c.query, _ = strings.Cut(r.URL, "?")
	if len(r.Header["Cookie"]) > 0 {
		c.cookies = (&http.Request{Header: c.header}).Cookies()
	}
	return c
}

// queryValues returns the parameters of the query, without those that cannot be parsed.
func (r requestCredentials) queryValues() url.Values {
	all, _ := url.ParseQuery(r.query)
	return all
}

// hasAll reports whether the request has all of the credentials.
func (r requestCredentials) hasAll(all []model.Credential) bool {
	for _, k := range all {
		if !r.has(k) {
			return false
		}
	}
	return true
}

func (r requestCredentials) has(k model.Credential) bool {
	switch k.In {
	case model.InQuery:
		return r.queryValues().Get(k.Name) == k.Value
	case model.InCookie:
		for _, own := range r.cookies {
			if own.Name == k.Name && own.Value == k.Value {
				return true
			}
		}
		return false
	}
	return r.header.Get(k.Name) == k.Value
}

// all returns everything in the request that may be a credential: each cookie, and the first value of
// each header and query parameter.
func (r requestCredentials) all() (all []model.Credential) {
	for name, values := range r.header {
		if len(values) > 0 { // a recording may have a header without values
			all = append(all, model.Credential{In: model.InHeader, Name: name, Value: values[0]})
		}
	}
	for name, values := range r.queryValues() {
		all = append(all, model.Credential{In: model.InQuery, Name: name, Value: values[0]})
	}
	for _, k := range r.cookies {
		all = append(all, model.Credential{In: model.InCookie, Name: k.Name, Value: k.Value})
	}
	return all
}

// canonical returns a credential in the form that requestCredentials.all returns: with only its
// place, name and value, and the header name in canonical form.
func canonical(k model.Credential) model.Credential {
	if k.In == model.InHeader {
		k.Name = http.CanonicalHeaderKey(k.Name)
	}
	return model.Credential{In: k.In, Name: k.Name, Value: k.Value}
}
