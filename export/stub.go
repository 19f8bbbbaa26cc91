package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
)

// stubLines returns a statement for each stub.
func stubLines(stubs []model.Stub) []string {
	var lines []string
	for _, s := range stubs {
		lines = append(lines, stubWriter{s}.statement())
	}
	return lines
}

// stubWriter writes a stub as a statement.
type stubWriter struct{ model.Stub }

func (w stubWriter) statement() string {
	start := "network." + w.method() + "(" + quoted(w.Host)
	if w.Protocol == model.HTTP {
		start += ", " + quoted(w.request())
	}
	return wrapped(start, w.rules, 1)
}

// request returns the method and the path of the requests that an HTTP stub answers, "" for all requests.
func (w stubWriter) request() string {
	path, _, _ := strings.Cut(w.Match.Path, "?")
	if path != "" {
		path = slashed(path)
	}
	return strings.TrimSpace(w.Match.Method + " " + path)
}

// method returns the name of the helper for the stub's protocol.
func (w stubWriter) method() string {
	if w.Inward {
		return string(w.Protocol) + "To"
	}
	return string(w.Protocol)
}

// rules returns the arguments for the messages that the stub answers and for its answers. indent is the
// number of tabs before their lines.
func (w stubWriter) rules(indent int) []string {
	all := w.conditions()
	for _, flag := range []struct {
		rule string
		on   bool
	}{{"onAnyConnection()", w.AnyConnection}, {"inBackground()", w.Background}} {
		if flag.on {
			all = append([]string{flag.rule}, all...)
		}
	}
	for _, step := range w.Prologue {
		all = append(all, "opensWith("+oneLine(string(step.Sent()))+", "+oneLine(string(step.Answer().Content()))+")")
	}
	for _, a := range w.Answers {
		all = append(all, w.answer(a, indent))
	}
	if w.Repeat && len(w.Answers) > 0 {
		return append(all, "again()")
	}
	if w.Else != nil {
		all = append(all, "then("+w.answer(*w.Else, indent)+")")
	}
	return all
}

// conditions returns the rules for the messages that the stub answers.
func (w stubWriter) conditions() []string {
	var all []string
	m := w.Match
	pairs := func(rule string, values map[string]string) {
		for _, name := range sorted(values) {
			all = append(all, rule+"("+quoted(name)+", "+quoted(values[name])+")")
		}
	}
	if w.Protocol == model.HTTP {
		_, raw, _ := strings.Cut(m.Path, "?")
		if query, err := url.ParseQuery(raw); err == nil {
			for _, name := range sortedQuery(query) {
				all = append(all, "ifQuery("+quoted(name)+", "+quoted(query.Get(name))+")")
			}
		}
		pairs("ifQuery", m.Query)
		pairs("ifHeader", m.Header)
	}
	if m.JSON != "" && (w.Protocol == model.HTTP || w.Protocol.IsDatabase()) {
		all = append(all, "ifJSON("+rawJSON(m.JSON)+")")
	}
	for _, c := range []struct{ rule, text string }{{"ifSaid", m.Equals}, {"ifBegins", m.Prefix}, {"ifMatches", m.Regexp}} {
		if c.text != "" && w.Protocol != model.HTTP {
			all = append(all, c.rule+"("+oneLine(c.text)+")")
		}
	}
	if m.Nth > 0 {
		all = append(all, fmt.Sprintf("ifNth(%d)", m.Nth))
	}
	return all
}

// sortedQuery returns the names of the parameters in order.
func sortedQuery(query url.Values) []string {
	flat := map[string]string{}
	for name := range query {
		flat[name] = ""
	}
	return sorted(flat)
}

// silentFaults are the Go rules for faults without an answer.
var silentFaults = map[model.NetFault]string{
	model.NetRefuse:       "refuses()",
	model.NetUnreachable:  "isUnreachable()",
	model.NetTimeout:      "timesOut()",
	model.NetNXDomain:     "isUnknown()",
	model.NetServFail:     "cannotBeLookedUp()",
	model.NetReset:        "resets()",
	model.NetMute:         "isMute()",
	model.NetWrongTLS:     "hasWrongTLS()",
	model.NetExpiredTLS:   "hasExpiredCertificate()",
	model.NetUntrustedTLS: "hasUnknownAuthority()",
}

// answer returns the Go rule for an answer.
func (w stubWriter) answer(a model.Answer, indent int) string {
	if rule := silentFaults[a.Fault]; rule != "" {
		return rule
	}
	rule := w.reply(a, indent)
	switch a.Fault {
	case model.NetCut:
		return fmt.Sprintf("cutAfter(%d, %s)", a.After, rule)
	case model.NetStall:
		return fmt.Sprintf("stallsAfter(%d, %s)", a.After, rule)
	case model.NetSlow:
		rule = fmt.Sprintf("slowly(%s, %d, %s)", duration(time.Duration(a.Latency)*time.Millisecond), w.rate(a), rule)
	case model.NetTruncatedJSON:
		return "truncated(" + rule + ")"
	}
	if a.Close && w.Protocol == model.TCP {
		return "hangsUp(" + rule + ")"
	}
	return rule
}

// rate returns the rate of an answer. Datagrams have none.
func (w stubWriter) rate(a model.Answer) int {
	if w.Protocol == model.UDP {
		return 0
	}
	return a.Rate
}

// reply returns the rule for an answer without its fault.
func (w stubWriter) reply(a model.Answer, indent int) string {
	switch w.Protocol {
	case model.DNS:
		var all []string
		for _, r := range a.Records {
			all = append(all, strings.ToUpper(r.Type)+" "+r.Value)
		}
		return "records(" + list(all) + ")"
	case model.HTTP:
		return w.httpReply(a, indent)
	}
	if w.Protocol.IsDatabase() {
		return "says(" + rawJSON(string(a.Content())) + ")"
	}
	return "says(" + oneLine(string(a.Content())) + ")"
}

// oneLine returns a text as a Go literal on one line.
func oneLine(text string) string {
	if strings.Contains(text, "\n") {
		return strconv.Quote(text)
	}
	return quoted(text)
}

// httpReply returns the rule for an HTTP answer without its fault.
func (w stubWriter) httpReply(a model.Answer, indent int) string {
	status := a.Status
	if status == 0 {
		status = 200
	}
	rule := fmt.Sprintf("replies(%d, %s%s)", status, bodyText(string(a.Content()), indent), headerFields(a.Header))
	if len(a.Trailer) > 0 {
		rule = "trailed(" + rule + headerFields(a.Trailer) + ")"
	}
	return rule
}

// bodyText returns a body as a Go literal that preserves every byte. Long JSON without insignificant space
// is written with indentation, which the tests remove.
func bodyText(body string, indent int) string {
	tree, ok := parseJSON(body)
	if !ok || len(body) <= jsonWidth {
		return oneLine(body)
	}
	var again bytes.Buffer
	if indented := tree.layout(indent); json.Compact(&again, []byte(indented)) == nil && again.String() == body {
		return "compact(" + rawJSON(indented) + ")"
	}
	return oneLine(body)
}

// headerFields returns arguments of the form "Name: value".
func headerFields(header model.HeaderFields) string {
	all := ""
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			all += ", " + quoted(name+": "+value)
		}
	}
	return all
}
