package network

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
)

// choice is an answer or a fault that can be injected.
type choice struct {
	word, help string
	answer     model.Answer
	content    string // the label of the field for the answer's content, "" if there is no field
}

// answers has the choices that are not faults, by protocol.
var answers = map[model.Protocol][]choice{
	model.HTTP: {
		{word: "200", help: "answer 200 with a body", answer: model.Answer{Status: 200}, content: "body"},
		{word: "500", help: "answer 500 with a body", answer: model.Answer{Status: 500}, content: "body"},
	},
	model.TCP: {
		{word: "answer", help: "send text and close", answer: model.Answer{Close: true}, content: "text"},
		{word: "nothing", help: "close at once", answer: model.Answer{Close: true}},
	},
	model.UDP: {
		{word: "answer", help: "send text", answer: model.Answer{}, content: "text"},
		{word: "nothing", help: "send no answer", answer: model.Answer{}},
	},
	model.Redis: {
		{word: "answer", help: "reply with JSON, such as \"text\" or 17", answer: model.Answer{Body: "null"}, content: "reply"},
		{word: "error", help: "reply with an error", answer: model.Answer{Body: `{"error":"ERR it failed"}`}},
	},
	model.Postgres: {
		{
			word: "answer", help: "reply with JSON, such as {\"tag\": \"INSERT 0 1\"}",
			answer: model.Answer{Body: `{"tag":"OK"}`}, content: "reply",
		},
		{
			word: "error", help: "reply with an error",
			answer: model.Answer{Body: `{"error":{"code":"XX000","message":"it failed"}}`},
		},
	},
	model.MySQL: {
		{
			word: "answer", help: "reply with JSON, such as {\"affected\": 1}",
			answer: model.Answer{Body: `{"affected":0}`}, content: "reply",
		},
		{
			word: "error", help: "reply with an error",
			answer: model.Answer{Body: `{"error":{"code":1105,"message":"it failed"}}`},
		},
	},
	model.DNS: {{word: "answer", help: "answer with an address", answer: model.Answer{}, content: "address"}},
}

// resourceChoices returns the choices, apart from faults, for a resource of the environment. It returns nil for a
// host.
func resourceChoices(h model.HostSummary) []choice {
	switch {
	case h.Protocol != model.Environment:
		return nil
	case model.ResourceHasValue(h.Host):
		return []choice{{word: "answer", help: "another " + h.Host, content: "value"}}
	}
	return []choice{{word: model.OutcomeWorks, help: "no fault"}}
}

// Parameters of faults. The user can change them in the editor.
const (
	cutAfter = 8    // number of bytes
	slowBy   = 1000 // number of milliseconds
)

// faultChoices are all faults, in the order of the list.
var faultChoices = []choice{
	{word: "refuse", help: "connection refused", answer: model.Answer{Fault: model.NetRefuse}},
	{word: "unreachable", help: "host unreachable", answer: model.Answer{Fault: model.NetUnreachable}},
	{word: "timeout", help: "connecting times out", answer: model.Answer{Fault: model.NetTimeout}},
	{word: "reset", help: "connection reset on data", answer: model.Answer{Fault: model.NetReset}},
	{
		word:   "cut",
		help:   fmt.Sprintf("it breaks after %d bytes", cutAfter),
		answer: model.Answer{Fault: model.NetCut, After: cutAfter},
	},
	{
		word:   "slow",
		help:   fmt.Sprintf("it answers after %d ms", slowBy),
		answer: model.Answer{Fault: model.NetSlow, Latency: slowBy},
	},
	{word: "mute", help: "no answer, stays open", answer: model.Answer{Fault: model.NetMute}},
	{
		word:   "stall",
		help:   fmt.Sprintf("it stops after %d bytes", cutAfter),
		answer: model.Answer{Fault: model.NetStall, After: cutAfter},
	},
	{word: "wrong-tls", help: "another host's certificate", answer: model.Answer{Fault: model.NetWrongTLS}},
	{word: "expired-tls", help: "it expired yesterday", answer: model.Answer{Fault: model.NetExpiredTLS}},
	{word: "untrusted-tls", help: "signed by an unknown one", answer: model.Answer{Fault: model.NetUntrustedTLS}},
	{word: "truncated-json", help: "half of the JSON", answer: model.Answer{Fault: model.NetTruncatedJSON}},
	{word: "nxdomain", help: "the name doesn't exist", answer: model.Answer{Fault: model.NetNXDomain}},
	{word: "servfail", help: "the name server fails", answer: model.Answer{Fault: model.NetServFail}},
	{word: "address-in-use", help: "another program listens there", answer: model.Answer{Fault: model.NetAddressInUse}},
	{word: "permission-denied", help: "the service may not use it", answer: model.Answer{Fault: model.NetPermissionDenied}},
	{
		word:   "no-space",
		help:   fmt.Sprintf("the disk is full after %d bytes", cutAfter),
		answer: model.Answer{Fault: model.NetNoSpace, After: cutAfter},
	},
	{word: "no-such-file", help: "it doesn't exist", answer: model.Answer{Fault: model.NetNoSuchFile}},
	{word: "io-error", help: "reading and writing fail", answer: model.Answer{Fault: model.NetIOError}},
}

// faults returns the faults that are possible for the host and its protocol.
func (m *menu) faults() (all []choice) {
	for _, c := range faultChoices {
		f := c.answer.Fault
		switch {
		case !slices.Contains(model.NetFaults[f], m.protocol):
		case m.protocol == model.Environment && !slices.Contains(model.ResourceFaults(m.host.Host), f):
		case f.IsOfCertificate() && m.host.ProtocolKnown && !m.host.TLS:
		case m.host.Inward && !slices.Contains([]model.NetFault{model.NetReset, model.NetMute}, f):
		default:
			c.answer = m.faultyAnswer(c.answer)
			all = append(all, c)
		}
	}
	return all
}

// faultyAnswer returns the answer for a fault. A fault that cuts, delays or truncates an answer is added to
// goodAnswer. For other faults, faultyAnswer returns a.
func (m *menu) faultyAnswer(a model.Answer) model.Answer {
	switch a.Fault {
	case model.NetCut, model.NetStall, model.NetSlow, model.NetTruncatedJSON:
		good := m.goodAnswer()
		good.Fault, good.After, good.Latency, good.Rate = a.Fault, a.After, a.Latency, 0
		return good
	}
	return a
}

// goodAnswer returns the latest good answer of the host, or an invented one.
func (m *menu) goodAnswer() model.Answer {
	for _, met := range slices.Backward(m.host.RecentContacts) {
		if a := met.StubAnswer(); a != nil && met.Protocol == m.protocol && isGood(*a, m.protocol) {
			return *a
		}
	}
	return initialAnswer(m.protocol)
}

func isGood(a model.Answer, p model.Protocol) bool {
	if p == model.HTTP {
		return a.Status < 300 && isJSON(a.Body)
	}
	return len(a.Content()) > 0
}

// isJSON reports whether a body seems to be an object or a list.
func isJSON(body string) bool { return strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") }

// stub returns the stub of a choice with the typed content.
func (m *menu) stub(c choice, typed string) (model.Stub, error) {
	a, err := c.answer, error(nil)
	switch c.content {
	case "body":
		a = a.WithContent([]byte(typed))
		if isJSON(typed) {
			a.Header = model.NewHeaderField("Content-Type", "application/json")
		}
	case "text", "value":
		a, err = answerWithText(a, typed)
	case "address":
		a.Records, err = addressRecords(typed)
	}
	s := model.Stub{Host: m.host.Host, Protocol: m.protocol, Inward: m.host.Inward, Answers: []model.Answer{a}}
	if err == nil {
		err = s.Validate()
	}
	return s, err
}

// answerWithText returns an answer with a typed text. Escapes such as \r\n and \x00 have the same meaning
// as in Go.
func answerWithText(a model.Answer, typed string) (model.Answer, error) {
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(typed, `"`, `\"`) + `"`)
	if err != nil {
		return a, fmt.Errorf("%q is not valid: a backslash begins \\r, \\n, \\x00 or \\\\", typed)
	}
	return a.WithContent([]byte(text)), nil
}

// addressRecords returns the DNS records for a typed address.
func addressRecords(typed string) ([]model.DNSRecord, error) {
	a, err := netip.ParseAddr(strings.TrimSpace(typed))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is not an address: type one such as 198.18.0.7", typed)
	case a.Is4():
		return []model.DNSRecord{{Type: "A", Value: a.String()}}, nil
	}
	return []model.DNSRecord{{Type: "AAAA", Value: a.String()}}, nil
}

// initialContent returns the initial text of the field for the content.
func (m *menu) initialContent(c choice) string {
	switch c.content {
	case "body":
		return m.lastBody()
	case "address":
		return "198.18.0.7"
	case "value":
		return resourceAnswer(m.host.Host).Body
	}
	return `hello\r\n`
}

// lastBody returns the body of the latest good answer. If this body is long or has several lines, lastBody returns an
// empty object.
func (m *menu) lastBody() string {
	const maxLength = 400
	if body := m.goodAnswer().Body; len(body) <= maxLength && draw.Clean(body) == body {
		return body
	}
	return "{}"
}
