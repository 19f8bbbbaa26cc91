package generate

import (
	"regexp"
	"strings"

	"sonde/model"
)

// credential is the part of a request that proves who sends it.
type credential struct {
	in     model.Location
	name   string
	value  string
	scheme string // what precedes the token: "Bearer "
}

// token returns the value without its scheme.
func (c credential) token() string { return strings.TrimPrefix(c.value, c.scheme) }

// is reports whether an input of the request is the credential.
func (c credential) is(in model.Location, name string) bool {
	return c.in == in && c.value != "" && strings.EqualFold(c.name, name)
}

// keyHeader and keyCookie match names of headers and cookies by which a request proves who calls. They do not match all
// names of isSecretName, because a password in a body, for example, does not authenticate the request.
var (
	keyHeader = regexp.MustCompile(`(?i)^(authorization|.*(api-?key|auth-?token|access-?token|session-?token))$`)
	keyCookie = regexp.MustCompile(`(?i)sess|sid$|token|auth|login|jwt`)
)

// credentialOf returns the credential of a request, the zero value if it has none. A credential
// that the service refused does not count: it is sent as recorded.
func credentialOf(x *recordedExchange, keys map[string]bool) credential {
	if x.Reply.Status == 401 && x.User == "" {
		return credential{}
	}
	for _, name := range sortedKeys(x.Request.Header) {
		if value := headerValue(x.Request.Header, name); keyHeader.MatchString(name) || keys[strings.ToLower(name)] {
			scheme, _, spaced := strings.Cut(value, " ")
			if spaced {
				return credential{in: model.InHeader, name: name, value: value, scheme: scheme + " "}
			}
			return credential{in: model.InHeader, name: name, value: value}
		}
	}
	for _, c := range cookiesOf(x.Request.Header) {
		if keyCookie.MatchString(c.Name) || keys[strings.ToLower(c.Name)] {
			return credential{in: model.InCookie, name: c.Name, value: c.Value}
		}
	}
	return credential{}
}

// cookie is a cookie of a request.
type cookie struct{ Name, Value string }

// cookiesOf returns the cookies in the header of a request.
func cookiesOf(header map[string][]string) []cookie {
	var all []cookie
	for _, pair := range strings.Split(headerValue(header, "Cookie"), ";") {
		if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			all = append(all, cookie{name, value})
		}
	}
	return all
}

// cookieArgs returns the cookies of the request as arguments, without the credential.
func (r *recordedExchange) cookieArgs() []model.Arg {
	var all []model.Arg
	for _, c := range cookiesOf(r.Request.Header) {
		if !r.credential.is(model.InCookie, c.Name) {
			all = append(all, model.Arg{In: model.InCookie, Name: c.Name, Value: c.Value, Escaped: true})
		}
	}
	return all
}
