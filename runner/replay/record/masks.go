package record

import (
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// The masks that are on unless a rule such as "-email" turns them off.
const (
	maskAuthorization = "authorization"
	maskCookie        = "cookie"
	maskSecret        = "secret"
	maskCard          = "card"
	maskEmail         = "email"
)

// Masks select what is masked.
type Masks struct {
	off     map[string]bool
	headers map[string]bool
	keys    []string
	texts   []*regexp.Regexp
	rules   []string
}

// MaskRules lists the forms of a mask rule.
const MaskRules = "header:NAME, key:NAME of a JSON member, a form's field or a query's parameter (* matches anything), " +
	"text:REGEXP, or a default to take off: -authorization, -cookie, -secret, -card, -email"

// ParseMasks parses rules, which are added to the default ones.
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

// RuleTexts returns the rules as text: the default ones that are on, and those that were added.
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

// secrets are the last words of names of secrets, or the last two words joined.
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

// secretHeaders are the last words of the names of headers that are secret, besides secrets.
var secretHeaders = []string{"session", "auth"}

// secretHeader reports whether a header is masked as a whole.
func secretHeader(name string) bool {
	words := wordsOf(name)
	return len(words) > 1 && words[0] == "x" && slices.Contains(secretHeaders, words[len(words)-1])
}

// secret reports whether a value with a name is masked.
func (m *masker) secret(name string) bool {
	if name == "" {
		return false
	}
	m.mu.RLock()
	is, ok := m.names[name]
	m.mu.RUnlock()
	if ok {
		return is
	}
	is = !m.masks.off[maskSecret] && secretName(name) || slices.ContainsFunc(m.masks.keys, func(k string) bool {
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

func secretName(name string) bool {
	words := wordsOf(name)
	n := len(words)
	if n == 0 {
		return false
	}
	return slices.Contains(secrets, words[n-1]) || n > 1 && slices.Contains(secrets, words[n-2]+words[n-1]) ||
		slices.ContainsFunc(secretEnds, func(end string) bool { return strings.HasSuffix(words[n-1], end) })
}

// wordsOf splits a name into words in lower case: "X-Api-Key", "apiKey" and "api_key" are api and
// key.
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
