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
	"sonde/runner/target/redact"
)

// Limits of what a masker remembers.
const (
	maxNames   = 10_000
	maxSecrets = 10_000
)

// masker replaces the secrets in recorded traffic by pseudonyms. It finds secrets by the names of fields
// and headers, and by their form. It is safe for concurrent use.
//
// Package runner/target/redact has another task: it replaces given secrets of the user by "***".
type masker struct {
	masks Masks
	pseudonyms
	seed maphash.Seed

	mu          sync.RWMutex
	names       map[string]bool   // whether a member, field or header with this name is secret
	known       map[string]string // pseudonyms of the secrets that were masked, by the secret
	knownTexts  []string          // the known secrets that are not a single token, at most 100
	secretCount int               // number of secrets that were ever added to known
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

// pseudonymFor returns the pseudonym of a secret, and remembers the secret: from now on it is masked wherever it
// occurs, if it is long enough. When there are maxSecrets of them, pseudonymFor forgets all.
func (m *masker) pseudonymFor(v string) string {
	m.mu.RLock()
	p, ok := m.known[v]
	m.mu.RUnlock()
	if ok {
		return p
	}
	v = strings.Clone(v)
	p = m.of(v)
	if len(v) < redact.LongSecret || p == v {
		return p
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= maxSecrets {
		clear(m.known)
		m.knownTexts = nil
	}
	m.secretCount++
	m.known[v] = p
	if wordEnd(v, &inToken) < len(v) && len(m.knownTexts) < 100 {
		m.knownTexts = append(m.knownTexts, v)
	}
	return p
}

// text masks the secrets in a text.
func (m *masker) text(s string) string {
	s = m.knownSecrets(m.namedValues(m.credentials(s)))
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
		s = r.ReplaceAllStringFunc(s, m.pseudonymFor)
	}
	return s
}

// emails masks e-mail addresses, except for "user@host" in a URL.
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

// inURL reports whether the end of a text is between the scheme and the path of a URL.
func inURL(s string) bool {
	const most = 200
	s = s[max(0, len(s)-most):]
	_, rest, ok := strings.Cut(s[strings.LastIndexAny(s, " \t\n\"'<")+1:], "://")
	return ok && !strings.ContainsAny(rest, "/?#")
}

// value masks the value of a member, field or header that has this name.
func (m *masker) value(name, v string) string {
	if v != "" && m.isSecretName(name) {
		return m.pseudonymFor(v)
	}
	if len(v) > 1 && (v[0] == '{' || v[0] == '[') {
		if now, ok := m.json([]byte(v)); ok { // a string may contain JSON
			return string(now)
		}
	}
	return m.text(v)
}

// number masks a number that is the value of a member with this name. It masks only whole numbers without a sign.
func (m *masker) number(name, v string) string {
	switch {
	case wordEnd(v, &inWhole) < len(v):
		return v
	case m.isSecretName(name):
		return m.pseudonymFor(v)
	case !m.masks.off[maskCard] && isCard(v):
		return m.card(v)
	}
	return m.knownSecrets(v)
}

// pairs masks a query or an urlencoded form.
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

// url masks a path with its query and fragment.
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
			parts[i] = strings.TrimSuffix(parts[i], parameters) + m.namedValues(parameters)
		}
	}
	where = strings.Join(parts, "/")
	if !asked {
		return where
	}
	return where + "?" + m.pairs(query)
}

// header masks headers. If something is masked, it returns a new map.
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

// headerValue masks the value of a header.
func (m *masker) headerValue(name, v string) string {
	switch {
	case m.masks.headers[name]:
		return m.pseudonymFor(v)
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
	case v != "" && !m.masks.off[maskSecret] && isSecretHeader(name):
		return m.pseudonymFor(v)
	}
	return m.value(name, v)
}

// authorization masks what follows the scheme in a value of Authorization, or the whole value if it
// has no scheme. In the pair of name and password after Basic, it masks the password as a secret
// and the name as text.
func (m *masker) authorization(v string) string {
	scheme, rest, ok := strings.Cut(v, " ")
	if !ok {
		return m.pseudonymFor(v)
	}
	if strings.EqualFold(scheme, "Basic") {
		if pair, err := base64.StdEncoding.DecodeString(rest); err == nil {
			name, password, _ := strings.Cut(string(pair), ":")
			return scheme + " " + base64.StdEncoding.EncodeToString([]byte(m.text(name)+":"+m.pseudonymFor(password)))
		}
	}
	return scheme + " " + m.pseudonymFor(rest)
}

// cookie masks the value of a cookie: "name=value".
func (m *masker) cookie(pair string) string {
	name, secret, ok := strings.Cut(pair, "=")
	if !ok || secret == "" {
		return pair
	}
	return name + "=" + m.pseudonymFor(secret)
}

// address masks a URL, which may be relative.
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
			name += ":" + url.QueryEscape(m.pseudonymFor(unescape(password)))
		}
		host = name + host[i:]
	}
	return scheme + "://" + host + m.url(rest[at:])
}

// unescape removes the escapes of a URL. A text with invalid escapes is returned as it is.
func unescape(raw string) string {
	if v, err := url.PathUnescape(raw); err == nil {
		return v
	}
	return raw
}

// opaqueName returns a short text that begins with lead and is the same for equal values of v.
func (m *masker) opaqueName(lead, v string) string {
	return lead + strconv.FormatUint(maphash.String(m.seed, v), 36)
}

// masked has the masked parts of a request.
type masked struct {
	url         string
	header      map[string][]string
	body        []byte
	secretCount int // the masker's secretCount when the request was masked
}

// request masks a request. It masks headers first, because a secret in them may also be in the
// body.
func (m *masker) request(q model.Request) *masked {
	header := m.header(q.Header)
	secretCount := m.countSecrets()
	body := m.body(q.Body, q.Header)
	return &masked{url: m.url(q.URL), header: header, body: body, secretCount: secretCount}
}

// countSecrets returns secretCount.
func (m *masker) countSecrets() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.secretCount
}

// exchange masks an exchange. early is the masked request of the exchange, or nil. If a secret was found after early
// was made, exchange masks the request again.
func (m *masker) exchange(x model.Exchange, early *masked) model.Exchange {
	q, a := &x.Request, &x.Reply
	if early == nil {
		early = m.request(*q)
	}
	header, trailer := m.header(a.Header), m.header(a.Trailer)
	a.Header, a.Trailer, a.Body = header, trailer, m.body(a.Body, a.Header)
	if early.secretCount != m.countSecrets() {
		early = m.request(*q)
	}
	q.URL, q.Header, q.Body = early.url, early.header, early.body
	return x
}

// messages masks messages of TCP or UDP.
func (m *masker) messages(all []model.MessagePair) []model.MessagePair {
	all = slices.Clone(all)
	for i, t := range all {
		all[i] = model.MessagePair{Request: m.message(t.Request), Answer: m.message(t.Answer)}
	}
	return all
}

// message masks a message of TCP or UDP. It returns nil for an empty message.
func (m *masker) message(words []byte) []byte {
	if len(words) == 0 {
		return nil
	}
	return m.body(words, nil)
}

// knownSecrets masks the secrets that were masked before.
func (m *masker) knownSecrets(s string) string {
	if len(s) < redact.LongSecret {
		return s
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if len(m.known) == 0 {
		return s
	}
	for _, secret := range m.knownTexts {
		s = strings.ReplaceAll(s, secret, m.known[secret])
	}
	return m.knownWords(s, &inToken)
}

// knownWords masks the words of a text that are known secrets. A word consists of bytes in the set. In a word that is
// no known secret, knownWords masks the parts that are; see inPart. The caller holds m.mu.
func (m *masker) knownWords(s string, in *[256]bool) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(s); i++ {
		begun := i
		i += wordEnd(s[i:], in)
		if i-begun < redact.LongSecret {
			continue
		}
		word := s[begun:i]
		p, ok := m.known[word]
		if !ok && wordEnd(word, &inPart) < len(word) {
			p = m.knownWords(word, &inPart)
			ok = p != word
		}
		if ok {
			out.WriteString(s[done:begun])
			out.WriteString(p)
			done = i
		}
	}
	if done == 0 {
		return s
	}
	out.WriteString(s[done:])
	return out.String()
}
