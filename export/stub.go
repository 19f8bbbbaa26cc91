package export

import (
	"bytes"
	"cmp"
	"encoding/json"
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
	return wrapped(start, func(indent int) []string {
		var all []string
		for _, rule := range w.rules() {
			all = append(all, goWriter{}.call(rule, indent))
		}
		return all
	}, 1)
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

// rules returns the rules for the messages that the stub answers and for its answers.
func (w stubWriter) rules() []HelperCall {
	all := w.conditions()
	for _, flag := range []struct {
		rule string
		on   bool
	}{{"onAnyConnection", w.AnyConnection}, {"inBackground", w.Background}} {
		if flag.on {
			all = append([]HelperCall{helperCall(flag.rule)}, all...)
		}
	}
	for _, step := range w.Prologue {
		opening := helperCall("opensWith").with(ArgLine, string(step.Sent()))
		all = append(all, opening.with(ArgLine, string(step.Answer().Content())))
	}
	for _, a := range w.Answers {
		all = append(all, w.answer(a))
	}
	if w.Repeat && len(w.Answers) > 0 {
		return append(all, helperCall("again"))
	}
	if w.Else != nil {
		all = append(all, helperCall("then").withCalls(w.answer(*w.Else)))
	}
	return all
}

// conditions returns the rules for the messages that the stub answers.
func (w stubWriter) conditions() []HelperCall {
	var all []HelperCall
	m := w.Match
	pairs := func(rule string, values map[string]string) {
		for _, name := range sorted(values) {
			all = append(all, helperCall(rule, name, values[name]))
		}
	}
	if w.Protocol == model.HTTP {
		_, raw, _ := strings.Cut(m.Path, "?")
		if query, err := url.ParseQuery(raw); err == nil {
			for _, name := range sortedQuery(query) {
				all = append(all, helperCall("ifQuery", name, query.Get(name)))
			}
		}
		pairs("ifQuery", m.Query)
		pairs("ifHeader", m.Header)
	}
	if m.JSON != "" && (w.Protocol == model.HTTP || w.Protocol.IsDatabase()) {
		all = append(all, helperCall("ifJSON").with(ArgJSON, m.JSON))
	}
	for _, c := range []struct{ rule, text string }{{"ifSaid", m.Equals}, {"ifBegins", m.Prefix}, {"ifMatches", m.Regexp}} {
		if c.text != "" && w.Protocol != model.HTTP {
			all = append(all, helperCall(c.rule).with(ArgLine, c.text))
		}
	}
	if m.Nth > 0 {
		all = append(all, helperCall("ifNth").with(ArgNumber, strconv.Itoa(m.Nth)))
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

// silentFaults are the rules for faults without an answer.
var silentFaults = map[model.NetFault]string{
	model.NetRefuse:      "refuses",
	model.NetUnreachable: "isUnreachable",
	model.NetTimeout:     "timesOut",
	model.NetNXDomain:    "isUnknown",
	model.NetServFail:    "cannotBeLookedUp",

	model.NetAddressInUse:     "isInUse",
	model.NetPermissionDenied: "isForbidden",
	model.NetNoSuchFile:       "doesNotExist",
	model.NetIOError:          "isUnreadable",
	model.NetReset:            "resets",
	model.NetMute:             "isMute",
	model.NetWrongTLS:         "hasWrongTLS",
	model.NetExpiredTLS:       "hasExpiredCertificate",
	model.NetUntrustedTLS:     "hasUnknownAuthority",
}

// answer returns the call of the rule that gives an answer, with the answer's fault.
func (w stubWriter) answer(a model.Answer) HelperCall {
	if rule := silentFaults[a.Fault]; rule != "" {
		return helperCall(rule)
	}
	if a.Fault == model.NetNoSpace {
		return helperCall("isFullAfter").with(ArgNumber, strconv.Itoa(a.After))
	}
	rule := w.reply(a)
	switch a.Fault {
	case model.NetCut:
		return helperCall("cutAfter").with(ArgNumber, strconv.Itoa(a.After)).withCalls(rule)
	case model.NetStall:
		return helperCall("stallsAfter").with(ArgNumber, strconv.Itoa(a.After)).withCalls(rule)
	case model.NetSlow:
		wait := time.Duration(a.Latency) * time.Millisecond
		slow := helperCall("slowly").with(ArgDuration, wait.String())
		rule = slow.with(ArgNumber, strconv.Itoa(w.rate(a))).withCalls(rule)
	case model.NetTruncatedJSON:
		return helperCall("truncated").withCalls(rule)
	}
	if a.Close && w.Protocol == model.TCP {
		return helperCall("hangsUp").withCalls(rule)
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
func (w stubWriter) reply(a model.Answer) HelperCall {
	switch w.Protocol {
	case model.DNS:
		all := helperCall("records")
		for _, r := range a.Records {
			all = all.with(ArgText, strings.ToUpper(r.Type)+" "+r.Value)
		}
		return all
	case model.HTTP:
		return httpReply(a)
	case model.Environment:
		if !model.ResourceHasValue(w.Host) {
			return helperCall("works")
		}
	}
	if w.Protocol.IsDatabase() {
		return helperCall("says").with(ArgJSON, string(a.Content()))
	}
	return helperCall("says").with(ArgLine, string(a.Content()))
}

// oneLine returns a text as a Go literal on one line.
func oneLine(text string) string {
	if strings.Contains(text, "\n") {
		return strconv.Quote(text)
	}
	return quoted(text)
}

// httpReply returns the rule for an HTTP answer without its fault.
func httpReply(a model.Answer) HelperCall {
	rule := helperCall("replies").with(ArgNumber, strconv.Itoa(cmp.Or(a.Status, 200)))
	rule = withFields(rule.with(ArgBody, string(a.Content())), a.Header)
	if len(a.Trailer) > 0 {
		rule = withFields(helperCall("trailed").withCalls(rule), a.Trailer)
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

// withFields returns a call with further arguments of the form "Name: value".
func withFields(c HelperCall, header model.HeaderFields) HelperCall {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			c = c.with(ArgText, name+": "+value)
		}
	}
	return c
}
