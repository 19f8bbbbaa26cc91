package client

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"sonde/model"
	"sonde/runner/target/redact"
)

// maxObtained is the number of the newest secrets from log-ins that a mask always keeps. One log-in can set that many
// cookies. When there are twice as many secrets, the mask drops the older half, because these secrets have most
// likely expired.
const maxObtained = maxCookies

// mask removes secrets from texts, so that a secret that the service repeats is neither stored nor
// shown. It knows the exact secrets: those of the users' configuration, and those that log-ins
// returned. It is safe for concurrent use.
//
// The masker of package runner/replay/record has another task: it finds unknown secrets in real
// traffic, by the names of fields and headers.
type mask struct {
	mu       sync.Mutex
	known    map[string]bool                // the secrets in fixed and obtained
	fixed    []redact.Secret                // secrets in the users' configuration
	obtained []issuedSecret                 // secrets in answers to log-ins, oldest first
	all      atomic.Pointer[redact.Matcher] // finds all secrets in fixed and obtained; nil if there are none
}

// issuedSecret is a secret from the answer to a log-in.
type issuedSecret struct {
	text   string
	secret redact.Secret
}

// publish rebuilds the matcher from all secrets. The caller holds m.mu.
func (m *mask) publish() {
	all := slices.Clone(m.fixed)
	for _, g := range m.obtained {
		all = append(all, g.secret)
	}
	m.all.Store(redact.Compile(all))
}

// note adds a secret to m.known and reports whether the secret is new. The caller holds m.mu.
func (m *mask) note(secret string) bool {
	if secret == "" || m.known[secret] {
		return false
	}
	if m.known == nil {
		m.known = map[string]bool{}
	}
	m.known[secret] = true
	return true
}

// hide adds a secret from a user's configuration.
func (m *mask) hide(secret string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.note(secret) {
		m.fixed = append(m.fixed, redact.NewSecret(secret))
		m.publish()
	}
}

// obtain adds a secret from the answer to a log-in. Of many such secrets, it keeps only the newest.
func (m *mask) obtain(secret string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.note(secret) {
		return
	}
	g := issuedSecret{text: secret, secret: redact.NewSecret(secret)}
	m.obtained = append(m.obtained, g)
	if len(m.obtained) < 2*maxObtained {
		m.all.Store(m.matcher().WithSecret(g.secret))
		return
	}
	for len(m.obtained) > maxObtained {
		delete(m.known, m.obtained[0].text)
		m.obtained = m.obtained[1:]
	}
	m.publish()
}

// none is a matcher without secrets.
var none redact.Matcher

func (m *mask) matcher() *redact.Matcher {
	if all := m.all.Load(); all != nil {
		return all
	}
	return &none
}

// body masks the body of a message. cut is true if the end of the body was not read.
func (m *mask) body(b []byte, cut bool) []byte { return m.matcher().MaskBytes(b, cut) }

// text masks a line of text, such as an error or a header's value.
func (m *mask) text(s string) string { return m.matcher().MaskText(s, redact.LineText) }

// url masks a path and query.
func (m *mask) url(u string) string { return m.matcher().MaskText(u, redact.URLText) }

// header masks all values in place and returns h.
func (m *mask) header(h map[string][]string) map[string][]string {
	for _, values := range h {
		for i, v := range values {
			values[i] = m.text(v)
		}
	}
	return h
}

// copied returns a masked copy of h, or h itself if it contains no secret.
func (m *mask) copied(h map[string][]string) map[string][]string {
	secret := func(v string) bool { return m.text(v) != v }
	for _, values := range h {
		if slices.ContainsFunc(values, secret) {
			return m.header(http.Header(h).Clone())
		}
	}
	return h
}

// request returns a masked copy of a request. A value that the search made up may equal a secret by
// chance, or because the spec has the secret as an example.
func (m *mask) request(r model.Request) model.Request {
	r.URL, r.Body, r.Header = m.url(r.URL), m.body(r.Body, false), m.copied(r.Header)
	return r
}

// MaskContacts masks the secrets in the messages that the service sent to hosts, and returns the masked contacts. The
// service may pass on a user's secret.
func (c *Client) MaskContacts(all []model.Contact) []model.Contact {
	m := &c.mask
	if m.all.Load() == nil {
		return all
	}
	all = slices.Clone(all)
	for i, x := range all {
		all[i].Request, all[i].Data = m.request(x.Request), m.body(x.Data, false)
	}
	return all
}

// err returns an error that has the masked text of err and unwraps to err. It returns err itself if the text has no
// secret.
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
