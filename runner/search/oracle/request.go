package oracle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// requestDefect is a violation of the spec in a request.
type requestDefect struct {
	kind string // missing, wrongType or noJSON
	what string // describes the defect
}

// The kinds of defects.
const (
	missing   = "missing required"
	wrongType = "wrong type"
	noJSON    = "not JSON"
)

// examineRequest checks that an invalid request was not accepted. It checks the request as it was sent,
// and only for defects that even a lenient service must refuse.
func (e *examination) examineRequest(i int, op *operation, x *model.Exchange) {
	if !e.rules.on[invalidAccepted] || !e.ok(i) || x.Reply.Status == multiStatus || x.Request.Truncated ||
		!slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, op.Method) || !op.addressed(x.Request.URL) {
		return
	}
	d, found := op.paramDefect(x.Request, e.rules.keys)
	if !found {
		d, found = op.bodyDefect(x.Request)
	}
	if found && !describesError(x.Reply.Body) {
		e.add(Finding{
			Oracle:    invalidAccepted,
			Call:      i,
			Signature: d.kind,
			Expected:  "4xx, as " + d.what,
			Actual:    cmp.Or(model.Excerpt(x.Reply.Body), strconv.Itoa(x.Reply.Status)),
		})
	}
}

// describesError reports whether a JSON body says that the request failed.
func describesError(body []byte) bool {
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) != nil {
		return false
	}
	for name, value := range object {
		text := strings.ToLower(string(value))
		switch strings.ToLower(name) {
		case "error", "errors", "fault":
			if !slices.Contains([]string{"null", "false", "[]", "{}", `""`, "0"}, text) {
				return true
			}
		case "success", "ok", "valid":
			if text == "false" {
				return true
			}
		case "status":
			if text == `"error"` || text == `"fail"` || text == `"failed"` {
				return true
			}
		}
	}
	return false
}

// paramDefect returns the first defect of a request's query or headers: a required parameter is missing, or the
// value of a query parameter should be a number or a boolean and is not. It ignores path parameters, because a
// path with a wrong value may belong to another operation. It also ignores the parameters in keys, which are
// credentials. It returns false if there is no defect, or if it cannot parse the query.
func (o *operation) paramDefect(r model.Request, keys []credentialPlace) (requestDefect, bool) {
	_, raw, _ := strings.Cut(r.URL, "?")
	query, err := url.ParseQuery(raw)
	if err != nil {
		return requestDefect{}, false
	}
	for _, p := range o.Params {
		if slices.Contains(keys, credentialPlace{p.In, p.Name}) {
			continue
		}
		switch p.In {
		case model.InQuery:
			if d, found := queryDefect(p, query); found {
				return d, true
			}
		case model.InHeader:
			name := textproto.CanonicalMIMEHeaderKey(p.Name)
			if mandatory(p) && len(r.Header[name]) == 0 && !slices.Contains([]string{"Accept", "Content-Type", "Authorization"}, name) {
				return requestDefect{missing, fmt.Sprintf("the header %q is required", p.Name)}, true
			}
		}
	}
	return requestDefect{}, false
}

// mandatory reports whether a parameter is required and has no default.
func mandatory(p model.Parameter) bool {
	return p.Required && (p.Schema == nil || p.Schema.Default == nil)
}

// queryDefect returns the defect of a query parameter, false if it has none.
func queryDefect(p model.Parameter, query url.Values) (requestDefect, bool) {
	values := query[p.Name]
	if len(values) == 0 {
		typed := p.Schema != nil && p.Schema.Type != ""
		composed := typed && !isScalar(p.Schema.Type) // the parts may be sent under other names
		if mandatory(p) && !composed {
			return requestDefect{missing, fmt.Sprintf("the parameter %q is required", p.Name)}, true
		}
		return requestDefect{}, false
	}
	scalar := p.Schema != nil && isScalarSchema(p.Schema) && p.Schema.Type != "string"
	if scalar && len(values) == 1 && !acceptsText(p.Schema.Type, values[0]) {
		what := fmt.Sprintf("the parameter %q is of type %s, not %s", p.Name, p.Schema.Type, brief(values[0]))
		return requestDefect{wrongType, what}, true
	}
	return requestDefect{}, false
}

// isScalar reports whether a type of a schema is that of a string, a number or a boolean.
func isScalar(kind string) bool {
	return slices.Contains([]string{"string", "integer", "number", "boolean"}, kind)
}

// isScalarSchema reports whether a schema has one scalar type and consists of no other schemas.
func isScalarSchema(s *model.Schema) bool {
	return isScalar(s.Type) && len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) == 0
}

// acceptsText reports whether a lenient service accepts a text as a value of a scalar type. Many services
// treat an empty text as a missing value.
func acceptsText(kind, text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	switch {
	case text == "" || maskedText(text) || kind == "string":
		return true
	case kind == "boolean":
		return slices.Contains([]string{"true", "false", "0", "1", "t", "f", "y", "n", "yes", "no", "on", "off"}, text)
	}
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || strings.Contains(err.Error(), "out of range")
}

// bodyDefect returns what is wrong with the body of a request that must have a body, or whose body is JSON.
// It returns false if nothing is wrong.
func (o *operation) bodyDefect(r model.Request) (requestDefect, bool) {
	if o.Body == nil || o.Method == "GET" || o.Method == "DELETE" {
		return requestDefect{}, false
	}
	media := mediaOf(r.Header)
	if len(r.Body) == 0 {
		return requestDefect{missing, "the body is required"}, o.Body.Required && media == ""
	}
	at := slices.IndexFunc(o.Body.Contents, func(c model.Content) bool { return coversMedia(c.Media, media) })
	if at < 0 || !jsonMedia(media) || o.Body.Contents[at].Schema == nil {
		return requestDefect{}, false
	}
	value, ok := read(r.Body)
	if !ok {
		return requestDefect{noJSON, "the body is not JSON"}, !tooDeep(r.Body)
	}
	d := requirements{partial: o.Method == "PATCH"}
	return d.value(o.Body.Contents[at].Schema, value, "", 0)
}

// requirements checks a JSON value of a request for wrong types and missing required properties, and for
// nothing else.
type requirements struct {
	// partial is true if properties may be missing, and null removes a property, as in a PATCH. A body that is null
	// then changes nothing.
	partial bool
	steps   int // values checked so far
}

// value returns the first defect of a value, false if there is none. place is the value's JSON pointer, with
// "*" for each index.
func (r *requirements) value(s *model.Schema, v any, place string, nested int) (requestDefect, bool) {
	r.steps++
	if s == nil || r.steps > maxSteps || nested > maxNested || v == nil && (nullable(s, 0) || r.partial && place == "") {
		return requestDefect{}, false
	}
	if !acceptsJSON(s.Type, v) {
		return requestDefect{wrongType, fmt.Sprintf("%s is of type %s, not %s", cmp.Or(place, "the body"), s.Type, brief(v))}, true
	}
	for _, part := range s.AllOf {
		if w, found := r.value(part, v, place, nested+1); found {
			return w, true
		}
	}
	for _, alternatives := range [][]*model.Schema{s.AnyOf, s.OneOf} {
		if w, found := r.alternatives(alternatives, v, place, nested+1); found {
			return w, true
		}
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if w, found := r.value(s.Items, item, place+"/*", nested+1); found {
				return w, true
			}
		}
	case map[string]any:
		return r.object(s, v, place, nested)
	}
	return requestDefect{}, false
}

// alternatives returns the defect for the first of the schemas if the value matches none of them. It returns
// false if the value matches one, or if there are no schemas.
func (r *requirements) alternatives(all []*model.Schema, v any, place string, nested int) (first requestDefect, found bool) {
	for _, s := range all {
		w, wrong := r.value(s, v, place, nested)
		if !wrong {
			return requestDefect{}, false
		}
		if !found {
			first, found = w, true
		}
	}
	return first, found
}

// object returns the first defect of an object's properties, false if there is none.
func (r *requirements) object(s *model.Schema, v map[string]any, place string, nested int) (requestDefect, bool) {
	for _, p := range s.Properties {
		field, has := v[p.Name]
		must := p.Required && !p.Schema.ReadOnly && p.Schema.Default == nil && !r.partial && !maskedName(v)
		inside := place + "/" + pointer.Escape(p.Name)
		switch {
		case !has && must:
			return requestDefect{missing, inside + " is required"}, true
		case !has || p.Schema.ReadOnly || field == nil && !must:
			continue // many services treat null as missing
		}
		if w, found := r.value(p.Schema, field, inside, nested+1); found {
			return w, true
		}
	}
	return requestDefect{}, false
}

// acceptsJSON reports whether a lenient service accepts a JSON value as a value of a type. "" is any type.
func acceptsJSON(kind string, v any) bool {
	switch v := v.(type) {
	case string:
		return kind == "" || isScalar(kind) && acceptsText(kind, v)
	case json.Number:
		return kind == "" || kind == "number" || kind == "integer" && isInteger(v) || kind == "boolean" && (v == "0" || v == "1")
	case bool:
		return kind == "" || kind == "boolean"
	case []any:
		return kind == "" || kind == "array"
	case map[string]any:
		return kind == "" || kind == "object"
	}
	return kind == ""
}
