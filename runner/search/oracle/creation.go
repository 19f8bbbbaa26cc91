package oracle

import (
	"regexp"
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// examineCreation checks that a created resource can be found. The answer must have a Location, Content-Location or
// Link header, or else the answer or the request must have a value that may be the resource's id. examineCreation
// accepts answers that it cannot read.
func (e *examination) examineCreation(i int, op *operation, x *model.Exchange) {
	if x.Reply.Status != created || op.Method != "POST" || op.element == "" || x.Reply.Truncated {
		return
	}
	if !e.rules.on[creationLost] {
		return
	}
	for _, name := range []string{"Location", "Content-Location", "Link"} {
		if len(x.Reply.Header[name]) > 0 {
			return
		}
	}
	if len(x.Reply.Body) > 0 && (!jsonMedia(mediaOf(x.Reply.Header)) || op.mayHaveID(x.Reply.Body)) || op.mayHaveID(x.Request.Body) {
		return
	}
	e.add(Finding{
		Oracle:    creationLost,
		Call:      i,
		Expected:  "a Location, or a field with the value of " + op.element,
		Actual:    model.Excerpt(x.Reply.Body),
		Signature: "201",
	})
}

// mayHaveID reports whether a JSON body contains a value that may be the id of the operation's resource.
func (o *operation) mayHaveID(body []byte) bool {
	value, ok := read(body)
	if !ok || value == nil {
		return false
	}
	if _, ok := match.FindIDField(o.element, o.resource, value); ok {
		return true
	}
	return hasIdentifier(value, 0)
}

// identifierNames matches names of fields that identify a resource.
var identifierNames = regexp.MustCompile(`(?i)^(_?id|.*(_|-)id|uuid|guid|key|code|slug|name|href|url|uri|self|links?|_links` +
	`|number|handle|reference)$|[a-z](Id|ID|Uuid|Key|Code|Url|Uri|Number)$`)

// hasIdentifier reports whether a JSON value contains a field that may identify a resource.
func hasIdentifier(v any, nested int) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if inner != nil && identifierNames.MatchString(name) || nested < 3 && hasIdentifier(inner, nested+1) {
				return true
			}
		}
	case []any:
		return nested < 3 && slices.ContainsFunc(v, func(e any) bool { return hasIdentifier(e, nested+1) })
	case nil, bool:
		return false
	default:
		return nested == 0 // a body that is a single value may be the id
	}
	return false
}
