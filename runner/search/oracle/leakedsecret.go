package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// secretNames matches the names of properties that are a password, whatever the spec says.
var secretNames = regexp.MustCompile(`(?i)^(.*[_-])?(password|passwd|passphrase|pwd)$|[a-z](Password|Passwd|Passphrase|Pwd)$`)

// privateKey matches the beginning of a private key.
var privateKey = regexp.MustCompile(`-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----`)

// keyWords matches names and paths that are about keys.
var keyWords = regexp.MustCompile(`(?i)key|cert|pem|credential|secret|identit|crypto|tls|ssl`)

// minSecretLength is the length in bytes from which a secret is recognized in an answer.
const minSecretLength = 4

// examineSecrets checks that a successful answer has no password that a request of the test sent, and no private key.
// It ignores operations with which users log in, register or reset a password. It ignores a private key if the
// operation is about keys, if the name of the property says that it is a key, or if a request of the test sent a
// private key.
func (e securityExamination) examineSecrets(i int, op *operation) {
	r := e.exchanges[i].Reply
	if !e.ok(i) || r.Truncated || entryPaths.MatchString(op.Path) || recoveryPaths.MatchString(op.Path) {
		return
	}
	answer, ok := read(r.Body)
	if found := privateKey.Find(r.Body); found != nil && !keyWords.MatchString(op.Path+op.Name+op.Summary) && !isKeyProperty(answer) &&
		!slices.ContainsFunc(e.exchanges[:i+1], func(x model.Exchange) bool { return privateKey.Match(x.Request.Body) }) {
		e.add(Finding{
			Oracle: leakedSecret, Call: i, Expected: "no private key", Actual: model.Excerpt(found), Signature: "private key",
		})
	}
	if !ok {
		return
	}
	for k := i; k >= 0; k-- {
		from := e.op(k)
		body, isJSON := read(e.exchanges[k].Request.Body)
		if from == nil || !e.ok(k) || !isJSON {
			continue
		}
		for _, secret := range from.secretsIn(body) {
			if hasProperty(answer, secret, 0) {
				e.add(Finding{
					Oracle:    leakedSecret,
					Call:      i,
					Expected:  fmt.Sprintf("no %q, which call %d has sent", secret.name, k+1),
					Actual:    fmt.Sprintf("the same %q", secret.name),
					Signature: secret.name,
					Compared:  []int{k},
				})
				return
			}
		}
	}
}

// isKeyProperty reports whether a JSON answer has a private key in a property whose name says so. Such an answer
// shows the key on purpose, for example to an administrator who reads the settings.
func isKeyProperty(answer any) (found bool) {
	walkProperties(answer, 0, func(p property) {
		found = found || privateKey.MatchString(p.text) && keyWords.MatchString(p.name)
	})
	return found
}

// property is a property of a JSON object with a text.
type property struct{ name, text string }

// secretsIn returns the properties of a request's body that are secrets: by their schema (format password or
// writeOnly) or by their name.
func (o *operation) secretsIn(body any) (all []property) {
	if o.secret == nil {
		o.secret = map[string]bool{}
		if o.Body != nil {
			for _, c := range o.Body.Contents {
				addSecretNames(c.Schema, o.secret, map[*model.Schema]bool{})
			}
		}
	}
	walkProperties(body, 0, func(p property) {
		if (o.secret[p.name] || secretNames.MatchString(p.name)) && len(p.text) >= minSecretLength && !maskedText(p.text) {
			all = append(all, p)
		}
	})
	return all
}

// addSecretNames adds the names of properties that a schema declares to be secret.
func addSecretNames(s *model.Schema, names map[string]bool, seen map[*model.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	for _, p := range s.Properties {
		if p.Schema.Type == "string" && (p.Schema.WriteOnly || p.Schema.Format == "password") {
			names[p.Name] = true
		}
		addSecretNames(p.Schema, names, seen)
	}
	addSecretNames(s.Items, names, seen)
	for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
		addSecretNames(part, names, seen)
	}
}

// walkProperties calls visit for each property with a text in a JSON value.
func walkProperties(v any, nested int, visit func(property)) {
	if nested > maxDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if text, ok := inner.(string); ok {
				visit(property{name, text})
			}
			walkProperties(inner, nested+1, visit)
		}
	case []any:
		for _, inner := range v {
			walkProperties(inner, nested+1, visit)
		}
	}
}

func hasProperty(v any, want property, nested int) (found bool) {
	walkProperties(v, nested, func(p property) {
		found = found || p.text == want.text && strings.EqualFold(p.name, want.name)
	})
	return found
}
