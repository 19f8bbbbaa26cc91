package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
)

// DefaultUserName is the name of the user from a FlagUser. If a user of the file already has this name, a number is
// appended.
const DefaultUserName = "default"

// DefaultPasswordVar is the environment variable with the password if the flag --user has only a name.
const DefaultPasswordVar = "SONDE_DEFAULT_PASSWORD"

// FlagUser describes a user of the service by the values of command line flags. The values may contain references to
// environment variables as ${NAME}.
type FlagUser struct {
	Headers []string // each "Name: value"
	// Basic is "name:password" for basic authentication, "" for none.
	Basic string
}

// User returns the user, with a name that no user in others has. It replaces each literal secret by "${NAME}". NAME is
// the variable in environ whose value is the secret. If there is none, or if the secret is too short to be sure, NAME
// is generated, and the secret is stored in Secrets. environ has the form of os.Environ. The error is of one line and
// contains no secret.
func (p FlagUser) User(others []model.User, environ []string) (model.User, error) {
	h := hider{user: model.User{Name: freeName(others)}, owner: DefaultUserName, environ: environ}
	for _, text := range p.Headers {
		if err := h.header(text); err != nil {
			return model.User{}, err
		}
	}
	if p.Basic != "" {
		if err := h.basic(p.Basic); err != nil {
			return model.User{}, err
		}
	}
	return h.user, h.check()
}

// freeName returns a name that none of the users has.
func freeName(others []model.User) string {
	name := DefaultUserName
	for i := 2; slices.ContainsFunc(others, func(u model.User) bool { return u.Name == name }); i++ {
		name = fmt.Sprintf("%s-%d", DefaultUserName, i)
	}
	return name
}

// hider builds a user and replaces the literal secrets in its texts by references.
type hider struct {
	user    model.User
	owner   string // the user's name, as part of generated names
	environ []string
}

// header adds a header that is given as "Name: value".
func (h *hider) header(text string) error {
	name, value, ok := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !ok || !token.MatchString(name):
		return errors.New("header needs a name and a value, such as 'Authorization: Bearer ${TOKEN}'")
	case value == "" || scheme.MatchString(value+" ") && strings.EqualFold(name, "Authorization"):
		return fmt.Errorf("header %s has no value: is the variable in it set?", name)
	case strings.ContainsFunc(value, unicode.IsControl):
		return fmt.Errorf("header %s has a value that no header can carry: is there a line break in it?", name)
	case h.bare(value) != "":
		return fmt.Errorf("header %s: write ${%s} instead of $%[2]s", name, h.bare(value))
	case slices.ContainsFunc(transport, func(own string) bool { return strings.EqualFold(own, name) }):
		return fmt.Errorf("header %s: that header follows from the request, and cannot be set", name)
	case h.sends(name):
		return fmt.Errorf("header %s is given twice: a user has one value for each header", name)
	}
	if !harmless(name) {
		value = h.headerValue(name, value)
	}
	h.user.Sends = append(h.user.Sends, model.Credential{In: model.InHeader, Name: name, Value: value})
	return nil
}

// transport has the headers that describe the connection or the body. A user cannot set them.
var transport = []string{"Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Te", "Trailer", "Host"}

// harmless reports whether the values of a header with this name are not secret, so that they may be stored.
func harmless(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "-version") ||
		slices.Contains(
			[]string{"accept", "accept-language", "cache-control", "content-type", "origin", "prefer", "referer", "user-agent"},
			name,
		)
}

func (h *hider) sends(name string) bool {
	return slices.ContainsFunc(h.user.Sends, func(c model.Credential) bool { return strings.EqualFold(c.Name, name) })
}

// headerValue returns the value of a header, with a reference in place of the secret. The name of a scheme, such as
// "Bearer" in "Bearer x", is not part of the secret.
func (h *hider) headerValue(name, value string) string {
	if at := strings.IndexByte(value, ' ') + 1; at > 0 && scheme.MatchString(value[:at]) {
		return value[:at] + h.hide(name, strings.TrimSpace(value[at:]))
	}
	return h.hide(name, value)
}

// basic adds basic authentication. pair is "name:password". If the password is empty, the name is treated as the
// secret, because some services take an API key as the name.
func (h *hider) basic(pair string) error {
	name, password, ok := strings.Cut(pair, ":")
	switch {
	case !ok:
		return errors.New("user has no password: write NAME:PASSWORD, the password as ${NAME}")
	case name == "" && password == "":
		return errors.New("user has neither a name nor a password: write NAME:PASSWORD, the password as ${NAME}")
	case h.bare(pair) != "":
		return fmt.Errorf("user: write ${%s} instead of $%[1]s", h.bare(pair))
	case h.sends("Authorization"):
		return errors.New("user and header Authorization are two ways to set the same header: leave out one of them")
	case password == "":
		name = h.hide("NAME", name)
	default:
		password = h.hide("PASSWORD", password)
	}
	h.user.Sends = append(
		h.user.Sends,
		model.Credential{In: model.InHeader, Name: "Authorization", Value: name + ":" + password, Basic: true},
	)
	return nil
}

// hide replaces a literal secret by "${NAME}". NAME is the environment variable that variable returns, or a generated
// name if there is none. hide returns an empty text, and a text that already refers to a secret, unchanged.
func (h *hider) hide(what, text string) string {
	if text == "" || len(model.SecretNames(text)) > 0 {
		return text
	}
	if name := h.variable(text); name != "" {
		return "${" + name + "}"
	}
	name := secretName(h.owner, what, func(name string) bool {
		_, made := h.user.Secrets[name]
		value, set := h.lookup(name)
		return made || set && value != "" && value != text
	})
	if h.user.Secrets == nil {
		h.user.Secrets = map[string]string{}
	}
	h.user.Secrets[name] = text
	return "${" + name + "}"
}

// shortSecret is the minimum length of a secret for which an equal environment variable is searched. A shorter secret
// may be equal to a variable by coincidence.
const shortSecret = 8

// variable returns the name of the environment variable with a value, the first by name if there are several. The user
// has most likely written this variable in the flag, and the shell has replaced it by its value. variable returns "" if
// there is none, or if the value is shorter than shortSecret.
func (h *hider) variable(value string) string {
	var names []string
	for _, pair := range h.environ {
		name, other, _ := strings.Cut(pair, "=")
		if other == value && len(value) >= shortSecret && len(model.SecretNames("${"+name+"}")) == 1 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return append(names, "")[0]
}

var bareName = regexp.MustCompile(`\$([A-Za-z_][A-Za-z0-9_]*)`)

// bare returns the name of a variable that a text contains in the form $NAME, without braces. It returns "" if there
// is none, or if the variable is not set.
func (h *hider) bare(text string) string {
	for _, m := range bareName.FindAllStringSubmatch(text, -1) {
		if value, _ := h.lookup(m[1]); value != "" {
			return m[1]
		}
	}
	return ""
}

func (h *hider) lookup(name string) (value string, ok bool) {
	for _, pair := range h.environ {
		if own, value, _ := strings.Cut(pair, "="); own == name {
			return value, true
		}
	}
	return "", false
}

// check returns an error if a credential of the user refers to a variable that is not set.
func (h *hider) check() error {
	for _, c := range h.user.Sends {
		flag := "header " + c.Name
		if c.Basic {
			flag = "--user"
		}
		for _, name := range model.SecretNames(c.Value) {
			if value, _ := h.lookup(name); value == "" && h.user.Secrets[name] == "" {
				return fmt.Errorf("%s: set %s in the environment", flag, name)
			}
		}
	}
	return nil
}

// checkAll returns an error if any text of the user refers to a variable that is not set.
func (h *hider) checkAll() error {
	for _, text := range h.user.SecretTexts() {
		for _, name := range model.SecretNames(text) {
			if value, _ := h.lookup(name); value == "" && h.user.Secrets[name] == "" {
				return fmt.Errorf("%s is not set in the environment: set it and start again, or type the value", name)
			}
		}
	}
	return nil
}
