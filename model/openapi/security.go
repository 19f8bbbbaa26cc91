package openapi

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// securityNeeds is the security of an operation, in the fields of a model.Operation.
type securityNeeds struct {
	secured bool
	schemes []string // the names of the schemes in all alternatives
	// alternatives are the names of the schemes in each alternative. The empty alternative is left out.
	alternatives [][]string
}

// security reads a list of security requirements. A request must satisfy one of them. If a requirement or the list is
// empty, no credentials are required. declared reports whether the document has such a list.
func (b *bundle) security(list *node, at *place) (a securityNeeds, declared bool) {
	if list == nil || list.kind == isNull {
		return securityNeeds{}, false
	}
	if list.kind != isList {
		b.add(at, list, "a list of security requirements belongs here, not %s; left out", list.what())
		return securityNeeds{}, false
	}
	a.secured = len(list.kids) > 0
	for _, alternative := range list.kids {
		if alternative.kind == isObject && len(alternative.keys) == 0 {
			a.secured = false
		}
		if names := alternative.names(); len(names) > 0 && len(names) <= maxSchemes && len(a.alternatives) < maxSchemes {
			a.alternatives = append(a.alternatives, names)
		}
		for _, name := range alternative.names() {
			if len(a.schemes) < maxSchemes && !slices.Contains(a.schemes, name) {
				a.schemes = append(a.schemes, name)
			}
		}
	}
	return a, true
}

// maxSchemes limits the number of security schemes of a document.
const maxSchemes = 100

// schemes reads the document's security schemes.
func (b *bundle) schemes() []model.SecurityScheme {
	from, at := b.root.get("securityDefinitions"), (&place{doc: b.docs.spec}).at("securityDefinitions")
	if !b.isV2 {
		from = b.root.get("components").get("securitySchemes")
		at = (&place{doc: b.docs.spec}).at("components").at("securitySchemes")
	}
	if from == nil || from.kind != isObject {
		return nil
	}
	var all []model.SecurityScheme
	for i, name := range from.keys[:min(len(from.keys), maxSchemes)] {
		n := from.kids[i]
		if ref := n.get("$ref"); ref != nil {
			n, _, _ = b.follow(ref, at.at(name), nil)
		}
		s := scheme(name, n)
		if s.Kind != "" {
			all = append(all, s)
		}
		if device := n.get("flows").get("deviceAuthorization"); device != nil && s.Flow == "" {
			b.add(at.at(name).at("flows").at("deviceAuthorization"), device,
				"the flow deviceAuthorization of %q needs a person; log in yourself, and give the token as a header of a user", short(name))
		}
	}
	return all
}

// scheme reads one security scheme. If the type of the scheme is unknown, Kind is "".
func scheme(name string, n *node) model.SecurityScheme {
	s := model.SecurityScheme{Name: name}
	switch kind := n.str("type"); kind {
	case "basic":
		s.Kind = kind
	case "http":
		s.Kind = strings.ToLower(n.str("scheme"))
	case "apiKey":
		s.Kind, s.In, s.Key = kind, model.Location(n.str("in")), n.str("name")
		if m := keyPrefix.FindStringSubmatch(n.str("description")); m != nil {
			s.Prefix = m[1]
		}
	case "oauth2", "openIdConnect":
		s.Kind = kind
		s.TokenURL, s.Flow = tokenURL(n)
	}
	return s
}

// keyPrefix matches the word before an API key in a description, such as "Token" in "Token xxxxxx.yyyyyyy" or "Token:
// xxxxxx.yyyyyyy".
var keyPrefix = regexp.MustCompile(`\b(Bearer|Token|JWT):?\s+(?:[<{\[$]|\.\.\.|xxx|eyJ|[A-Z_]*TOKEN\b)`)

// flows are the OAuth 2 flows that have a token URL, with their names in OpenAPI 3 and in 2.0. The flow that a
// program can use most easily comes first.
var flows = []struct{ name, two string }{
	{"clientCredentials", "application"}, {"password", "password"}, {"authorizationCode", "accessCode"},
}

// tokenURL returns the token URL of an OAuth 2 scheme and the flow that has this URL. If the scheme has none of the
// known flows, flow is "", but url may still be set.
func tokenURL(n *node) (url, flow string) {
	for _, f := range flows {
		if u := n.get("flows").get(f.name).str("tokenUrl"); u != "" {
			return u, f.name
		}
		if n.str("flow") == f.two {
			return n.str("tokenUrl"), f.name
		}
	}
	return n.str("tokenUrl"), ""
}
