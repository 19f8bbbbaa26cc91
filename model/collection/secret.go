package collection

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// SecretRules say what a secret is.
type SecretRules struct {
	// Name reports whether the value of a field or a header with this name is a secret.
	Name func(name string) bool
	// Texts returns the secrets in a text that are recognised by their form, such as tokens.
	Texts func(text string) []string
}

// HiddenSecret is a secret that a variable has replaced.
type HiddenSecret struct {
	Variable string
	// Request is the label of the first request with the secret, "" for a variable of the file. Place says where it was.
	Request, Place string
	Value          string // the secret itself; for a variable of the file, its value
}

// HideSecrets returns the collection with variables in the place of secrets, and these variables. The variables have no
// values in the collection: a variable of the file whose value is a secret is removed.
func HideSecrets(c Collection, rules SecretRules) (Collection, []HiddenSecret) {
	h := secretHider{rules: rules, names: map[string]string{}, taken: map[string]bool{}, last: map[string]int{}}
	for _, v := range c.Variables {
		h.taken[v.Name] = true
	}
	var kept []Variable
	for _, v := range c.Variables {
		if isLiteral(v.Value) && (rules.Name(v.Name) || wholeSecret(rules, v.Value)) {
			h.found = append(h.found, HiddenSecret{Variable: v.Name, Place: "its value", Value: v.Value})
			h.names[v.Value] = v.Name
			continue
		}
		v.Value = h.texts(v.Value, "the variable "+v.Name)
		kept = append(kept, v)
	}
	c.Variables = kept
	c.Requests = slices.Clone(c.Requests)
	for i := range c.Requests {
		h.request(&c.Requests[i])
	}
	return c, h.found
}

// secretHider replaces secrets by variables.
type secretHider struct {
	rules SecretRules
	// names are the variables that replace secrets, by the secret.
	names map[string]string
	// taken are the names of variables, those of the file and those that replace secrets. last is the last number that
	// follows a name.
	taken map[string]bool
	last  map[string]int
	found []HiddenSecret
	label string // of the current request
}

// isLiteral reports whether a text has a value and no variable.
func isLiteral(text string) bool {
	return strings.TrimSpace(text) != "" && !reference.MatchString(text)
}

// wholeSecret reports whether a text is a secret by its form.
func wholeSecret(rules SecretRules, text string) bool {
	return slices.Contains(rules.Texts(text), strings.TrimSpace(text))
}

// request replaces the secrets of a request.
func (h *secretHider) request(r *Request) {
	h.label = r.Label()
	r.URL, r.Name = h.url(r.URL), h.texts(r.Name, "the name")
	h.label = r.Label() // a label may have the URL
	r.Headers = slices.Clone(r.Headers)
	for i := range r.Headers {
		r.Headers[i].Value = h.header(r.Headers[i])
	}
	if r.Body == nil {
		return
	}
	body := *r.Body
	body.Fields = slices.Clone(body.Fields)
	for i := range body.Fields {
		body.Fields[i].Value = h.named(body.Fields[i].Name, body.Fields[i].Value, "the field "+body.Fields[i].Name)
	}
	body.Text = h.bodyText(body.Text)
	r.Body = &body
}

// header returns the value of a header without secrets.
func (h *secretHider) header(f Field) string {
	place := "the header " + f.Name
	switch strings.ToLower(f.Name) {
	case "authorization", "proxy-authorization":
		return h.authorization(f.Value, place)
	case "cookie":
		return h.cookies(f.Value)
	}
	return h.named(f.Name, f.Value, place)
}

// authorization returns the value of the header Authorization without its secret, but with its scheme.
func (h *secretHider) authorization(value, place string) string {
	scheme, secret, found := strings.Cut(strings.TrimSpace(value), " ")
	switch {
	case !isLiteral(value) && !strings.EqualFold(scheme, "Basic"):
		return value
	case !found:
		return h.hide("AUTHORIZATION", value, place)
	case strings.EqualFold(scheme, "Basic"):
		return "Basic " + h.pair(strings.TrimSpace(secret), place)
	case strings.EqualFold(scheme, "Bearer"):
		return scheme + " " + h.hide("TOKEN", strings.TrimSpace(secret), place)
	}
	return scheme + " " + h.hide("AUTHORIZATION", strings.TrimSpace(secret), place)
}

// pair returns "user:password" without the password. The pair may be in base64.
func (h *secretHider) pair(text, place string) string {
	if plain, err := base64.StdEncoding.DecodeString(text); err == nil && strings.Contains(string(plain), ":") {
		text = string(plain)
	}
	user, password, found := strings.Cut(text, ":")
	if !found {
		user, password, found = strings.Cut(text, " ")
	}
	switch {
	case !found && isLiteral(text):
		return h.hide("PASSWORD", text, place)
	case !found || !isLiteral(password):
		return text
	}
	return user + ":" + h.hide("PASSWORD", password, place)
}

// cookies returns the header Cookie with a variable in the place of each value.
func (h *secretHider) cookies(value string) string {
	var pairs []string
	for pair := range strings.SplitSeq(value, ";") {
		name, text, found := strings.Cut(strings.TrimSpace(pair), "=")
		if found && isLiteral(text) {
			text = h.hide("COOKIE_"+name, text, "the cookie "+name)
		}
		if found {
			name += "=" + text
		}
		pairs = append(pairs, name)
	}
	return strings.Join(pairs, "; ")
}

// named returns the value of a field without secrets.
func (h *secretHider) named(name, value, place string) string {
	if isLiteral(value) && h.rules.Name(name) {
		return h.hide(name, value, place)
	}
	return h.texts(value, place)
}

// texts replaces the secrets that are recognised by their form.
func (h *secretHider) texts(text, place string) string {
	for _, secret := range h.rules.Texts(text) {
		if isLiteral(secret) {
			text = strings.ReplaceAll(text, secret, h.hide("TOKEN", secret, place))
		}
	}
	return text
}

// urlPassword matches the user and the password in a URL.
var urlPassword = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*://[^/?#@:]*):([^/?#@]+)@`)

// url returns a URL without secrets.
func (h *secretHider) url(target string) string {
	if m := urlPassword.FindStringSubmatch(target); m != nil && isLiteral(m[2]) {
		target = m[1] + ":" + h.hide("PASSWORD", m[2], "the URL") + "@" + target[len(m[0]):]
	}
	base, query, found := strings.Cut(target, "?")
	base = h.texts(base, "the URL")
	if !found {
		return base
	}
	query, fragment, hasFragment := strings.Cut(query, "#")
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, has := strings.Cut(pair, "=")
		if has {
			pairs[i] = name + "=" + h.named(name, value, "the query parameter "+name)
		}
	}
	target = base + "?" + strings.Join(pairs, "&")
	if hasFragment {
		target += "#" + fragment
	}
	return target
}

// jsonMember matches a member of a JSON object whose value is a string.
var jsonMember = regexp.MustCompile(`"((?:[^"\\\n]|\\.)*)"(\s*:\s*)"((?:[^"\\\n]|\\.)*)"`)

// bodyText returns a text without the values of JSON members whose names are those of secrets.
func (h *secretHider) bodyText(text string) string {
	text = jsonMember.ReplaceAllStringFunc(text, func(m string) string {
		parts := jsonMember.FindStringSubmatch(m)
		var value string
		if json.Unmarshal([]byte(`"`+parts[3]+`"`), &value) != nil || !isLiteral(value) || !h.rules.Name(parts[1]) {
			return m
		}
		return `"` + parts[1] + `"` + parts[2] + `"` + h.hide(parts[1], value, "the member "+parts[1]) + `"`
	})
	return h.texts(text, "the body")
}

// hide returns the variable that replaces a secret. Equal secrets have the same variable.
func (h *secretHider) hide(name, secret, place string) string {
	if plain, err := url.QueryUnescape(secret); err == nil && h.names[plain] != "" {
		secret = plain
	}
	variable, known := h.names[secret]
	if !known {
		variable = h.free(variableFor(name))
		h.names[secret] = variable
		h.found = append(h.found, HiddenSecret{Variable: variable, Request: h.label, Place: place, Value: secret})
	}
	return "{{" + variable + "}}"
}

// free returns a name that is not the name of another variable, and takes it.
func (h *secretHider) free(name string) string {
	own := name
	for n := max(h.last[name], 1) + 1; h.taken[own]; n++ {
		own, h.last[name] = fmt.Sprintf("%s_%d", name, n), n
	}
	h.taken[own] = true
	return own
}

// variableFor returns the name of a variable for the value of a field: X-Api-Key becomes X_API_KEY, and apiKey becomes
// API_KEY.
func variableFor(field string) string {
	var b strings.Builder
	small := false
	for _, r := range field {
		upper := r >= 'A' && r <= 'Z'
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case upper && small:
			b.WriteString("_" + string(r))
		case upper:
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
		small = r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
	}
	name := strings.Trim(strings.ToUpper(b.String()), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "SECRET"
	}
	return name
}
