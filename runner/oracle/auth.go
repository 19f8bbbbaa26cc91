package oracle

import (
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// key is a place where a request carries who sends it.
type key struct {
	in   model.Place
	name string
}

// keysOf returns where an operation's credentials travel; none where everybody
// may call it, or where that cannot be told from a request.
func keysOf(op *model.Operation, schemes []model.Scheme) []key {
	if !op.Secured || entrance(op) {
		return nil
	}
	keys := []key{{model.InHeader, "Authorization"}, {model.InHeader, "Cookie"}}
	for _, s := range schemes {
		switch {
		case !slices.Contains(op.Schemes, s.Name):
		case s.Kind == "apiKey":
			keys = append(keys, key{s.In, s.Key})
		case s.Kind == "mutualTLS":
			return nil
		}
	}
	return keys
}

var doors = regexp.MustCompile(`(?i)(log-?in|log-?on|sign-?in|sign-?up|regist(er|ration)|tokens?|sessions?|authenticat(e|ion)|oauth2?)$`)

// entrance tells whether an operation is the one that gives credentials, which
// many specs forget to leave out of what they secure.
func entrance(op *model.Operation) bool {
	return op.Method == "POST" && doors.MatchString(strings.TrimSuffix(op.Path, "/"))
}

// auth judges whether a call without credentials should have gone well.
func (v *verdict) auth(i int, op *operation, x *model.Exchange) {
	if len(op.keys) == 0 || !v.ok(i) || v.test.Calls[i].User != "" || identified(op.keys, x.Request) {
		return
	}
	v.add(Finding{authIgnored, i, "401 or 403, as nobody is logged in", model.Excerpt(x.Reply.Body), "no credentials"})
}

// identified tells whether a request carries something that may be a
// credential.
func identified(keys []key, r model.Request) bool {
	_, query, _ := strings.Cut(r.URL, "?")
	values, err := url.ParseQuery(query)
	return slices.ContainsFunc(keys, func(k key) bool {
		switch k.in {
		case model.InQuery:
			return err != nil || values.Has(k.name)
		case model.InHeader:
			return len(r.Header[textproto.CanonicalMIMEHeaderKey(k.name)]) > 0
		}
		return false // cookies are in their header
	})
}
