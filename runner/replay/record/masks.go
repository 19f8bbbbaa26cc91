package record

import (
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
)

// The default masks. A rule such as "-email" turns one off.
const (
	maskAuthorization = "authorization"
	maskCookie        = "cookie"
	maskSecret        = "secret"
	maskCard          = "card"
	maskEmail         = "email"
)

// Masks select what is masked. The zero value has the default masks.
type Masks struct {
	off     map[string]bool // default masks that are off
	headers map[string]bool
	keys    []string
	texts   []*regexp.Regexp
	rules   []string // the rules as the user gave them
}

// MaskRules describes the forms of a rule.
const MaskRules = "header:NAME, key:NAME of a JSON member, a form's field or a query's parameter (* matches anything), " +
	"text:REGEXP, or a default to take off: -authorization, -cookie, -secret, -card, -email"

// ParseMasks parses rules, which add to the default masks or turn them off.
func ParseMasks(rules []string) (Masks, error) {
	m := Masks{off: map[string]bool{}, headers: map[string]bool{}, rules: rules}
	for _, rule := range rules {
		kind, what, _ := strings.Cut(rule, ":")
		name, minus := strings.CutPrefix(rule, "-")
		switch {
		case minus && slices.Contains([]string{maskAuthorization, maskCookie, maskSecret, maskCard, maskEmail}, name):
			m.off[name] = true
		case kind == "header" && what != "":
			m.headers[http.CanonicalHeaderKey(what)] = true
		case kind == "key" && what != "":
			m.keys = append(m.keys, strings.ToLower(what))
		case kind == "text" && what != "":
			r, err := regexp.Compile(what)
			if err != nil || r.MatchString("") {
				return m, fmt.Errorf("%q has no regular expression, or one that matches the empty text", rule)
			}
			m.texts = append(m.texts, r)
		default:
			return m, fmt.Errorf("%q is not a mask: give %s", rule, MaskRules)
		}
	}
	return m, nil
}

// Text replaces the secrets in a text by pseudonyms.
func (m Masks) Text(s string) string { return newMasker(m).text(s) }

// Exchange replaces the secrets in an exchange by pseudonyms.
func (m Masks) Exchange(x model.Exchange) model.Exchange { return newMasker(m).exchange(x, nil) }

// RuleTexts returns the default masks that are on, and the rules that add masks.
func (m Masks) RuleTexts() (all []string) {
	for _, name := range []string{maskAuthorization, maskCookie, maskSecret, maskCard, maskEmail} {
		if !m.off[name] {
			all = append(all, name)
		}
	}
	for _, r := range m.rules {
		if !strings.HasPrefix(r, "-") {
			all = append(all, r)
		}
	}
	return all
}

// secrets are names of secrets: the last word of a name, or its last two words joined. This list and secretEnds decide
// for which names isSecretByDefault is true. A name that should not be here spoils the recording; one that is missing
// leaves a secret on disk.
//
// Other lists have other purposes: match.IsCredentialName says which inputs are credentials. model.IsPasswordField says
// which fields of a log-in form are secret. generate.isSecretName says which values of a recording cannot be repeated.
var secrets = []string{
	"password", "passwd", "passwort", "pwd", "pass", "passphrase", "passcode", "secret", "token",
	"apikey", "accesskey", "privatekey", "secretkey", "signingkey",
	"credential", "credentials", "authorization", "jwt", "bearer", "cvv", "cvc", "cvv2", "pin", "otp",
	"totp", "sessionid", "sid", "csrf", "xsrf", "ssn",
	"signature", "sig",
}

// secretEnds are ends of compound words, such as "accesstoken".
var secretEnds = []string{
	"password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "secretkey",
	"sessionid", "sessid",
}

// secretHeaders are words. An X- header whose name ends with one of them, such as X-Session, is secret.
var secretHeaders = []string{"session", "auth"}

// isSecretHeader reports whether the name of a header, such as X-Session, says that its value is
// secret.
func isSecretHeader(name string) bool {
	words := wordsOf(name)
	return len(words) > 1 && words[0] == "x" && slices.Contains(secretHeaders, words[len(words)-1])
}

// isSecretName reports whether the value of a field called name is masked, by default or by a rule.
func (m *masker) isSecretName(name string) bool {
	if name == "" {
		return false
	}
	m.mu.RLock()
	is, ok := m.names[name]
	m.mu.RUnlock()
	if ok {
		return is
	}
	is = !m.masks.off[maskSecret] && isSecretByDefault(name) || slices.ContainsFunc(m.masks.keys, func(k string) bool {
		fits, err := path.Match(k, strings.ToLower(name))
		return err == nil && fits
	})
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.names) < maxNames {
		m.names[strings.Clone(name)] = is
	}
	return is
}

// IsSecretName reports whether the value of a field or a header with this name is masked by default.
func IsSecretName(name string) bool { return isSecretByDefault(name) || isSecretHeader(name) }

// isSecretByDefault reports whether a name ends in a word for a secret.
func isSecretByDefault(name string) bool {
	words := wordsOf(name)
	n := len(words)
	if n == 0 {
		return false
	}
	return slices.Contains(secrets, words[n-1]) || n > 1 && slices.Contains(secrets, words[n-2]+words[n-1]) ||
		slices.ContainsFunc(secretEnds, func(end string) bool { return strings.HasSuffix(words[n-1], end) })
}

// wordsOf splits a name into words in lower case: "X-Api-Key", "apiKey" and "api_key" end in "api"
// and "key".
func wordsOf(name string) (words []string) {
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	small := false
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush()
			continue
		}
		if unicode.IsUpper(r) && small {
			flush()
		}
		word, small = append(word, r), unicode.IsLower(r)
	}
	flush()
	return words
}
