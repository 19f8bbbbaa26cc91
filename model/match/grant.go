package match

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// LoginGrant is what lets callers in: the answer to a log-in holds it, and operations
// that the document secures take it. It is no value that operations share: all of an
// API's operations may take it, and belong together no more for that.
type LoginGrant struct {
	ID     string // such as "credential bearerAuth"
	Scheme string
	// From is the log-in, and Token the name of the property or header that holds the
	// credential in its answer.
	From  model.OpID
	Token string
	Value string // the identity under which that is a value of the log-in, "" for none
	To    []model.OpID
	Why   string // the evidence, in a few words
}

var (
	// logInWord is what the last part of a log-in's path, or its operationId, is called.
	logInWord = regexp.MustCompile(
		`(?i)(^|[._-])(log-?_?in|log-?on|sign-?_?in|authenticate|authentication|auth|tokens?|sessions?|jwt)([._-]|$)`,
	)
	// tokenName is what the property with a token is called.
	tokenName = regexp.MustCompile(`(?i)^((access|auth|bearer|id|session|api|jwt)[_-]?)?(token|jwt)$`)
	// tokenHeader is what the header with a token is called.
	tokenHeader = regexp.MustCompile(`(?i)^(authorization|(x-)?(auth|access|session)[_-]?token)$`)
)

// LoginGrants returns what the log-ins of an API give to its secured operations, in
// the order of the document. Only the deep reading of qualified values has any.
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

// tokenOf returns the name of what in an operation's answer a scheme may ask for, ""
// where the operation is no log-in or answers no such thing.
func tokenOf(op *model.Operation, s model.SecurityScheme) string {
	if !logsIn(op) || !bears(s) {
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

// bears reports whether requests carry a scheme's credential as it was answered.
func bears(s model.SecurityScheme) bool {
	return slices.Contains([]string{"bearer", "apiKey", "oauth2", "openIdConnect"}, s.Kind)
}

// logsIn reports whether an operation looks like a log-in: it names no thing, and is
// called so.
func logsIn(op *model.Operation) bool {
	if op.Method != "POST" && op.Method != "GET" || strings.Contains(op.Path, "{") {
		return false
	}
	path := strings.TrimSuffix(op.Path, "/")
	return logInWord.MatchString(path[strings.LastIndexByte(path, '/')+1:])
}

// tokenDepth is how deep in an answer a token is looked for.
const tokenDepth = 3

// tokenIn returns the name of an object's property that holds a token.
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
