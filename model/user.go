package model

import "regexp"

// User is a user of the service, with credentials. It can be stored, since its texts refer
// to secrets as "${NAME}", a variable of the environment.
type User struct {
	Name string `json:"name"`
	// Header is the name of a header with a credential.
	Header string `json:"header,omitempty"`
	// Env is the environment variable with the header's value.
	Env string `json:"env,omitempty"`
	// Public is the header's value if it is not a secret, such as a documented token of the
	// demo. It is used if Env is not set.
	Public string `json:"public,omitempty"`
	// Sends are further credentials of the user's requests.
	Sends []Credential `json:"sends,omitempty"`
	// Login is a request whose answer has a further credential, nil if none is needed.
	Login *Login `json:"login,omitempty"`
	// Creates are requests that create the user after the service was started or reset.
	// Their answers have no credential.
	Creates []Login `json:"creates,omitempty"`
	// Secrets are values for "${NAME}" that the configuration itself has; variables of the
	// environment take precedence. They are never stored.
	Secrets map[string]string `json:"-"`
}

// Credential is a value by which a request authenticates its user.
type Credential struct {
	In   Location `json:"in"` // InHeader, InQuery or InCookie
	Name string   `json:"name"`
	// Value may refer to secrets, as in "Bearer ${ANN_TOKEN}".
	Value string `json:"value"`
	// Basic reports whether Value is "user:password", to be sent by HTTP basic
	// authentication.
	Basic bool `json:"basic,omitempty"`
}

// Login is a request whose answer has a credential. Its texts may refer to secrets.
type Login struct {
	Method string `json:"method"`
	// Path is a path with query, relative to the base URL. URL is the full URL of a log-in
	// at another host. Exactly one of them is set.
	Path    string       `json:"path,omitempty"`
	URL     string       `json:"url,omitempty"`
	Headers []Credential `json:"headers,omitempty"`
	// Body is sent with its secrets filled in. If there are Fields, they are sent instead, as
	// a JSON object or a form, depending on Body.Media.
	Body   *Payload     `json:"body,omitempty"`
	Fields []LoginField `json:"fields,omitempty"`
	// Cookies reports whether the answer's cookies are a credential. Token is another part of
	// the answer that is one, nil for none.
	Cookies bool        `json:"cookies,omitempty"`
	Token   *LoginToken `json:"token,omitempty"`
}

// LoginField is a field of a log-in's body.
type LoginField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// LoginToken is where the answer to a log-in has a token, and how requests send it.
type LoginToken struct {
	// Header is the name of the answer's header with the token. If it is "", Pointer is the
	// JSON pointer of the token in the body, "" for the whole body.
	Header  string   `json:"header,omitempty"`
	Pointer string   `json:"pointer,omitempty"`
	In      Location `json:"in"` // InHeader, InQuery or InCookie
	Name    string   `json:"name"`
	// Template is the value that is sent. TokenPlaceholder is replaced by the token in it.
	Template string `json:"template"`
}

var (
	// secretField matches names of log-in fields with secrets. It is wide, because the fields of
	// a log-in are few; record.secrets, which decides what is masked in any message, is narrower.
	secretField = regexp.MustCompile(`(?i)pass|pwd?$|secret|token|key|credential`)
	// publicField matches names of log-in fields that are not secret, such as the user's
	// name. Answers may contain their values.
	publicField = regexp.MustCompile(
		`(?i)user|login|mail|name|account|client|grant|scope|tenant|audience|resource|realm|type|remember`,
	)
)

// IsPasswordField reports whether a field's name says that it is a secret.
func IsPasswordField(name string) bool { return secretField.MatchString(name) }

// IsSecretField reports whether a field may be a secret: its name says that it is secret, or does not say
// that it is public.
func IsSecretField(name string) bool { return IsPasswordField(name) || !publicField.MatchString(name) }

// TokenPlaceholder is replaced by the token in a LoginToken's Template.
const TokenPlaceholder = "{token}"

// MaskedSecret replaces a secret in what is stored or shown.
const MaskedSecret = "***"

var secretName = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// SecretNames returns the names in a text that are written as "${NAME}", in order.
func SecretNames(text string) []string {
	var names []string
	for _, m := range secretName.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// FillSecrets replaces each "${NAME}" in a text by its value.
func FillSecrets(text string, value func(name string) string) string {
	return secretName.ReplaceAllStringFunc(text, func(m string) string { return value(m[2 : len(m)-1]) })
}

// SecretTexts returns all texts of the user that may refer to secrets.
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
