package client

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"

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
	mu       sync.RWMutex
	fixed    []string // long ones first, so that one within another does no harm
	obtained []string // oldest first
}

// hide adds a secret, in the forms in which services repeat it.
func (m *mask) hide(secret string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fixed = append(m.fixed, forms(secret)...)
	slices.SortFunc(m.fixed, func(a, b string) int { return len(b) - len(a) })
	m.fixed = slices.Compact(m.fixed)
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
	m.each(func(secret string) {
		if len(secret) < longSecret {
			b = replace(b, `"`+secret+`"`, `"`+model.Masked+`"`)
		} else {
			b = replace(b, secret, model.Masked)
		}
	})
	return b
}

func replace(b []byte, old, new string) []byte {
	if !bytes.Contains(b, []byte(old)) {
		return b
	}
	return bytes.ReplaceAll(b, []byte(old), []byte(new))
}

// text masks a line of text, such as an error's or a header's value.
func (m *mask) text(s string) string {
	m.each(func(secret string) {
		switch {
		case len(secret) >= longSecret:
			s = strings.ReplaceAll(s, secret, model.Masked)
		case s == secret:
			s = model.Masked
		default:
			s = strings.ReplaceAll(s+";", "="+secret+";", "="+model.Masked+";")
			s = s[:len(s)-1]
		}
	})
	return s
}

func (m *mask) each(do func(secret string)) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, s := range m.fixed {
		do(s)
	}
	for _, s := range m.obtained {
		do(s)
	}
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

// request masks a copy: a value that the search sends may be a secret by chance,
// or because the spec gives it as an example.
func (m *mask) request(r model.Request) model.Request {
	r.URL, r.Body = m.url(r.URL), m.body(r.Body)
	header := make(map[string][]string, len(r.Header))
	for name, values := range r.Header {
		header[name] = slices.Clone(values)
	}
	r.Header = m.header(header)
	return r
}

// url masks a path and query: a short secret where it is all of a query's value,
// for a path may well have it as a word.
func (m *mask) url(u string) string {
	m.each(func(secret string) {
		if len(secret) >= longSecret {
			u = strings.ReplaceAll(u, secret, model.Masked)
		} else {
			u = strings.ReplaceAll(u+"&", "="+secret+"&", "="+model.Masked+"&")
			u = u[:len(u)-1]
		}
	})
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
