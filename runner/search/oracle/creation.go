package oracle

import (
	"regexp"
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// judgeCreation judges whether a created resource can be found: by the Location, or by something in the
// answer or the request that may be its id. Answers that cannot be read are not judged.
func (v *verdict) judgeCreation(i int, op *operation, x *model.Exchange) {
	if x.Reply.Status != created || op.Method != "POST" || op.element == "" || x.Reply.Truncated {
		return
	}
	if !v.judge.on[creationLost] {
		return
	}
	for _, name := range []string{"Location", "Content-Location", "Link"} {
		if len(x.Reply.Header[name]) > 0 {
			return
		}
	}
	if len(x.Reply.Body) > 0 && (!jsonMedia(mediaOf(x.Reply.Header)) || op.names(x.Reply.Body)) || op.names(x.Request.Body) {
		return
	}
	v.add(Finding{
		Oracle:    creationLost,
		Call:      i,
		Expected:  "a Location, or a field with the value of " + op.element,
		Actual:    model.Excerpt(x.Reply.Body),
		Signature: "201",
	})
}

// names reports whether a JSON body contains what may be the id of the operation's resource.
func (o *operation) names(body []byte) bool {
	value, ok := read(body)
	if !ok || value == nil {
		return false
	}
	if _, ok := match.FindIDField(o.element, o.resource, value); ok {
		return true
	}
	return identifies(value, 0)
}

// identifying matches names of fields that identify a resource.
var identifying = regexp.MustCompile(`(?i)^(_?id|.*(_|-)id|uuid|guid|key|code|slug|name|href|url|uri|self|links?|_links` +
	`|number|handle|reference)$|[a-z](Id|ID|Uuid|Key|Code|Url|Uri|Number)$`)

func identifies(v any, nested int) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if inner != nil && identifying.MatchString(name) || nested < 3 && identifies(inner, nested+1) {
				return true
			}
		}
	case []any:
		return nested < 3 && slices.ContainsFunc(v, func(e any) bool { return identifies(e, nested+1) })
	case nil, bool:
		return false
	default:
		return nested == 0 // the body is a single value: it is the id
	}
	return false
}
