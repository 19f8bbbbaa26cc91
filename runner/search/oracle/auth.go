package oracle

import (
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// credentialPlace is a header, query parameter or cookie that carries a credential.
type credentialPlace struct {
	in   model.Location
	name string
}

// credentialPlaces returns where the credentials of an operation are sent. It returns nil if the operation is
// public, or if a request cannot show whether it has credentials.
func credentialPlaces(op *model.Operation, schemes []model.SecurityScheme) []credentialPlace {
	if !op.Secured || isPublic(op) {
		return nil
	}
	if slices.ContainsFunc(op.Schemes, func(name string) bool {
		return !slices.ContainsFunc(schemes, func(s model.SecurityScheme) bool { return s.Name == name })
	}) {
		return nil // the spec does not define the scheme
	}
	keys := []credentialPlace{{model.InHeader, "Authorization"}, {model.InHeader, "Cookie"}}
	for _, s := range schemes {
		switch {
		case !slices.Contains(op.Schemes, s.Name):
		case s.Kind == "apiKey":
			keys = append(keys, credentialPlace{s.In, s.Key})
		case s.Kind == "mutualTLS":
			return nil
		}
	}
	return keys
}

// entryPaths matches the ends of paths with which users log in, log out or register.
var entryPaths = regexp.MustCompile(`(?i)(log-?in|log-?on|log-?out|log-?off|sign-?in|sign-?up|sign-?out` +
	`|regist(er|ration)|tokens?|sessions?|authenticat(e|ion)|oauth2?)$`)

// recoveryPaths matches the ends of paths for users who cannot log in, such as to reset a password.
var recoveryPaths = regexp.MustCompile(`(?i)(refresh|forgot|forgotten|reset|verify|verification|confirm|activate)(-?password)?$`)

// publicPaths matches paths that are usually public. Specs with global security often forget to exempt
// them.
var publicPaths = regexp.MustCompile(`(?i)^/?$|/(healthz?|livez?|liveness|readyz?|readiness|ping|status|version|info` +
	`|metrics|docs|swagger[^/]*|openapi[^/]*|favicon\.ico|robots\.txt|csrf(-?token)?)$`)

// isPublic reports whether an operation is probably public although its spec secures it.
func isPublic(op *model.Operation) bool {
	path := "/" + strings.Trim(op.Path, "/")
	if op.Method == "POST" && !strings.Contains(path, "{") && recoveryPaths.MatchString(path) {
		return true
	}
	return op.Method == "POST" && entryPaths.MatchString(path) || op.Method == "GET" && publicPaths.MatchString(path)
}

// examineAuth checks that a call without credentials is refused if the spec requires credentials.
func (e *examination) examineAuth(i int, op *operation, x *model.Exchange) {
	if len(op.keys) == 0 || e.test.Calls[i].User != "" || mayHaveCredential(op.keys, x.Request) {
		return
	}
	if x.Reply.Status == 401 || x.Reply.Status == 403 {
		e.rules.enforced = true
	}
	if !e.ok(i) || isRefusal(op, x.Reply) {
		return
	}
	e.add(Finding{
		Oracle:    authIgnored,
		Call:      i,
		Expected:  "401 or 403, as the call has no credentials",
		Actual:    model.Excerpt(x.Reply.Body),
		Signature: "no credentials",
	})
}

// EnforcesAuth reports whether any call without credentials was refused so far. If not, missing
// authentication counts as one fault of the whole service, not as one fault of each operation.
func (r *Rules) EnforcesAuth() bool { return r.enforced }

// loginWords matches messages that ask for a log-in or deny permission, whatever the status is.
var loginWords = regexp.MustCompile(`(?i)unauthori[sz]ed|unauthenticated|not (logged|authori[sz]ed|authenticated)` +
	`|log ?in required|access denied|forbidden|permission denied`)

// isRefusal reports whether an answer refuses the request although its status is 2xx. There are two such cases:
//   - The answer is an HTML page, such as a log-in form, and the operation declares no HTML for the status.
//   - The answer is not HTML, and its body describes an error, asks for a log-in or denies permission.
func isRefusal(op *operation, r model.Reply) bool {
	if strings.HasSuffix(mediaOf(r.Header), "html") {
		declared, _ := op.Response(r.Status)
		return declared == nil || !slices.ContainsFunc(
			declared.Contents, func(c model.Content) bool { return coversMedia(c.Media, "text/html") },
		)
	}
	return describesError(r.Body) || loginWords.MatchString(errorMessage(r.Body))
}

// mayHaveCredential reports whether a request has a value in one of the places of credentials. It also
// returns true if it cannot read the query in which a credential may be.
func mayHaveCredential(keys []credentialPlace, r model.Request) bool {
	_, query, _ := strings.Cut(r.URL, "?")
	values, err := url.ParseQuery(query)
	return slices.ContainsFunc(keys, func(k credentialPlace) bool {
		switch k.in {
		case model.InQuery:
			return err != nil || values.Has(k.name)
		case model.InHeader:
			return len(r.Header[textproto.CanonicalMIMEHeaderKey(k.name)]) > 0
		}
		return false // cookies are in the header Cookie
	})
}
