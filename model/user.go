package model

import "regexp"

// User is somebody who calls the service. It holds no secret, so that it may be
// written down: its texts name them as "${NAME}", a variable of the environment.
type User struct {
	Name string `json:"name"`
	// Header is the name of a header that carries a credential.
	Header string `json:"header,omitempty"`
	// Env is the environment variable that holds the header's value.
	Env string `json:"env,omitempty"`
	// Public is the header's value where it is no secret, as with the demo's
	// documented tokens; it is used when Env is not set.
	Public string `json:"public,omitempty"`
	// Sends is what the user's requests carry besides the header.
	Sends []Credential `json:"sends,omitempty"`
	// Login is the call whose answer gives what they carry, too; nil where none
	// is needed.
	Login *Login `json:"login,omitempty"`
	// Creates are the requests that make the user in a service that has just started or
	// was reset; their answers give no credential.
	Creates []Login `json:"creates,omitempty"`
	// Secrets are the values of names that the configuration itself gives; the
	// environment wins. They stay in memory.
	Secrets map[string]string `json:"-"`
}

// Credential is one value that proves who sends a request.
type Credential struct {
	In   Location `json:"in"` // InHeader, InQuery or InCookie
	Name string   `json:"name"`
	// Value may name secrets, as in "Bearer ${ANN_TOKEN}".
	Value string `json:"value"`
	// Basic tells that Value is "user:password" and is sent as HTTP's basic
	// authentication has it.
	Basic bool `json:"basic,omitempty"`
}

// Login is a request whose answer gives a credential. Its texts may name
// secrets.
type Login struct {
	Method string `json:"method"`
	// Path is the path and query behind the base URL; URL is the whole one of a
	// log-in that is elsewhere. One of them is set.
	Path    string       `json:"path,omitempty"`
	URL     string       `json:"url,omitempty"`
	Headers []Credential `json:"headers,omitempty"`
	// Body is sent as it is, but for secrets; its Media says also how Fields are
	// written, where there are any: as a JSON object or a form.
	Body   *Payload     `json:"body,omitempty"`
	Fields []LoginField `json:"fields,omitempty"`
	// Cookies tells that the answer's cookies are a credential, and Token which
	// other part of it is; nil where none is.
	Cookies bool        `json:"cookies,omitempty"`
	Token   *LoginToken `json:"token,omitempty"`
}

// LoginField is a name with its value.
type LoginField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// LoginToken says where the answer to a log-in has the credential, and how requests
// carry it.
type LoginToken struct {
	// Header names the answer's header; if it is "", Pointer is the JSON pointer
	// in the answer's body, "" for all of the body.
	Header  string   `json:"header,omitempty"`
	Pointer string   `json:"pointer,omitempty"`
	In      Location `json:"in"` // InHeader, InQuery or InCookie
	Name    string   `json:"name"`
	// Template is the value that is sent, TokenHere in it the token.
	Template string `json:"template"`
}

// passwords and names are what fields of a log-in are called that are secret, and that
// say who logs in, which answers may well repeat.
var (
	passwords = regexp.MustCompile(`(?i)pass|pwd?$|secret|token|key|credential`)
	names     = regexp.MustCompile(`(?i)user|login|mail|name|account|client|grant|scope|tenant|audience|resource|realm|type|remember`)
)

// IsPasswordField reports whether a field's name says that it is a secret.
func IsPasswordField(name string) bool { return passwords.MatchString(name) }

// IsSecretField reports whether a field may be a secret: its name does not say that it is
// public.
func IsSecretField(name string) bool { return IsPasswordField(name) || !names.MatchString(name) }

// TokenPlaceholder stands for the token in a Token's Template.
const TokenPlaceholder = "{token}"

// MaskedSecret stands for a secret in all that is kept or shown.
const MaskedSecret = "***"

var secretName = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// SecretNames returns the names that a text mentions as "${NAME}", in order.
func SecretNames(text string) []string {
	var names []string
	for _, m := range secretName.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// FillSecrets puts values in the place of "${NAME}".
func FillSecrets(text string, value func(name string) string) string {
	return secretName.ReplaceAllStringFunc(text, func(m string) string { return value(m[2 : len(m)-1]) })
}

// SecretTexts returns all of the user's texts that may name secrets.
func (u User) SecretTexts() []string {
	var all []string
	for _, c := range u.Sends {
		all = append(all, c.Value)
	}
	if u.Login != nil {
		all = append(all, u.Login.texts()...)
	}
	for _, l := range u.Creates {
		all = append(all, l.texts()...)
	}
	return all
}

func (l *Login) texts() []string {
	all := []string{l.Path, l.URL}
	for _, c := range l.Headers {
		all = append(all, c.Value)
	}
	if l.Body != nil {
		all = append(all, l.Body.Data)
	}
	for _, f := range l.Fields {
		all = append(all, f.Value)
	}
	return all
}
