package model

// TypedUser is a user as a person types it into a form. Secret texts may name a
// variable of the environment as ${NAME}.
type TypedUser struct {
	Name string
	Way  Way
	// Key is the name of the header or of the API key, and In where an API key
	// travels.
	Key string
	In  Place
	// Username is for basic authentication and for log-ins.
	Username string
	// Secret is the header's value, the bearer token, the password or the API key.
	Secret string
	// Method and Path are those of a log-in, whose fields are sent as a form or as
	// JSON.
	Method, Path                 string
	Form                         bool
	UsernameField, PasswordField string
	// Token says where a log-in's answer has the token: a JSON pointer, the name of a
	// header, or "cookies". Send is how it is sent, such as "Authorization: Bearer {token}".
	Token, Send string
}

// Way is how a user proves who it is.
type Way string

// The ways.
const (
	ByHeader Way = "header"
	ByBearer Way = "bearer token"
	ByBasic  Way = "basic"
	ByKey    Way = "API key"
	ByLogin  Way = "log-in"
)

// Ways are all ways, in the order in which a form offers them.
var Ways = []Way{ByBearer, ByBasic, ByHeader, ByKey, ByLogin}

// CookiesToken is the Token of a log-in whose answer sets cookies.
const CookiesToken = "cookies"

// Secret is what a form calls the secret.
func (w Way) Secret() string {
	switch w {
	case ByHeader:
		return "value"
	case ByBearer:
		return "token"
	case ByKey:
		return "key"
	}
	return "password"
}
