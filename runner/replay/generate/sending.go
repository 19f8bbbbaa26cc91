package generate

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"sonde/model"
)

// recordedCall is an outward call of the service (a mockable call), read.
type recordedCall struct {
	model.OutwardCall
	// request has the leaves of its path (one for each part, by number), query, headers and body;
	// of TCP and UDP, one for each message.
	request message
	reply   message
	path    []string // escaped
	query   []model.Arg
}

func newRecordedCall(x model.OutwardCall) *recordedCall {
	s := &recordedCall{OutwardCall: x}
	if x.Protocol != model.HTTP {
		return s.talked()
	}
	s.request = newMessage(x.Request.Header, x.Request.Body, x.Request.Truncated)
	s.reply = newMessage(x.Reply.Header, x.Reply.Body, x.Reply.Truncated)
	var all []leaf
	path, raw, _ := strings.Cut(x.Request.URL, "?")
	s.path = strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, part := range s.path {
		if plain, err := url.PathUnescape(part); err == nil {
			part = plain
		}
		all = append(all, leaf{in: model.InPath, name: strconv.Itoa(i), value: part})
	}
	query, _ := url.ParseQuery(raw)
	for _, name := range sortedKeys(query) {
		s.query = append(s.query, model.Arg{In: model.InQuery, Name: name, Value: query.Get(name)})
		all = append(all, leaf{in: model.InQuery, name: name, value: query.Get(name)})
	}
	for _, name := range sortedKeys(x.Request.Header) {
		if own := ownHeader(name); own {
			all = append(all, leaf{in: model.InHeader, name: name, value: first(x.Request.Header, name)})
		}
	}
	s.request.leaves = append(all, s.request.leaves...)
	outside(s.request.leaves)
	outside(s.reply.leaves)
	return s
}

// ownHeader reports whether the service itself chose a header of an outward call.
func ownHeader(name string) bool {
	return strings.EqualFold(name, "Content-Type") ||
		!usualHeader.MatchString(name) && !strings.EqualFold(name, "Accept")
}

// talked reads messages of TCP or UDP.
func (s *recordedCall) talked() *recordedCall {
	for i, turn := range s.Messages {
		l := leaf{in: model.InMessage, name: strconv.Itoa(i), value: string(turn.Request)}
		if !utf8.Valid(turn.Request) {
			l.value = nil
		}
		s.request.leaves = append(s.request.leaves, l)
		if utf8.Valid(turn.Answer) && len(turn.Answer) > 0 {
			s.reply.leaves = append(
				s.reply.leaves,
				leaf{in: model.InMessage, name: strconv.Itoa(i), value: string(turn.Answer)},
			)
		}
	}
	return s
}

// answer returns the answer of the host.
func (s *recordedCall) answers() []model.Answer {
	if s.Protocol != model.HTTP {
		return s.said()
	}
	if s.Err != nil && s.Reply.Status == 0 {
		return []model.Answer{{Fault: faultOf(s.Err)}}
	}
	a := model.Answer{Status: s.Reply.Status, Header: s.replyHeader()}
	body, why := unpacked(s.Reply.Header, s.Reply.Body)
	if why != "" {
		body = s.Reply.Body
		a.Header["Content-Encoding"] = first(s.Reply.Header, "Content-Encoding")
	}
	a = a.WithContent(body)
	if s.Err != nil {
		a.Fault, a.After = model.NetCut, len(body)
	}
	return []model.Answer{a}
}

// said returns the script of a connection, or the answer to a datagram.
func (s *recordedCall) said() []model.Answer {
	if s.Err != nil && len(s.Messages) == 0 {
		return []model.Answer{{Fault: faultOf(s.Err)}}
	}
	var all []model.Answer
	for _, turn := range s.Messages {
		all = append(all, model.Answer{}.WithContent(turn.Answer))
	}
	if s.Err != nil && s.Protocol == model.TCP && len(all) > 0 && len(all[len(all)-1].Content()) == 0 {
		all[len(all)-1].Fault = faultOf(s.Err)
	}
	if len(all) == 0 {
		all = []model.Answer{{}}
	}
	return all
}

// faults are the faults of hosts, by the texts of errors. "did not come about" and "went away before"
// are in recordings of version 0.1.
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
	{regexp.MustCompile(`(?i)certificate|x509|tls:`), model.NetWrongTLS},
}

// faultOf returns the fault of an error. A connection that ended counts as reset.
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

// replyHeader are the headers of a reply that say something.
func (s *recordedCall) replyHeader() map[string]string {
	all := map[string]string{}
	for _, name := range sortedKeys(s.Reply.Header) {
		if strings.EqualFold(name, "Content-Type") || !usualHeader.MatchString(name) ||
			strings.EqualFold(name, "Cache-Control") {
			all[name] = first(s.Reply.Header, name)
		}
	}
	return all
}

// size returns how many bytes of it were recorded.
func (s *recordedCall) size() int {
	n := len(s.Request.Body) + len(s.Reply.Body) + len(s.Request.URL)
	for _, turn := range s.Messages {
		n += len(turn.Request) + len(turn.Answer)
	}
	return n
}
