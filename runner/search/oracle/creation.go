package oracle

import (
	"regexp"
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// judgeCreation judges whether what was created can be found: by its Location, or by
// something in the answer, or in the request, that may be its id. Who cannot
// read the answer does not judge.
func (v *verdict) judgeCreation(i int, op *operation, x *model.Exchange) {
	if x.Reply.Status != created || op.Method != "POST" || op.element == "" || x.Reply.Truncated || !v.judge.on[creationLost] {
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
		Expected:  "a Location, or a field that tells " + op.element,
		Actual:    model.Excerpt(x.Reply.Body),
		Signature: "201",
	})
}

// names reports whether a JSON body has what names one of the operation's things.
func (o *operation) names(body []byte) bool {
	value, ok := read(body)
	if !ok || value == nil {
		return false
	}
	if _, ok := match.FindID(o.element, o.resource, value); ok {
		return true
	}
	return identifies(value, 0)
}

// identifying are names of fields that tell one thing from another.
var identifying = regexp.MustCompile(`(?i)^(_?id|.*(_|-)id|uuid|guid|key|code|slug|name|href|url|uri|self|links?|_links|number|handle|reference)$|[a-z](Id|ID|Uuid|Key|Code|Url|Uri|Number)$`)

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
		return nested == 0 // nothing but a value: it is the id
	}
	return false
}
