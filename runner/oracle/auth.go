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
	if slices.ContainsFunc(op.Schemes, func(name string) bool {
		return !slices.ContainsFunc(schemes, func(s model.Scheme) bool { return s.Name == name })
	}) {
		return nil // the spec does not say where they travel
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

// doors are the ends of the paths by which users come in and go.
var doors = regexp.MustCompile(`(?i)(log-?in|log-?on|log-?out|log-?off|sign-?in|sign-?up|sign-?out|regist(er|ration)|tokens?|sessions?|authenticat(e|ion)|oauth2?)$`)

// lost are the ends of the paths, without parameters, for users who cannot log in.
var lost = regexp.MustCompile(`(?i)(refresh|forgot|forgotten|reset|verify|verification|confirm|activate)(-?password)?$`)

// open are the ends of the paths that services answer to everybody, and that a spec
// which secures all forgets to leave out.
var open = regexp.MustCompile(`(?i)^/?$|/(healthz?|livez?|liveness|readyz?|readiness|ping|status|version|info|metrics|docs|swagger[^/]*|openapi[^/]*|favicon\.ico|robots\.txt|csrf(-?token)?)$`)

// entrance reports whether an operation is one that many specs forget to leave out of
// what they secure.
func entrance(op *model.Operation) bool {
	path := "/" + strings.Trim(op.Path, "/")
	if op.Method == "POST" && !strings.Contains(path, "{") && lost.MatchString(path) {
		return true
	}
	return op.Method == "POST" && doors.MatchString(path) || op.Method == "GET" && open.MatchString(path)
}

// auth judges whether a call without credentials should have gone well.
func (v *verdict) auth(i int, op *operation, x *model.Exchange) {
	if len(op.keys) == 0 || v.test.Calls[i].User != "" || identified(op.keys, x.Request) {
		return
	}
	if x.Reply.Status == 401 || x.Reply.Status == 403 {
		v.enforced = true
	}
	if !v.ok(i) || refusal(op, x.Reply) {
		return
	}
	v.add(Finding{
		Oracle: authIgnored, Call: i, Expected: "401 or 403, as nobody is logged in",
		Came: model.Excerpt(x.Reply.Body), Signature: "no credentials",
	})
}

// Enforces reports whether any call without credentials was refused so far: else the
// service asks nobody for them, which is one fault and not one of each operation.
func (j *Judge) Enforces() bool { return j.enforced }

// askedIn are words by which an answer asks for a log-in, whatever its status is.
var askedIn = regexp.MustCompile(`(?i)unauthori[sz]ed|unauthenticated|not (logged|authori[sz]ed|authenticated)|log ?in required|access denied|forbidden|permission denied`)

// refusal reports whether a 2xx refuses in words, or by a page for people where the
// operation declares none.
func refusal(op *operation, r model.Reply) bool {
	if strings.HasSuffix(mediaOf(r.Header), "html") {
		declared, _ := op.Response(r.Status)
		return declared == nil || !slices.ContainsFunc(declared.Contents, func(c model.Content) bool { return covers(c.Media, "text/html") })
	}
	return saysNo(r.Body) || askedIn.MatchString(message(r.Body))
}

// identified reports whether a request carries something that may be a
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
