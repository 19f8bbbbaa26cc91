package model

// UserForm is a user as a person types it into a form. Secret texts may name a
// variable of the environment as ${NAME}.
type UserForm struct {
	Name   string
	Method AuthMethod
	// Key is the name of the header or of the API key, and In where an API key
	// travels.
	Key string
	In  Location
	// Username is for basic authentication and for log-ins.
	Username string
	// Secret is the header's value, the bearer token, the password or the API key.
	Secret string
	// LoginMethod and Path are those of a log-in, whose fields are sent as a form or as
	// JSON.
	LoginMethod, LoginPath       string
	Form                         bool
	UsernameField, PasswordField string
	// Token says where a log-in's answer has the token: a JSON pointer, the name of a
	// header, or "cookies". Send is how it is sent, such as "Authorization: Bearer {token}".
	Token, Send string
}

// AuthMethod is how a user proves who it is.
type AuthMethod string

// The ways.
const (
	AuthByHeader AuthMethod = "header"
	AuthByBearer AuthMethod = "bearer token"
	AuthByBasic  AuthMethod = "basic"
	AuthByKey    AuthMethod = "API key"
	AuthByLogin  AuthMethod = "log-in"
)

// AuthMethods are all ways, in the order in which a form offers them.
var AuthMethods = []AuthMethod{AuthByBearer, AuthByBasic, AuthByHeader, AuthByKey, AuthByLogin}

// CookiesToken is the Token of a log-in whose answer sets cookies.
const CookiesToken = "cookies"

// SecretLabel is what a form calls the secret.
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
