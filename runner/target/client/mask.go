package client

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"sonde/model"
	"sonde/runner/target/redact"
)

// maxObtained is how many obtained secrets are remembered at least: those of one log-in. At
// twice as many the oldest are forgotten, which have expired by then.
const maxObtained = maxCookies

// mask removes secrets from texts, so that a secret which the service repeats reaches neither
// the disk nor the screen. It is safe for concurrent use.
type mask struct {
	mu       sync.Mutex
	known    map[string]bool // the secrets in the fields below
	fixed    []redact.Secret
	obtained []issuedSecret // oldest first
	all      atomic.Pointer[redact.Matcher]
}

// issuedSecret is a secret that the service gave out.
type issuedSecret struct {
	text   string
	secret redact.Secret
}

// publish rebuilds the matcher from all secrets. The mutex is held.
func (m *mask) publish() {
	all := slices.Clone(m.fixed)
	for _, g := range m.obtained {
		all = append(all, g.secret)
	}
	m.all.Store(redact.Compile(all))
}

// note adds a secret to known and reports whether it is new. The mutex is held.
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

// hide adds a secret.
func (m *mask) hide(secret string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.note(secret) {
		m.fixed = append(m.fixed, redact.NewSecret(secret))
		m.publish()
	}
}

// obtain adds a secret that the service gave out.
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

// none is the matcher without secrets.
var none redact.Matcher

func (m *mask) matcher() *redact.Matcher {
	if all := m.all.Load(); all != nil {
		return all
	}
	return &none
}

// body masks the body of a message, of which the end may be cut off.
func (m *mask) body(b []byte, cut bool) []byte { return m.matcher().MaskBytes(b, cut) }

// text masks a line of text, such as an error or the value of a header.
func (m *mask) text(s string) string { return m.matcher().MaskText(s, redact.LineText) }

// url masks a path and query.
func (m *mask) url(u string) string { return m.matcher().MaskText(u, redact.URLText) }

// header masks every value, in place.
func (m *mask) header(h map[string][]string) map[string][]string {
	for _, values := range h {
		for i, v := range values {
			values[i] = m.text(v)
		}
	}
	return h
}

// copied returns a copy with all values masked, or h itself if there are no secrets.
func (m *mask) copied(h map[string][]string) map[string][]string {
	secret := func(v string) bool { return m.text(v) != v }
	for _, values := range h {
		if slices.ContainsFunc(values, secret) {
			return m.header(http.Header(h).Clone())
		}
	}
	return h
}

// request masks a copy of a request: a value that the search sends may equal a secret by chance,
// or because the spec has it as an example.
func (m *mask) request(r model.Request) model.Request {
	r.URL, r.Body, r.Header = m.url(r.URL), m.body(r.Body, false), m.copied(r.Header)
	return r
}

// MaskContacts masks what the service sent to hosts, as it may pass on a user's secret.
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

// err masks the text of an error, which still unwraps to its cause.
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
