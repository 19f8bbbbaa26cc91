package record

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// credentialFormat is a format by which a credential is recognised under any name.
type credentialFormat struct {
	prefix  string         // the fixed start of the credential
	pattern *regexp.Regexp // matches the whole credential, anchored at its start
}

// credentialFormats are the formats that are recognised.
var credentialFormats = func() (all []credentialFormat) {
	for _, f := range [][2]string{
		{"eyJ", `[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*`}, // JWT
		{"AKIA", `[0-9A-Z]{16}\b`},
		{"ASIA", `[0-9A-Z]{16}\b`}, // AWS
		{"ghp_", `[A-Za-z0-9]{20,}`},
		{"gho_", `[A-Za-z0-9]{20,}`},
		{"ghu_", `[A-Za-z0-9]{20,}`}, // GitHub
		{"ghs_", `[A-Za-z0-9]{20,}`},
		{"ghr_", `[A-Za-z0-9]{20,}`},
		{"github_pat_", `[A-Za-z0-9_]{20,}`},
		{"glpat-", `[A-Za-z0-9_-]{20,}`},                  // GitLab
		{"xox", `[a-z]-[A-Za-z0-9-]{10,}`},                // Slack
		{"sk_", `(?:live|test)_[A-Za-z0-9]{10,}`},         // Stripe
		{"pk_", `(?:live|test)_[A-Za-z0-9]{10,}`},         // Stripe
		{"rk_", `(?:live|test)_[A-Za-z0-9]{10,}`},         // Stripe
		{"whsec_", `[A-Za-z0-9+/=]{16,}`},                 // Stripe
		{"sk-", `[A-Za-z0-9_-]{20,}`},                     // OpenAI
		{"AIza", `[A-Za-z0-9_-]{30,}`},                    // Google
		{"ya29.", `[A-Za-z0-9_-]{20,}`},                   // Google
		{"SG.", `[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`}, // SendGrid
		{"npm_", `[A-Za-z0-9]{30,}`},                      // npm
	} {
		all = append(all, credentialFormat{f[0], regexp.MustCompile(`^` + regexp.QuoteMeta(f[0]) + f[1])})
	}
	return all
}()

// span is the position of a secret in a text.
type span struct{ from, to int }

// minCredential is the minimum length of a text that is searched for credentials.
const minCredential = 13

// credentials masks the credentials that are recognised by their format, unless the default mask for secrets is off.
func (m *masker) credentials(s string) string {
	if m.masks.off[maskSecret] {
		return s
	}
	return m.withPseudonyms(s, credentialSpans(s))
}

// FindCredentials returns the credentials in a text that are recognised by their format, such as tokens.
func FindCredentials(s string) []string {
	var all []string
	for _, x := range credentialSpans(s) {
		all = append(all, s[x.from:x.to])
	}
	return all
}

// credentialSpans returns the positions of the credentials in a text. They may overlap.
func credentialSpans(s string) []span {
	if len(s) < minCredential {
		return nil
	}
	var all []span
	for _, f := range credentialFormats {
		all = appendSpans(all, s, f.prefix, func(at int) (int, int) {
			if at > 0 && inPart[s[at-1]] {
				return 0, 0
			}
			return at, at + len(f.pattern.FindString(s[at:]))
		})
	}
	all = appendSpans(all, s, "earer", func(at int) (int, int) { return afterScheme(s, at, 'b') })
	all = appendSpans(all, s, "asic", func(at int) (int, int) { return afterScheme(s, at, 'b') })
	all = appendSpans(all, s, "://", func(at int) (int, int) { return urlPassword(s, at) })
	all = appendSpans(all, s, "-----BEGIN ", func(at int) (int, int) { return privateKey(s, at) })
	return all
}

// appendSpans calls spanAt with each position of sign in s, except for positions in a span that was just found. It
// appends the spans that spanAt returns. A span with to <= from is not a credential.
func appendSpans(all []span, s, sign string, spanAt func(int) (from, to int)) []span {
	for i := 0; ; {
		next := strings.Index(s[i:], sign)
		if next < 0 {
			return all
		}
		i += next
		if from, to := spanAt(i); to > from {
			all = append(all, span{from, to})
			i = max(i+1, to)
		} else {
			i++
		}
	}
}

// withPseudonyms replaces spans by pseudonyms. Of spans that overlap it replaces the first.
func (m *masker) withPseudonyms(s string, all []span) string {
	if len(all) == 0 {
		return s
	}
	slices.SortStableFunc(all, func(a, b span) int { return a.from - b.from })
	var out strings.Builder
	done := 0
	for _, x := range all {
		if x.from < done {
			continue
		}
		out.WriteString(s[done:x.from])
		out.WriteString(m.credential(s[x.from:x.to]))
		done = x.to
	}
	out.WriteString(s[done:])
	return out.String()
}

// minToken is the minimum length of a credential that follows "Bearer" or "Basic".
const minToken = 6

// afterScheme returns the position of the credential after "Bearer" or "Basic". at is the position of the second
// letter of that word, and letter is its first letter in lower case. Like urlPassword and privateKey, it returns an
// empty span if there is no credential.
func afterScheme(s string, at int, letter byte) (from, to int) {
	if at == 0 || s[at-1]|' ' != letter || at > 1 && inPart[s[at-2]] {
		return 0, 0
	}
	for from = at; from < len(s) && inLetter[s[from]]; from++ {
	}
	word := from
	for from < len(s) && (s[from] == ' ' || s[from] == '+') {
		from++
	}
	if from == word && strings.HasPrefix(s[from:], "%20") {
		from += len("%20")
	}
	to = from + wordEnd(s[from:], &inToken)
	token := s[from:to]
	basic := s[at] == 'a'
	switch {
	case from == word, len(token) < minToken, basic && !isPair(token), !basic && looksLikeProse(token):
		return 0, 0
	}
	return from, to
}

// urlPassword returns the position of the password in a URL whose "://" is at a position.
func urlPassword(s string, at int) (from, to int) {
	const longest = 1 << 10
	from = at + len("://")
	rest := s[from:min(len(s), from+longest)]
	if end := strings.IndexAny(rest, "/?# \t\r\n\"'<>\\"); end >= 0 {
		rest = rest[:end]
	}
	colon, sign := strings.IndexByte(rest, ':'), strings.LastIndexByte(rest, '@')
	if colon < 0 || sign < colon {
		return 0, 0
	}
	return from + colon + 1, from + sign
}

// privateKey returns the position of a private key in PEM, without the lines around it. at is the position of
// "-----BEGIN ".
func privateKey(s string, at int) (from, to int) {
	const longest, end, dashes = 100, "PRIVATE KEY-----", "-----END"
	line := s[at:min(len(s), at+longest)]
	i := strings.Index(line, end)
	if i < 0 {
		return 0, 0
	}
	from = at + i + len(end)
	to = strings.Index(s[from:], dashes)
	if to < 0 {
		return from, len(s)
	}
	return from, from + to
}

// credential returns the pseudonym of a credential that was recognised by its format. Of a pair of user name and
// password, it masks the parts as authorization does.
func (m *masker) credential(v string) string {
	if isPair(v) {
		_, pair, _ := strings.Cut(m.authorization("Basic "+v), " ")
		return pair
	}
	return m.pseudonymFor(v)
}

// isPair reports whether a text is a user name and a password in base64.
func isPair(v string) bool {
	pair, err := base64.StdEncoding.DecodeString(v)
	return err == nil && utf8.Valid(pair) && strings.Contains(string(pair), ":")
}
