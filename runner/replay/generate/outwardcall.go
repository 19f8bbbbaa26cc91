package generate

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"sonde/model"
)

// outwardCall is a decoded outward call (RICK's mockable call).
type outwardCall struct {
	model.OutwardCall
	// request has the values of the path (a leaf for each segment, named by its number), the query,
	// the headers and the body. For TCP and UDP it has a leaf for each message.
	request message
	answer  message
	path    []string // segments of the path, escaped
	query   url.Values
}

// newOutwardCall decodes an outward call.
func newOutwardCall(x model.OutwardCall) *outwardCall {
	o := &outwardCall{OutwardCall: x}
	switch {
	case x.Protocol.IsDatabase():
		return o.readRequest()
	case x.Protocol != model.HTTP:
		return o.readMessages()
	}
	o.request = newMessage(x.Request.Header, x.Request.Body, x.Request.Truncated)
	o.answer = newMessage(x.Reply.Header, x.Reply.Body, x.Reply.Truncated)
	var all []leaf
	path, raw, _ := strings.Cut(x.Request.URL, "?")
	o.path = strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, part := range o.path {
		if plain, err := url.PathUnescape(part); err == nil {
			part = plain
		}
		all = append(all, leaf{in: model.InPath, name: strconv.Itoa(i), value: part})
	}
	o.query, _ = url.ParseQuery(raw)
	for _, name := range sortedKeys(o.query) {
		all = append(all, leaf{in: model.InQuery, name: name, value: strings.Join(o.query[name], ", ")})
	}
	for _, name := range sortedKeys(x.Request.Header) {
		if own := ownHeader(name); own {
			all = append(all, leaf{in: model.InHeader, name: name, value: joinedHeader(x.Request.Header, name)})
		}
	}
	o.request.leaves = append(all, o.request.leaves...)
	nameOutwardLeaves(o.request.leaves)
	nameOutwardLeaves(o.answer.leaves)
	return o
}

// ownHeader reports whether the service itself chose a header, and not its HTTP client.
func ownHeader(name string) bool {
	return strings.EqualFold(name, "Content-Type") ||
		!usualHeader.MatchString(name) && !strings.EqualFold(name, "Accept")
}

// readMessages sets the leaves of the messages of TCP or UDP, and returns o. The leaf of a binary
// request has no value. A binary or empty answer has no leaf.
func (o *outwardCall) readMessages() *outwardCall {
	for i, turn := range o.Messages {
		l := leaf{in: model.InMessage, name: strconv.Itoa(i), value: string(turn.Request)}
		if !utf8.Valid(turn.Request) {
			l.value = nil
		}
		o.request.leaves = append(o.request.leaves, l)
		if utf8.Valid(turn.Answer) && len(turn.Answer) > 0 {
			o.answer.leaves = append(
				o.answer.leaves,
				leaf{in: model.InMessage, name: strconv.Itoa(i), value: string(turn.Answer)},
			)
		}
	}
	return o
}

// readRequest sets the request to a database and its reply, and returns o.
func (o *outwardCall) readRequest() *outwardCall {
	if len(o.Messages) > 0 {
		o.Request.Body, o.Reply.Body = o.Messages[0].Request, o.Messages[0].Answer
	}
	o.request, o.answer = newMessage(nil, o.Request.Body, false), newMessage(nil, o.Reply.Body, false)
	nameOutwardLeaves(o.request.leaves)
	nameOutwardLeaves(o.answer.leaves)
	return o
}

// stubAnswers returns the answers of a stub that repeats the host's answer.
func (o *outwardCall) stubAnswers() []model.Answer {
	switch {
	case o.Protocol.IsDatabase() && o.Err != nil:
		return []model.Answer{{Fault: faultOf(o.Err)}}
	case o.Protocol != model.HTTP:
		return o.messageAnswers()
	}
	if o.Err != nil && o.Reply.Status == 0 {
		return []model.Answer{{Fault: faultOf(o.Err)}}
	}
	a := model.Answer{Status: o.Reply.Status, Header: o.answerHeader(), Trailer: o.Reply.Trailer}
	body, why := decompress(o.Reply.Header, o.Reply.Body)
	if why != "" {
		body = o.Reply.Body
		a.Header["Content-Encoding"] = []string{headerValue(o.Reply.Header, "Content-Encoding")}
	}
	a = a.WithContent(body)
	if o.Err != nil {
		a.Fault, a.After = model.NetCut, len(body)
	}
	return []model.Answer{a}
}

// messageAnswers returns the answers to the messages of TCP or UDP, one for each message. For a
// call without messages it returns a single answer, which is empty or has only the fault.
func (o *outwardCall) messageAnswers() []model.Answer {
	if o.Err != nil && len(o.Messages) == 0 {
		return []model.Answer{{Fault: faultOf(o.Err)}}
	}
	var all []model.Answer
	for _, turn := range o.Messages {
		all = append(all, model.Answer{}.WithContent(turn.Answer))
	}
	if o.Err != nil && o.Protocol == model.TCP && len(all) > 0 && len(all[len(all)-1].Content()) == 0 {
		all[len(all)-1].Fault = faultOf(o.Err)
	}
	if len(all) == 0 {
		all = []model.Answer{{}}
	}
	return all
}

// faults are the faults of hosts, by the text of the error. Recordings of version 0.1 contain "did
// not come about" and "went away before".
var faults = []struct {
	words *regexp.Regexp
	fault model.NetFault
}{
	{regexp.MustCompile(`(?i)refused`), model.NetRefuse},
	{regexp.MustCompile(`(?i)unreachable|no route`), model.NetUnreachable},
	{
		regexp.MustCompile(`(?i)^dial .*(time.?out|timed out)|not established in time|did not come about|` +
			`in vain for the connection`),
		model.NetTimeout,
	},
	{regexp.MustCompile(`(?i)time.?out|deadline|timed out|went away before|left before`), model.NetMute},
	{regexp.MustCompile(`(?i)no such host|lookup`), model.NetRefuse},
	{regexp.MustCompile(`(?i)certificate.* expired|expired certificate`), model.NetExpiredTLS},
	{regexp.MustCompile(`(?i)unknown (certificate )?authority|unknown ca\b`), model.NetUntrustedTLS},
	{regexp.MustCompile(`(?i)certificate|x509|tls:`), model.NetWrongTLS},
}

// faultOf returns the fault that an error reports, "" for nil. An error with any other text counts
// as a reset.
func faultOf(err error) model.NetFault {
	if err == nil {
		return ""
	}
	for _, f := range faults {
		if f.words.MatchString(err.Error()) {
			return f.fault
		}
	}
	return model.NetReset
}

// answerHeader returns the headers of the answer that may matter to the service.
func (o *outwardCall) answerHeader() model.HeaderFields {
	all := model.HeaderFields{}
	for _, name := range sortedKeys(o.Reply.Header) {
		if strings.EqualFold(name, "Content-Type") || !usualHeader.MatchString(name) ||
			strings.EqualFold(name, "Cache-Control") {
			all[name] = o.Reply.Header[name]
		}
	}
	return all
}

// size returns the recorded size of the call, in bytes.
func (o *outwardCall) size() int {
	n := len(o.Request.Body) + len(o.Reply.Body) + len(o.Request.URL)
	for _, turn := range o.Messages {
		n += len(turn.Request) + len(turn.Answer)
	}
	return n
}
