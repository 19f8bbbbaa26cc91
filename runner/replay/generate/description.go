package generate

import (
	"fmt"
	"net"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// describeTest describes in one line what a test mimics: "POST /orders/{orderId}/payments with
// method card: posts /charge to payments.example once and answers 201".
func describeTest(x *recordedExchange) string {
	text := string(x.op.ID) + enumText(x)
	var deeds []string
	for _, call := range x.outward {
		deeds = append(deeds, call.description()+call.faultText())
	}
	parts := []string{}
	for i, d := range deeds {
		if slices.Index(deeds, d) == i {
			parts = append(parts, d+" "+timesText(count(deeds, d)))
		}
	}
	parts = append(parts, fmt.Sprintf("answers %d", x.Reply.Status))
	return model.Printable(text+": "+joinWithAnd(parts), 300)
}

// enumText returns " with" and the first member of the request's body that is an enum in the spec and has a short text,
// "" if there is none.
func enumText(x *recordedExchange) string {
	if x.op.Body == nil || len(x.op.Body.Contents) == 0 || x.op.Body.Contents[0].Schema == nil {
		return ""
	}
	object, ok := x.request.body.(map[string]any)
	if !ok {
		return ""
	}
	for _, p := range x.op.Body.Contents[0].Schema.Properties {
		if text, is := object[p.Name].(string); is && len(p.Schema.Enum) > 0 && len(text) <= 30 {
			return " with " + p.Name + " " + text
		}
	}
	return ""
}

// description describes an outward call: "posts /charge to payments.example".
func (o *outwardCall) description() string {
	host := o.hostName()
	if name, _, err := net.SplitHostPort(host); err == nil && net.ParseIP(name) == nil {
		host = name
	}
	if o.Protocol.IsDatabase() {
		return "sends " + model.Printable(model.DatabaseCommand(o.Request.Body), 60) + " to " + host
	}
	switch o.Protocol {
	case model.TCP:
		return "talks to " + host
	case model.UDP:
		return "tells " + host
	}
	if shape.IsGRPC(o.OutwardCall) {
		return "calls /" + strings.Join(o.path, "/") + " at " + host
	}
	what := lastWord(o.path)
	switch o.Request.Method {
	case "GET", "HEAD":
		return "asks " + host + " for " + what
	case "POST":
		return "posts " + what + " to " + host
	case "DELETE":
		return "deletes " + what + " at " + host
	}
	return "calls " + o.Request.Method + " " + what + " at " + host
}

// faultText names the fault of a host that did not answer, "" if it answered.
func (o *outwardCall) faultText() string {
	if last := o.stubAnswers(); o.Err != nil && last[len(last)-1].Fault != "" {
		return " in vain (" + string(last[len(last)-1].Fault) + ")"
	}
	return ""
}

// lastWord returns a slash and the last segment of a path that is not an id. It returns "/" if there is
// none.
func lastWord(path []string) string {
	for _, part := range slices.Backward(path) {
		if part != "" && !shape.LooksLikeID(part) {
			return "/" + part
		}
	}
	return "/"
}

// count returns how often a text is in a list.
func count(all []string, one string) int {
	n := 0
	for _, text := range all {
		if text == one {
			n++
		}
	}
	return n
}

// timesText returns "once", "twice", "3 times" and so on.
func timesText(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// joinWithAnd joins parts with commas and a last "and". There must be at least one part.
func joinWithAnd(parts []string) string {
	last := len(parts) - 1
	if last == 0 {
		return parts[0]
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
