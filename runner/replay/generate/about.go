package generate

import (
	"fmt"
	"net"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// about describes in a line what a test mimics: "POST /orders/{orderId}/payments with method card:
// charges payments.example once and answers 201".
func about(x *recordedExchange) string {
	text := string(x.op.ID) + given(x)
	var deeds []string
	for _, s := range x.sent {
		deeds = append(deeds, s.describe()+s.describeFault())
	}
	parts := []string{}
	for i, d := range deeds {
		if slices.Index(deeds, d) == i {
			parts = append(parts, d+" "+often(count(deeds, d)))
		}
	}
	parts = append(parts, fmt.Sprintf("answers %d", x.Reply.Status))
	return model.Printable(text+": "+listed(parts), 300)
}

// given names the values of the request that are one of a few.
func given(x *recordedExchange) string {
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

// describe describes a call to a host.
func (s *recordedCall) describe() string {
	host := s.called()
	if name, _, err := net.SplitHostPort(host); err == nil && net.ParseIP(name) == nil {
		host = name
	}
	switch s.Protocol {
	case model.TCP:
		return "talks to " + host
	case model.UDP:
		return "tells " + host
	}
	what := lastWord(s.path)
	switch s.Request.Method {
	case "GET", "HEAD":
		return "asks " + host + " for " + what
	case "POST":
		return "posts " + what + " to " + host
	case "DELETE":
		return "deletes " + what + " at " + host
	}
	return "calls " + s.Request.Method + " " + what + " at " + host
}

// describeFault names the fault of a host that did not answer.
func (s *recordedCall) describeFault() string {
	if last := s.answers(); s.Err != nil && last[len(last)-1].Fault != "" {
		return " in vain (" + string(last[len(last)-1].Fault) + ")"
	}
	return ""
}

// lastWord returns the last part of a path that is no id.
func lastWord(path []string) string {
	for _, part := range slices.Backward(path) {
		if part != "" && !shape.LooksLikeID(part) {
			return "/" + part
		}
	}
	return "/"
}

func count(all []string, one string) int {
	n := 0
	for _, text := range all {
		if text == one {
			n++
		}
	}
	return n
}

func often(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// listed joins parts with commas and "and".
func listed(parts []string) string {
	last := len(parts) - 1
	if last == 0 {
		return parts[0]
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
