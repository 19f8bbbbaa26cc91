package match

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// LoginGrant is a credential that a log-in returns and that secured operations require. It is not treated as a value
// that operations share: nearly all operations of an API may require it, so it would connect unrelated operations.
type LoginGrant struct {
	ID     string // such as "credential bearerAuth"
	Scheme string
	// From is the log-in operation. Token is the name of the property or header in its answer that has the credential.
	From  model.OpID
	Token string
	Value string       // the ID of the property's ValueUse, "" for none
	To    []model.OpID // the operations that require the credential
	Why   string       // the evidence, in a few words
}

var (
	// logInWord matches the last segment of a log-in's path.
	logInWord = regexp.MustCompile(
		`(?i)(^|[._-])(log-?_?in|log-?on|sign-?_?in|authenticate|authentication|auth|tokens?|sessions?|jwt)([._-]|$)`,
	)
	// tokenName matches the name of a property with a token.
	tokenName = regexp.MustCompile(`(?i)^((access|auth|bearer|id|session|api|jwt)[_-]?)?(token|jwt)$`)
	// tokenHeader matches the name of a header with a token.
	tokenHeader = regexp.MustCompile(`(?i)^(authorization|(x-)?(auth|access|session)[_-]?token)$`)
)

// LoginGrants returns the credentials that log-ins of an API return for its secured operations, in
// the order of the document. It returns nil in modes other than DefaultMode.
func (m *Matcher) LoginGrants(spec *model.Spec) (all []LoginGrant) {
	if m.Mode != DefaultMode {
		return nil
	}
	for _, from := range spec.Operations {
		for _, s := range spec.SecuritySchemes {
			token := tokenOf(from, s)
			if token == "" {
				continue
			}
			c := LoginGrant{
				ID: "credential " + s.Name, Scheme: s.Name, From: from.ID, Token: token,
				Why: fmt.Sprintf("%s looks like a log-in, and its answer has %q", from.ID, token),
			}
			for _, to := range spec.Operations {
				if to != from && slices.Contains(to.Schemes, s.Name) {
					c.To = append(c.To, to.ID)
				}
			}
			for _, u := range m.uses[from] {
				if u.Out && u.Name == token {
					c.Value = u.ID
				}
			}
			if len(c.To) > 0 {
				all = append(all, c)
			}
		}
	}
	return all
}

// tokenOf returns the name of the property or header in an operation's answer that has the credential for a scheme. It
// returns "" if there is none, if the operation does not look like a log-in, or if requests do not send the credential
// unchanged.
func tokenOf(op *model.Operation, s model.SecurityScheme) string {
	if !logsIn(op) || !sendsToken(s) {
		return ""
	}
	for _, r := range answers(op.Responses) {
		for _, h := range r.Headers {
			if s.In == model.InCookie && strings.EqualFold(h.Name, "Set-Cookie") ||
				s.In != model.InCookie && tokenHeader.MatchString(h.Name) {
				return h.Name
			}
		}
		for _, c := range r.Contents {
			if name := tokenIn(c.Schema, tokenDepth); s.In != model.InCookie && name != "" {
				return name
			}
		}
	}
	return ""
}

// sendsToken reports whether requests with this scheme send the credential as the log-in returned it.
func sendsToken(s model.SecurityScheme) bool {
	return slices.Contains([]string{"bearer", "apiKey", "oauth2", "openIdConnect"}, s.Kind)
}

// logsIn reports whether an operation looks like a log-in: it is a GET or a POST whose path has no parameters and ends
// in a word for logging in.
func logsIn(op *model.Operation) bool {
	if op.Method != "POST" && op.Method != "GET" || strings.Contains(op.Path, "{") {
		return false
	}
	path := strings.TrimSuffix(op.Path, "/")
	return logInWord.MatchString(path[strings.LastIndexByte(path, '/')+1:])
}

// tokenDepth is the number of levels of nested objects in which a token is searched for.
const tokenDepth = 3

// tokenIn returns the name of a property with a token in an object, "" if there is none. It searches depth levels of
// nested objects.
func tokenIn(s *model.Schema, depth int) string {
	if s == nil || depth == 0 {
		return ""
	}
	for _, p := range s.Properties {
		if tokenName.MatchString(p.Name) && (p.Schema == nil || p.Schema.Type == "" || p.Schema.Type == "string") {
			return p.Name
		}
	}
	for _, p := range s.Properties {
		if name := tokenIn(p.Schema, depth-1); name != "" {
			return name
		}
	}
	return ""
}
