package client

import (
	"net/http"
	"net/url"
	"strings"
	"sync"

	"sonde/model"
)

// maxCallers bounds how many credentials of log-ins are remembered.
const maxCallers = 1000

// CallerIndex identifies the user who sent a request to the service, by the credentials in it.
// It is safe for concurrent use.
type CallerIndex struct {
	all []resolvedUser

	mu    sync.RWMutex
	given map[model.Credential]string // to users by observed log-ins
}

// NewCallerIndex returns an index of the users whose secrets are set in the environment.
func NewCallerIndex(users []model.User) *CallerIndex {
	c := &CallerIndex{given: map[model.Credential]string{}}
	for _, u := range users {
		if f, err := fill(u); err == nil {
			c.all = append(c.all, f)
		}
	}
	return c
}

// UserOf returns the name of the user who sent a request, or "" if it is unknown.
func (c *CallerIndex) UserOf(r model.Request) string {
	sent := proofOf(r)
	for _, u := range c.all {
		if len(u.sends) > 0 && u.login == nil && sent.hasAll(u.sends) {
			return u.name
		}
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if len(c.given) == 0 {
		return ""
	}
	for _, k := range sent.all() {
		if name, ok := c.given[k]; ok {
			return name
		}
	}
	return ""
}

// LearnLogin records the credentials that an observed log-in gave to its user.
func (c *CallerIndex) LearnLogin(x model.Exchange) {
	for _, u := range c.all {
		if u.login == nil || !u.asks(x.Request) {
			continue
		}
		got, problem := obtained(u.login, x.Reply)
		if problem != "" {
			continue
		}
		c.mu.Lock()
		if len(c.given) > maxCallers {
			clear(c.given)
		}
		for _, p := range got {
			c.given[canonical(p.Credential)] = u.name
		}
		c.mu.Unlock()
	}
}

// asks reports whether a request is the user's log-in: it contains all of its secrets.
func (f resolvedUser) asks(r model.Request) bool {
	path, _, _ := strings.Cut(r.URL, "?")
	own := f.login.Path
	if f.login.URL != "" {
		if u, err := url.Parse(f.login.URL); err == nil {
			own = u.Path
		}
	}
	own, _, _ = strings.Cut(own, "?")
	if r.Method != f.login.Method || !strings.HasSuffix(path, own) || len(f.secrets) == 0 {
		return false
	}
	said := r.URL + "\n" + string(r.Body)
	for _, values := range r.Header {
		said += "\n" + strings.Join(values, "\n")
	}
	for _, secret := range f.secrets {
		if !strings.Contains(said, secret) {
			return false
		}
	}
	return true
}

// requestCredentials is where a request may carry credentials.
type requestCredentials struct {
	header  http.Header
	query   string
	cookies []*http.Cookie
}

func proofOf(r model.Request) requestCredentials {
	c := requestCredentials{header: r.Header}
	_, c.query, _ = strings.Cut(r.URL, "?")
	if len(r.Header["Cookie"]) > 0 {
		c.cookies = (&http.Request{Header: c.header}).Cookies()
	}
	return c
}

// asked returns the parameters of the query that can be parsed.
func (c requestCredentials) asked() url.Values {
	all, _ := url.ParseQuery(c.query)
	return all
}

// hasAll reports whether the request carries all of the credentials.
func (c requestCredentials) hasAll(all []model.Credential) bool {
	for _, k := range all {
		if !c.has(k) {
			return false
		}
	}
	return true
}

func (c requestCredentials) has(k model.Credential) bool {
	switch k.In {
	case model.InQuery:
		return c.asked().Get(k.Name) == k.Value
	case model.InCookie:
		for _, own := range c.cookies {
			if own.Name == k.Name && own.Value == k.Value {
				return true
			}
		}
		return false
	}
	return c.header.Get(k.Name) == k.Value
}

// all returns everything in the request that may be a credential.
func (c requestCredentials) all() (all []model.Credential) {
	for name, values := range c.header {
		all = append(all, model.Credential{In: model.InHeader, Name: name, Value: values[0]})
	}
	for name, values := range c.asked() {
		all = append(all, model.Credential{In: model.InQuery, Name: name, Value: values[0]})
	}
	for _, k := range c.cookies {
		all = append(all, model.Credential{In: model.InCookie, Name: k.Name, Value: k.Value})
	}
	return all
}

// canonical returns a credential in the form in which all returns it.
func canonical(k model.Credential) model.Credential {
	if k.In == model.InHeader {
		k.Name = http.CanonicalHeaderKey(k.Name)
	}
	return model.Credential{In: k.In, Name: k.Name, Value: k.Value}
}
