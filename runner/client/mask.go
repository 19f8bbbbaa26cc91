package client

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"sonde/model"
)

// longSecret is how long a secret is that no other text contains by chance. A
// shorter one is masked where it stands alone: a password of "123" must not
// take the digits out of every number.
const longSecret = 8

// mostObtained is how many forms of obtained tokens are remembered: those of
// one log-in, and some more. A service that repeats an older one repeats what has
// ended.
const mostObtained = 5 * mostCookies

// mask takes secrets out of texts: a service that repeats one must not bring it
// to disk or to the screen. It may be used by several goroutines.
type mask struct {
	mu       sync.Mutex
	fixed    []string
	cores    []string // of those
	obtained []string // oldest first
	all      atomic.Pointer[hidden]
}

// hidden is what to look for.
type hidden struct {
	secrets []string // long ones first, so that one within another does no harm
	cores   []string // where none of these is, no secret is
}

// publish makes what is hidden known to those who mask. The lock is held.
func (m *mask) publish() {
	all := slices.Concat(m.fixed, m.obtained)
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	m.all.Store(&hidden{all, slices.Concat(m.cores, m.obtained)})
}

// coresOf returns the texts that have no other one within.
func coresOf(all []string) []string {
	var cores []string
	for _, s := range slices.SortedFunc(slices.Values(all), func(a, b string) int { return len(a) - len(b) }) {
		if !slices.ContainsFunc(cores, func(core string) bool { return strings.Contains(s, core) }) {
			cores = append(cores, s)
		}
	}
	return cores
}

// hide adds a secret, in the forms in which services repeat it.
func (m *mask) hide(secret string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fixed = append(m.fixed, forms(secret)...)
	m.cores = coresOf(m.fixed)
	m.publish()
}

// obtain adds a secret that the service gave out.
func (m *mask) obtain(secret string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.Contains(m.obtained, secret) {
		return
	}
	m.obtained = append(m.obtained, forms(secret)...)
	m.obtained = m.obtained[max(0, len(m.obtained)-mostObtained):]
	m.publish()
}

// forms are a secret as it is, and as URLs and JSON write it.
func forms(secret string) []string {
	if secret == "" {
		return nil
	}
	all := []string{secret}
	quoted, _ := json.Marshal(secret) // a text always marshals
	for _, form := range []string{url.QueryEscape(secret), url.PathEscape(secret), string(quoted[1 : len(quoted)-1])} {
		if !slices.Contains(all, form) {
			all = append(all, form)
		}
	}
	return all
}

// body masks what a message holds.
func (m *mask) body(b []byte) []byte {
	for _, secret := range m.within(func(core string) bool { return bytes.Contains(b, []byte(core)) }) {
		switch {
		case !bytes.Contains(b, []byte(secret)):
		case len(secret) < longSecret:
			b = bytes.ReplaceAll(b, []byte(`"`+secret+`"`), []byte(`"`+model.Masked+`"`))
		default:
			b = bytes.ReplaceAll(b, []byte(secret), []byte(model.Masked))
		}
	}
	return b
}

// text masks a line of text, such as an error's or a header's value.
func (m *mask) text(s string) string {
	for _, secret := range m.within(func(core string) bool { return strings.Contains(s, core) }) {
		switch {
		case !strings.Contains(s, secret):
		case len(secret) >= longSecret:
			s = strings.ReplaceAll(s, secret, model.Masked)
		case s == secret:
			s = model.Masked
		default:
			s = strings.ReplaceAll(s+";", "="+secret+";", "="+model.Masked+";")
			s = s[:len(s)-1]
		}
	}
	return s
}

// within returns what may be hidden in a text, given by what it contains: all
// secrets, or nearly always none.
func (m *mask) within(contains func(core string) bool) []string {
	if all := m.all.Load(); all != nil && slices.ContainsFunc(all.cores, contains) {
		return all.secrets
	}
	return nil
}

// header masks every value, in place.
func (m *mask) header(h map[string][]string) map[string][]string {
	for _, values := range h {
		for i, v := range values {
			values[i] = m.text(v)
		}
	}
	return h
}

// copied masks every value of a copy, if there is something to mask.
func (m *mask) copied(h map[string][]string) map[string][]string {
	secret := func(v string) bool { return m.text(v) != v }
	for _, values := range h {
		if slices.ContainsFunc(values, secret) {
			return m.header(http.Header(h).Clone())
		}
	}
	return h
}

// request masks a copy: a value that the search sends may be a secret by chance,
// or because the spec gives it as an example.
func (m *mask) request(r model.Request) model.Request {
	r.URL, r.Body, r.Header = m.url(r.URL), m.body(r.Body), m.copied(r.Header)
	return r
}

// url masks a path and query: a short secret where it is all of a query's value,
// for a path may well have it as a word.
func (m *mask) url(u string) string {
	for _, secret := range m.within(func(core string) bool { return strings.Contains(u, core) }) {
		switch {
		case !strings.Contains(u, secret):
		case len(secret) >= longSecret:
			u = strings.ReplaceAll(u, secret, model.Masked)
		default:
			u = strings.ReplaceAll(u+"&", "="+secret+"&", "="+model.Masked+"&")
			u = u[:len(u)-1]
		}
	}
	return u
}

// err masks an error's text; it still is what it was.
func (m *mask) err(err error) error {
	if err == nil {
		return nil
	}
	if text := m.text(err.Error()); text != err.Error() {
		return &maskedError{text, err}
	}
	return err
}

type maskedError struct {
	text  string
	cause error
}

func (e *maskedError) Error() string { return e.text }
func (e *maskedError) Unwrap() error { return e.cause }
