package record

import (
	"crypto/rand"
	"encoding/base64"
	"hash/maphash"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sonde/model"
)

const (
	maxNames   = 10_000
	maxSecrets = 10_000
	longSecret = 8 // minimum bytes of a secret that is masked wherever it occurs
)

// masker replaces secrets by pseudonyms. It is safe for concurrent use.
type masker struct {
	masks Masks
	pseudonyms
	seed maphash.Seed

	mu    sync.RWMutex
	names map[string]bool   // of members, fields and headers: whether they are secret
	known map[string]string // secrets that were seen, with their pseudonyms
	odd   []string          // the known secrets that are not one word
	told  int               // how many secrets were found
}

func newMasker(m Masks) *masker {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return &masker{
		masks:      m,
		pseudonyms: pseudonyms{key},
		seed:       maphash.MakeSeed(),
		names:      map[string]bool{},
		known:      map[string]string{},
	}
}

// hide returns the pseudonym of a secret, which is masked everywhere from now on.
func (m *masker) hide(v string) string {
	m.mu.RLock()
	p, ok := m.known[v]
	m.mu.RUnlock()
	if ok {
		return p
	}
	v = strings.Clone(v)
	p = m.of(v)
	if len(v) < longSecret || p == v {
		return p
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= maxSecrets {
		clear(m.known)
		m.odd = nil
	}
	m.told++
	m.known[v] = p
	if wordEnd(v, &inToken) < len(v) && len(m.odd) < 100 {
		m.odd = append(m.odd, v)
	}
	return p
}

// text masks the secrets in a text.
func (m *masker) text(s string) string {
	s = m.seen(m.named(m.credentials(s)))
	if !m.masks.off[maskEmail] && strings.IndexByte(s, '@') >= 0 {
		s = m.emails(s)
	}
	if !m.masks.off[maskCard] && manyDigits(s) {
		s = cardForm.ReplaceAllStringFunc(s, func(v string) string {
			if isCard(v) {
				return m.card(v)
			}
			return v
		})
	}
	for _, r := range m.masks.texts {
		s = r.ReplaceAllStringFunc(s, m.hide)
	}
	return s
}

// emails masks e-mail addresses, but not the user name in a URL.
func (m *masker) emails(s string) string {
	var out strings.Builder
	done := 0
	for _, at := range emailForm.FindAllStringIndex(s, -1) {
		if inURL(s[:at[0]]) {
			continue
		}
		out.WriteString(s[done:at[0]])
		out.WriteString(m.of(s[at[0]:at[1]]))
		done = at[1]
	}
	if done == 0 {
		return s
	}
	out.WriteString(s[done:])
	return out.String()
}

// inURL reports whether a text ends between a URL's scheme and its host.
func inURL(s string) bool {
	const most = 200
	s = s[max(0, len(s)-most):]
	_, rest, ok := strings.Cut(s[strings.LastIndexAny(s, " \t\n\"'<")+1:], "://")
	return ok && !strings.ContainsAny(rest, "/?#")
}

// value masks a value with a name.
func (m *masker) value(name, v string) string {
	if v != "" && m.secret(name) {
		return m.hide(v)
	}
	if len(v) > 1 && (v[0] == '{' || v[0] == '[') {
		if now, ok := m.json([]byte(v)); ok { // a string may contain JSON
			return string(now)
		}
	}
	return m.text(v)
}

// number masks a number with a name. Fractions are not masked.
func (m *masker) number(name, v string) string {
	switch {
	case wordEnd(v, &inWhole) < len(v):
		return v
	case m.secret(name):
		return m.hide(v)
	case !m.masks.off[maskCard] && isCard(v):
		return m.card(v)
	}
	return m.seen(v)
}

// pairs masks a query or a form.
func (m *masker) pairs(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, raw, _ := strings.Cut(part, "=")
		v, err := url.QueryUnescape(raw)
		plain, bad := url.QueryUnescape(name)
		if err != nil || bad != nil {
			parts[i] = m.text(part)
		} else if now := m.value(plain, v); now != v {
			parts[i] = name + "=" + url.QueryEscape(now)
		}
	}
	return strings.Join(parts, "&")
}

// url masks a path with its query.
func (m *masker) url(target string) string {
	if rest, fragment, ok := strings.Cut(target, "#"); ok {
		return m.url(rest) + "#" + m.pairs(fragment)
	}
	where, query, asked := strings.Cut(target, "?")
	parts := strings.Split(where, "/")
	for i, part := range parts {
		segment, parameters, more := strings.Cut(part, ";") // such as ;jsessionid=
		if v, err := url.PathUnescape(segment); err == nil {
			if now := m.text(v); now != v {
				parts[i] = url.PathEscape(now)
				if more {
					parts[i] += ";" + parameters
				}
			}
		}
		if more {
			parts[i] = strings.TrimSuffix(parts[i], parameters) + m.named(parameters)
		}
	}
	where = strings.Join(parts, "/")
	if !asked {
		return where
	}
	return where + "?" + m.pairs(query)
}

// header masks headers. If something changes, it returns a new map.
func (m *masker) header(h map[string][]string) map[string][]string {
	var out http.Header
	for name, values := range h {
		for i, v := range values {
			if now := m.headerValue(name, v); now != v {
				if out == nil {
					out = http.Header(h).Clone()
				}
				out[name][i] = now
			}
		}
	}
	if out == nil {
		return h
	}
	return out
}

func (m *masker) headerValue(name, v string) string {
	switch {
	case m.masks.headers[name]:
		return m.hide(v)
	case name == "Authorization" || name == "Proxy-Authorization":
		if m.masks.off[maskAuthorization] {
			return v
		}
		return m.authorization(v)
	case (name == "Cookie" || name == "Set-Cookie") && m.masks.off[maskCookie]:
		return v
	case name == "Cookie":
		parts := strings.Split(v, ";")
		for i, part := range parts {
			parts[i] = m.cookie(part)
		}
		return strings.Join(parts, ";")
	case name == "Set-Cookie":
		pair, attributes, more := strings.Cut(v, ";")
		if more {
			attributes = ";" + attributes
		}
		return m.cookie(pair) + attributes
	case name == "Location" || name == "Content-Location" || name == "Referer":
		return m.address(v)
	case v != "" && !m.masks.off[maskSecret] && secretHeader(name):
		return m.hide(v)
	}
	return m.value(name, v)
}

// authorization masks what follows the scheme.
func (m *masker) authorization(v string) string {
	scheme, rest, ok := strings.Cut(v, " ")
	if !ok {
		return m.hide(v)
	}
	if strings.EqualFold(scheme, "Basic") {
		if pair, err := base64.StdEncoding.DecodeString(rest); err == nil {
			name, password, _ := strings.Cut(string(pair), ":")
			return scheme + " " + base64.StdEncoding.EncodeToString([]byte(m.text(name)+":"+m.hide(password)))
		}
	}
	return scheme + " " + m.hide(rest)
}

// cookie masks the value of a cookie.
func (m *masker) cookie(pair string) string {
	name, secret, ok := strings.Cut(pair, "=")
	if !ok || secret == "" {
		return pair
	}
	return name + "=" + m.hide(secret)
}

// address masks a URL.
func (m *masker) address(v string) string {
	scheme, rest, ok := strings.Cut(v, "://")
	if !ok {
		return m.url(v)
	}
	at := strings.IndexAny(rest, "/?#")
	if at < 0 {
		at = len(rest)
	}
	host := rest[:at]
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		name, password, ok := strings.Cut(host[:i], ":")
		if ok && !m.masks.off[maskAuthorization] {
			name += ":" + url.QueryEscape(m.hide(unescaped(password)))
		}
		host = name + host[i:]
	}
	return scheme + "://" + host + m.url(rest[at:])
}

// unescaped returns a text without the escapes of a URL, if it has valid ones.
func unescaped(raw string) string {
	if v, err := url.PathUnescape(raw); err == nil {
		return v
	}
	return raw
}

// name returns a short pseudonym that only shows whether two values are equal.
func (m *masker) name(lead, v string) string {
	return lead + strconv.FormatUint(maphash.String(m.seed, v), 36)
}

// masked is a request with its secrets masked.
type masked struct {
	url    string
	header map[string][]string
	body   []byte
	told   int // secrets known when it was masked
}

// request masks a request. Headers come first: a secret in them may also be in the body.
func (m *masker) request(q model.Request) *masked {
	header := m.header(q.Header)
	told := m.secrets()
	body := m.body(q.Body, q.Header)
	return &masked{url: m.url(q.URL), header: header, body: body, told: told}
}

// secrets returns how many secrets were found so far.
func (m *masker) secrets() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.told
}

// exchange masks an exchange. If its request was masked early, that is used, unless a secret was
// found since.
func (m *masker) exchange(x model.Exchange, early *masked) model.Exchange {
	q, a := &x.Request, &x.Reply
	if early == nil {
		early = m.request(*q)
	}
	header := m.header(a.Header)
	a.Header, a.Body = header, m.body(a.Body, a.Header)
	if early.told != m.secrets() {
		early = m.request(*q)
	}
	q.URL, q.Header, q.Body = early.url, early.header, early.body
	return x
}

// turns masks messages of raw TCP or UDP.
func (m *masker) turns(all []model.MessagePair) []model.MessagePair {
	all = slices.Clone(all)
	for i, t := range all {
		all[i] = model.MessagePair{Request: m.said(t.Request), Answer: m.said(t.Answer)}
	}
	return all
}

func (m *masker) said(words []byte) []byte {
	if len(words) == 0 {
		return nil
	}
	return m.body(words, nil)
}
