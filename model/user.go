package model

import "regexp"

// User is a user of the service, with credentials. A User can be stored, because its texts refer to secrets
// by the names of environment variables: "${NAME}".
type User struct {
	Name string `json:"name"`
	// Header is the name of a header with a credential.
	Header string `json:"header,omitempty"`
	// Env is the environment variable with the header's value.
	Env string `json:"env,omitempty"`
	// Public is the header's value if it is not a secret, such as the documented token of the demo. Env
	// takes precedence.
	Public string `json:"public,omitempty"`
	// Sends are the other credentials of the user's requests.
	Sends []Credential `json:"sends,omitempty"`
	// Login is a request whose answer has another credential, nil for none.
	Login *Login `json:"login,omitempty"`
	// Creates are requests that create the user after the service was started or reset. Their answers
	// contain no credential.
	Creates []Login `json:"creates,omitempty"`
	// Secrets has values for "${NAME}" that are in the configuration itself. Environment variables take
	// precedence, unless OwnSecrets is true. Secrets are never stored.
	Secrets map[string]string `json:"-"`
	// OwnSecrets means that Secrets take precedence over environment variables. It is set for users whom a driver
	// defines. Their secrets have generated names, and Sonde must not send the value of an environment variable of the
	// same name to the driver's service.
	OwnSecrets bool `json:"-"`
}

// Credential is a value by which a request authenticates its user.
type Credential struct {
	In   Location `json:"in"` // InHeader, InQuery or InCookie
	Name string   `json:"name"`
	// Value may refer to secrets, as in "Bearer ${ANN_TOKEN}".
	Value string `json:"value"`
	// Basic reports whether Value is "user:password" for HTTP basic authentication.
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
	// Body is the body with references to secrets. If there are Fields, they are sent instead, as a JSON
	// object or a form depending on Body.Media.
	Body   *Payload     `json:"body,omitempty"`
	Fields []LoginField `json:"fields,omitempty"`
	// Cookies reports whether the cookies of the answer are a credential. Token is the part of the answer
	// that is a credential, nil for none.
	Cookies bool        `json:"cookies,omitempty"`
	Token   *LoginToken `json:"token,omitempty"`
}

// LoginField is a field of a log-in's body.
type LoginField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// LoginToken says where the answer to a log-in has a token, and how requests send it.
type LoginToken struct {
	// Header is the name of the answer's header with the token, "" if the token is in the body. Pointer is the JSON
	// pointer of a token in the body, "" for the whole body.
	Header  string   `json:"header,omitempty"`
	Pointer string   `json:"pointer,omitempty"`
	In      Location `json:"in"` // InHeader, InQuery or InCookie
	Name    string   `json:"name"`
	// Template is the value to send. TokenPlaceholder in it is replaced by the token.
	Template string `json:"template"`
}

var (
	// secretField matches names of log-in fields that are secret. It matches many names, because a log-in
	// has few fields. record.secrets, which decides what is masked in other messages, matches fewer names.
	secretField = regexp.MustCompile(`(?i)pass|pwd?$|secret|token|key|credential`)
	// publicField matches names of log-in fields that are not secret, such as "username". Answers may contain their
	// values.
	publicField = regexp.MustCompile(
		`(?i)user|login|mail|name|account|client|grant|scope|tenant|audience|resource|realm|type|remember`,
	)
)

// IsPasswordField reports whether a field's name says that the field is a secret.
func IsPasswordField(name string) bool { return secretField.MatchString(name) }

// IsSecretField reports whether a field may be a secret. This is so in two cases: its name is typical of a secret, or
// its name is not typical of a public field.
func IsSecretField(name string) bool { return IsPasswordField(name) || !publicField.MatchString(name) }

// TokenPlaceholder in the Template of a LoginToken is replaced by the token.
const TokenPlaceholder = "{token}"

// MaskedSecret replaces secrets in stored and displayed texts.
const MaskedSecret = "***"

var secretName = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// SecretNames returns the names in the "${NAME}" references of a text, in order.
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
