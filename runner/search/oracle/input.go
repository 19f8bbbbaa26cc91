package oracle

import (
	"maps"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"sonde/model"
)

// SeverityWith returns the severity of a fault of an oracle. in is the class of the request. For a valid request it is
// the severity of the oracle. An undeclared server error after an invalid request is only a warning: the service should
// refuse the request, but with another status. All other faults after an invalid request, such as the end of the
// service, keep their severity.
//
// A valid request may also name a resource that does not exist. This does not change the severity: clients make such
// requests after each deletion, and it is only an estimate that a parameter names a resource.
func SeverityWith(name string, in model.Input) model.Severity {
	if name == serverError && in.Class == model.InputInvalid {
		return model.SeverityWarning
	}
	return SeverityOf(name)
}

// InputOf returns the class of the request of a call, as it was sent. exchanges has the exchanges of the test's first
// calls. InputOf returns the zero Input if the request or its operation is not known.
func (r *Rules) InputOf(t model.Test, exchanges []model.Exchange, call int) model.Input {
	op := r.ops[t.Calls[call].Op]
	x := exchanges[call]
	if op == nil || x.Request.URL == "" {
		return model.Input{}
	}
	c := inputCheck{rules: r, op: op, request: x.Request}
	if v := c.violation(t.Calls[call].User); v != nil {
		place := strings.Replace(v.place, "/", " /", 1) // "body/name" is "body /name"
		return model.Input{Class: model.InputInvalid, Constraint: v.constraint, Place: place}
	}
	if name := r.unknownResource(t, exchanges, call); name != "" {
		return model.Input{Class: model.InputUnknown, Place: "path " + name}
	}
	return model.Input{Class: model.InputValid}
}

// inputViolation is a constraint of the spec that a request violates.
type inputViolation struct{ constraint, place string }

// inputCheck compares a request with its operation.
type inputCheck struct {
	rules   *Rules
	op      *operation
	request model.Request
	partial bool // properties may be missing, as in a PATCH
	steps   int  // values checked so far
}

// violation returns the first violation of the request, nil if there is none. user is the user who makes the call, ""
// for none.
func (c *inputCheck) violation(user string) *inputViolation {
	path, raw, _ := strings.Cut(c.request.URL, "?")
	if v := c.pathViolation(path); v != nil {
		return v
	}
	query, err := url.ParseQuery(raw)
	if err != nil || !utf8.ValidString(unescaped(raw)) {
		return &inputViolation{model.ConstraintSyntax, "the query"}
	}
	for _, p := range c.op.Params {
		if v := c.paramViolation(p, query); v != nil {
			return v
		}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !c.declaresQuery(name) {
			return &inputViolation{model.ConstraintUndeclared, "query " + name}
		}
	}
	if v := c.bodyViolation(); v != nil {
		return v
	}
	if len(c.op.keys) > 0 && user == "" && !mayHaveCredential(c.op.keys, c.request) {
		return &inputViolation{model.ConstraintCredentials, ""}
	}
	return nil
}

// pathViolation returns the violation of the path or of a parameter in it, nil if there is none.
func (c *inputCheck) pathViolation(path string) *inputViolation {
	if !c.op.addressed(path) {
		return &inputViolation{model.ConstraintSyntax, "the path"}
	}
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, want := range c.op.segments {
		name, is := wholeParameter(want)
		if !is {
			continue
		}
		value, err := url.PathUnescape(segments[i])
		if err != nil || !utf8.ValidString(value) {
			return &inputViolation{model.ConstraintSyntax, "path " + name}
		}
		for _, p := range c.op.Params {
			if p.In != model.InPath || p.Name != name || p.Style != "" && p.Style != "simple" {
				continue
			}
			if v := c.texts(p.Schema, []string{value}, p, "path "+name); v != nil {
				return v
			}
		}
	}
	return nil
}

// wholeParameter returns the name of the parameter that is a whole segment of a path.
func wholeParameter(segment string) (name string, ok bool) {
	name, opened := strings.CutPrefix(segment, "{")
	name, closed := strings.CutSuffix(name, "}")
	return name, opened && closed && !strings.ContainsAny(name, "{}")
}

// paramViolation returns the violation of a parameter in the query or a header.
func (c *inputCheck) paramViolation(p model.Parameter, query url.Values) *inputViolation {
	if slices.Contains(c.rules.keys, credentialPlace{p.In, p.Name}) {
		return nil
	}
	var values []string
	switch p.In {
	case model.InQuery:
		values = query[p.Name]
	case model.InHeader:
		name := textproto.CanonicalMIMEHeaderKey(p.Name)
		if slices.Contains([]string{"Accept", "Content-Type", "Authorization"}, name) {
			return nil
		}
		values = c.request.Header[name]
	default:
		return nil // the path is checked before; cookies are in one header
	}
	place := string(p.In) + " " + p.Name
	if len(values) == 0 {
		if mandatory(p) && !isComposed(p) {
			return &inputViolation{"required", place}
		}
		return nil
	}
	if isComposed(p) {
		return nil
	}
	isList := p.Schema.Type == "array"
	if !isList && len(values) > 1 && isScalarSchema(p.Schema) {
		return &inputViolation{model.ConstraintRepeated, place}
	}
	return c.texts(p.Schema, values, p, place)
}

// isComposed reports whether the text of a parameter cannot be compared with its schema. This is so for objects, and
// for parameters that have a media type.
func isComposed(p model.Parameter) bool {
	return p.Schema == nil || p.Schema.Type == "object" || strings.Contains(p.Style, "/") || p.Style == "deepObject"
}

// declaresQuery reports whether the spec declares a query parameter with this name. It also returns true if the name
// may be a part of a declared parameter, as in filter[name], if it is empty or that of a credential, or if the
// operation's path contains a query.
func (c *inputCheck) declaresQuery(name string) bool {
	if name == "" || strings.Contains(c.op.Path, "?") {
		return true
	}
	return slices.ContainsFunc(c.op.Params, func(p model.Parameter) bool {
		return p.In == model.InQuery && (p.Name == name || isComposed(p) || strings.HasPrefix(name, p.Name+"["))
	}) || slices.ContainsFunc(c.rules.keys, func(k credentialPlace) bool { return k.in == model.InQuery && k.name == name })
}

// texts returns the violation of the texts of a parameter. A list is one text for each element, or one text with
// separators.
func (c *inputCheck) texts(s *model.Schema, values []string, p model.Parameter, place string) *inputViolation {
	if s == nil || slices.ContainsFunc(values, func(v string) bool { return maskedText(v) }) {
		return nil
	}
	if s.Type != "array" {
		return c.value(s, fromText(s, values[0]), place, 0)
	}
	if len(values) == 1 && (p.In != model.InQuery || !p.Explode) {
		separator := map[string]string{"spaceDelimited": " ", "pipeDelimited": "|"}[p.Style]
		if separator == "" {
			separator = ","
		}
		values = strings.Split(values[0], separator)
	}
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = fromText(s.Items, v)
	}
	return c.value(s, list, place, 0)
}

// bodyViolation returns the violation of the body.
func (c *inputCheck) bodyViolation() *inputViolation {
	body, declared := c.request.Body, c.op.Body
	switch {
	case c.request.Truncated:
		return nil
	case declared == nil && len(body) > 0:
		return &inputViolation{model.ConstraintUndeclared, "body"}
	case declared == nil:
		return nil
	case len(body) == 0:
		if declared.Required {
			return &inputViolation{"required", "body"}
		}
		return nil
	}
	media := mediaOf(c.request.Header)
	at := slices.IndexFunc(declared.Contents, func(content model.Content) bool { return coversMedia(content.Media, media) })
	if at < 0 {
		if len(declared.Contents) == 0 {
			return nil
		}
		return &inputViolation{model.ConstraintMedia, "body"}
	}
	schema := declared.Contents[at].Schema
	switch {
	case jsonMedia(media):
		value, ok := read(body)
		if !ok && tooDeep(body) {
			return nil
		}
		if !ok || !utf8.Valid(body) {
			return &inputViolation{model.ConstraintSyntax, "body"}
		}
		c.partial = c.op.Method == "PATCH"
		return c.value(schema, value, "body", 0)
	case media == "application/x-www-form-urlencoded" && schema != nil:
		return c.formViolation(schema, string(body))
	}
	return nil
}

// formViolation returns the violation of a form. It compares only fields that are scalars.
func (c *inputCheck) formViolation(s *model.Schema, body string) *inputViolation {
	fields, err := url.ParseQuery(body)
	if err != nil {
		return &inputViolation{model.ConstraintSyntax, "body"}
	}
	for _, p := range s.Properties {
		values := fields[p.Name]
		switch {
		case p.Schema == nil || !isScalarSchema(p.Schema):
		case len(values) == 0 && p.Required && !p.Schema.ReadOnly && p.Schema.Default == nil:
			return &inputViolation{"required", "body/" + p.Name}
		case len(values) > 0 && !maskedText(values[0]):
			if v := c.value(p.Schema, fromText(p.Schema, values[0]), "body/"+p.Name, 0); v != nil {
				return v
			}
		}
	}
	return nil
}
