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

// choice is something to have a host do.
type choice struct {
	word, what string
	answer     model.Answer
	says       string // what is to be typed, "" for nothing
}

// answers are what is no fault, by protocol.
var answers = map[model.Protocol][]choice{
	model.HTTP: {
		{word: "200", what: "answer 200 with a body", answer: model.Answer{Status: 200}, says: "body"},
		{word: "500", what: "answer 500 with a body", answer: model.Answer{Status: 500}, says: "body"},
	},
	model.TCP: {
		{word: "answer", what: "say something and close", answer: model.Answer{Close: true}, says: "text"},
		{word: "nothing", what: "close at once", answer: model.Answer{Close: true}, says: ""},
	},
	model.UDP: {
		{word: "answer", what: "say something", answer: model.Answer{}, says: "text"},
		{word: "nothing", what: "do not answer", answer: model.Answer{}, says: ""},
	},
	model.DNS: {{word: "answer", what: "give it an address", answer: model.Answer{}, says: "address"}},
}

// Figures of faults that have one; another is for the editor.
const (
	cutAfter = 8    // bytes
	slowBy   = 1000 // milliseconds
)

// faulty are all faults, in the order of the list.
var faulty = []choice{
	{word: "refuse", what: "nobody listens", answer: model.Answer{Fault: model.NetRefuse}, says: ""},
	{word: "unreachable", what: "no way leads there", answer: model.Answer{Fault: model.NetUnreachable}, says: ""},
	{word: "timeout", what: "it does not come about in time", answer: model.Answer{Fault: model.NetTimeout}, says: ""},
	{word: "reset", what: "it breaks when spoken to", answer: model.Answer{Fault: model.NetReset}, says: ""},
	{
		word:   "cut",
		what:   fmt.Sprintf("it breaks behind %d bytes", cutAfter),
		answer: model.Answer{Fault: model.NetCut, After: cutAfter},
		says:   "",
	},
	{
		word:   "slow",
		what:   fmt.Sprintf("it answers after %d ms", slowBy),
		answer: model.Answer{Fault: model.NetSlow, Latency: slowBy},
		says:   "",
	},
	{word: "mute", what: "nothing ever comes", answer: model.Answer{Fault: model.NetMute}, says: ""},
	{word: "wrong-tls", what: "another host's certificate", answer: model.Answer{Fault: model.NetWrongTLS}, says: ""},
	{word: "truncated-json", what: "half of the JSON", answer: model.Answer{Fault: model.NetTruncatedJSON}, says: ""},
	{word: "nxdomain", what: "there is no such name", answer: model.Answer{Fault: model.NetNXDomain}, says: ""},
}

// faults are those that the host's protocol knows, and the host can have.
func (m *menu) faults() (all []choice) {
	for _, c := range faulty {
		f := c.answer.Fault
		switch {
		case !slices.Contains(model.NetFaults[f], m.protocol), f == model.NetWrongTLS && m.host.ProtocolKnown && !m.host.TLS:
		case m.host.Inward && !slices.Contains([]model.NetFault{model.NetReset, model.NetMute}, f):
		default:
			c.answer = m.beneath(c.answer)
			all = append(all, c)
		}
	}
	return all
}

// beneath gives a fault the answer that it spoils.
func (m *menu) beneath(a model.Answer) model.Answer {
	switch a.Fault {
	case model.NetCut, model.NetSlow, model.NetTruncatedJSON:
		of := m.given()
		of.Fault, of.After, of.Latency, of.Rate = a.Fault, a.After, a.Latency, 0
		return of
	}
	return a
}

// given is the newest answer of the host that a service could take for a good one, or
// else one that is made up.
func (m *menu) given() model.Answer {
	for _, met := range slices.Backward(m.host.RecentContacts) {
		if a := met.StubAnswer(); a != nil && met.Protocol == m.protocol && good(*a, m.protocol) {
			return *a
		}
	}
	return first(m.protocol)
}

func good(a model.Answer, p model.Protocol) bool {
	if p == model.HTTP {
		return a.Status < 300 && isJSON(a.Body)
	}
	return len(a.Content()) > 0
}

// isJSON reports whether a body looks like an object or a list.
func isJSON(body string) bool { return strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") }

// stub is what the host does by a choice; typed is what it says.
func (m *menu) stub(c choice, typed string) (model.Stub, error) {
	a, err := c.answer, error(nil)
	switch c.says {
	case "body":
		a = a.WithContent([]byte(typed))
		if isJSON(typed) {
			a.Header = map[string]string{"Content-Type": "application/json"}
		}
	case "text":
		a, err = saying(a, typed)
	case "address":
		a.Records, err = addressed(typed)
	}
	s := model.Stub{Host: m.host.Host, Protocol: m.protocol, Inward: m.host.Inward, Answers: []model.Answer{a}}
	if err == nil {
		err = s.Validate()
	}
	return s, err
}

// saying is an answer with a text in which \r\n, \x00 and the like stand for what
// cannot be typed.
func saying(a model.Answer, typed string) (model.Answer, error) {
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(typed, `"`, `\"`) + `"`)
	if err != nil {
		return a, fmt.Errorf("%q is no text: a backslash begins \\r, \\n, \\x00 or \\\\", typed)
	}
	return a.WithContent([]byte(text)), nil
}

// addressed are the records of an address.
func addressed(typed string) ([]model.DNSRecord, error) {
	a, err := netip.ParseAddr(strings.TrimSpace(typed))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is no address: type one such as 198.18.0.7", typed)
	case a.Is4():
		return []model.DNSRecord{{Type: "A", Value: a.String()}}, nil
	}
	return []model.DNSRecord{{Type: "AAAA", Value: a.String()}}, nil
}

// usual is what a field has in it at first.
func (m *menu) usual(c choice) string {
	switch c.says {
	case "body":
		return m.lastBody()
	case "address":
		return "198.18.0.7"
	}
	return `hello\r\n`
}

// lastBody is that of the newest good answer, where it is short and of one line.
func (m *menu) lastBody() string {
	const most = 400
	if body := m.given().Body; len(body) <= most && draw.Clean(body) == body {
		return body
	}
	return "{}"
}
