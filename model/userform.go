package model

// UserForm is the content of a form for entering a user of the service. Secrets may be given as environment
// variables: ${NAME}.
type UserForm struct {
	Name   string
	Method AuthMethod
	// Key is the name of the header or of the API key, and In the location of an API key.
	Key string
	In  Location
	// Username is for basic authentication and for log-ins.
	Username string
	// Secret is the header's value, the bearer token, the password or the API key.
	Secret string
	// LoginMethod and LoginPath are the request of a log-in. Form reports whether its fields are sent as a
	// form instead of JSON.
	LoginMethod, LoginPath       string
	Form                         bool
	UsernameField, PasswordField string
	// Constants are further fields of the request of a log-in, such as grant_type.
	Constants []LoginField
	// Token says where the answer to a log-in has the token: a JSON pointer, the name of a header, or CookiesToken.
	// Send says how later requests send the token: "Authorization: Bearer {token}".
	Token, Send string
}

// AuthMethod is how a user authenticates.
type AuthMethod string

// The methods of authentication.
const (
	AuthByHeader AuthMethod = "header"
	AuthByBearer AuthMethod = "bearer token"
	AuthByBasic  AuthMethod = "basic"
	AuthByKey    AuthMethod = "API key"
	AuthByLogin  AuthMethod = "log-in"
)

// AuthMethods lists all methods in the order in which a form offers them.
var AuthMethods = []AuthMethod{AuthByBearer, AuthByBasic, AuthByHeader, AuthByKey, AuthByLogin}

// CookiesToken is the UserForm.Token of a log-in whose answer sets cookies.
const CookiesToken = "cookies"

// SecretLabel returns the label of the secret in a form.
func (w AuthMethod) SecretLabel() string {
	switch w {
	case AuthByHeader:
		return "value"
	case AuthByBearer:
		return "token"
	case AuthByKey:
		return "key"
	}
	return "password"
}
