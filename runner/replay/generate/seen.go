package generate

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
	"sonde/runner/replay/shape"
)

// recordedExchange is an exchange of the recording with what tests need to know about it.
type recordedExchange struct {
	model.ServedRequest
	at   int // in the recording
	life int // of the service: how often it was reset before
	op   *model.Operation
	call model.Call // as it was sent, without credentials
	// bars is why it cannot be sent again, "" if it can.
	bars          string
	base          string // what the path has in front of the operation's
	asked, told   []leaf // without credentials; a Location as its last part
	request, said message
	sent          []*recordedCall
	through       []string // the things on its path, the outermost first: "/orders/17"
	creates       string   // the thing that it made, "" for none
	look          shape.Profile
	shape         string // of the look
	cred          credential
}

// writes reports whether it changed something.
func (s *recordedExchange) writes() bool { return s.changes() && s.went() }

func (s *recordedExchange) changes() bool {
	return !slices.Contains([]string{"GET", "HEAD", "OPTIONS", "TRACE"}, s.Request.Method)
}

func (s *recordedExchange) went() bool { return s.Reply.Status >= 200 && s.Reply.Status < 400 }

// before reports whether it was over when another one began.
func (s *recordedExchange) before(other *recordedExchange) bool {
	return s.at < other.at && !s.EndTime().After(other.At)
}

// newExchange reads an exchange. Op is nil for a request to no operation.
func (p *recordingIndex) newExchange(at int, x model.ServedRequest) *recordedExchange {
	s := &recordedExchange{ServedRequest: x, at: at}
	found, ok := p.router.FindOperation(x.Request.Method, x.Request.URL)
	if !ok {
		s.bars = "it is not an operation of the spec"
		return s
	}
	s.op = found.Op
	s.base = base(found.Op.Path, x.Request.URL)
	s.request = newMessage(x.Request.Header, x.Request.Body, x.Request.Truncated)
	s.said = newMessage(x.Reply.Header, x.Reply.Body, x.Reply.Truncated)
	s.cred = credentialOf(s, p.keys)
	s.bars = s.fill(found.Args)
	s.through = p.things(found)
	s.asked, s.told = s.askedLeaves(), s.toldLeaves()
	p.names.know(s.op.ID, false, s.asked)
	p.names.know(s.op.ID, true, s.told)
	s.creates = s.made()
	for _, sent := range x.OutwardCalls {
		s.sent = append(s.sent, newRecordedCall(sent))
	}
	s.look = s.looks()
	s.shape = s.look.String()
	return s
}

// base returns the prefix of a URL's path to that of a template.
func base(template, target string) string {
	path, _, _ := strings.Cut(target, "?")
	template, _, _ = strings.Cut(template, "?")
	have, want := resource.Segments(path), len(resource.Segments(template))
	if len(have) <= want {
		return ""
	}
	return "/" + strings.Join(have[:len(have)-want], "/")
}

// fill makes the call, or returns why it cannot be made again.
func (s *recordedExchange) fill(args []model.Arg) string {
	s.call = model.Call{Op: s.op.ID, Args: args, Status: s.Reply.Status}
	switch {
	case s.Err != nil || s.Reply.Status == 0:
		return "no answer was recorded"
	case s.Reply.Status < 200:
		return fmt.Sprintf("it was answered %d, and the rest was not recorded", s.Reply.Status)
	case s.request.why != "":
		return "its request " + s.request.why
	case !s.query():
		return "its query cannot be read"
	}
	s.call.Args = append(s.call.Args, s.headers()...)
	if len(s.Request.Body) > 0 {
		s.call.Body = &model.Payload{Media: first(s.Request.Header, "Content-Type"), Data: s.request.text}
	}
	return ""
}

// query adds the query's values, except those of the operation's template and credentials.
func (s *recordedExchange) query() bool {
	_, raw, _ := strings.Cut(s.Request.URL, "?")
	_, own, _ := strings.Cut(s.op.Path, "?")
	fixed, _ := url.ParseQuery(own)
	for _, pair := range strings.FieldsFunc(raw, func(r rune) bool { return r == '&' }) {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		value, bad := url.QueryUnescape(value)
		if err != nil || bad != nil {
			return false
		}
		if _, has := fixed[name]; !has && !s.cred.is(model.InQuery, name) {
			s.call.Args = append(s.call.Args, model.Arg{In: model.InQuery, Name: name, Value: value})
		}
	}
	return true
}

// usualHeader matches headers that do not affect the answer: those of the client, of connections,
// of proxies and of traces.
var usualHeader = regexp.MustCompile(`(?i)^(host|user-agent|accept-encoding|accept-language|connection|keep-alive|` +
	`content-length|content-type|content-encoding|transfer-encoding|te|trailer|upgrade|date|expect|cookie|` +
	`traceparent|tracestate|baggage|b3|x-b3-.*|x-forwarded-.*|x-real-ip|forwarded|via|proxy-.*|sec-.*|dnt|` +
	`origin|referer|pragma|cache-control|priority|x-request-id|x-correlation-id)$`)

// headers returns the headers of a request that may matter.
func (s *recordedExchange) headers() []model.Arg {
	var all []model.Arg
	for _, name := range sortedKeys(s.Request.Header) {
		value := first(s.Request.Header, name)
		plain := strings.EqualFold(name, "Accept") && value == "*/*"
		if !usualHeader.MatchString(name) && !plain && !s.cred.is(model.InHeader, name) {
			all = append(all, model.Arg{In: model.InHeader, Name: name, Value: value})
		}
	}
	return append(all, s.cookies()...)
}

// things returns the resources that a path names: one for each of its parameters.
func (p *recordingIndex) things(m matched) []string {
	template, _, _ := strings.Cut(m.Op.Path, "?")
	path, all := "", []string(nil)
	for _, segment := range resource.Segments(template) {
		names := resource.ParamNames(segment)
		for _, a := range m.Args {
			segment = strings.ReplaceAll(segment, "{"+a.Name+"}", url.PathEscape(a.Value))
		}
		path += "/" + segment
		if len(names) > 0 {
			all = append(all, path)
		}
	}
	return all
}

// path returns the concrete path of the operation.
func (s *recordedExchange) path() string {
	path, _, _ := strings.Cut(s.Request.URL, "?")
	return "/" + strings.Join(resource.Segments(strings.TrimPrefix(path, s.base)), "/")
}

func (s *recordedExchange) askedLeaves() []leaf {
	var all []leaf
	for _, a := range s.call.Args {
		all = append(all, leaf{in: a.In, name: a.Name, value: a.Value})
	}
	media := first(s.Request.Header, "Content-Type")
	if fields := form(media, s.request.text); fields != nil {
		return append(all, fields...)
	}
	return append(all, s.request.leaves...)
}

func (s *recordedExchange) toldLeaves() []leaf {
	all := slices.Clone(s.said.leaves)
	if id, ok := match.LastSegment(first(s.Reply.Header, "Location")); ok {
		all = append(all, leaf{in: model.InHeader, name: "Location", value: id})
	}
	return all
}

// made returns the thing that a call created: its Location, or the id in its answer of a member of
// the collection.
func (s *recordedExchange) made() string {
	method := s.Request.Method
	if method != "POST" && method != "PUT" || s.Reply.Status/100 != 2 {
		return ""
	}
	if u, err := url.Parse(strings.TrimSpace(first(s.Reply.Header, "Location"))); err == nil && len(u.Path) > 1 {
		path := "/" + strings.Join(resource.Segments(strings.TrimPrefix(u.EscapedPath(), s.base)), "/")
		return path
	}
	template := resource.Segments(s.op.Path)
	if method == "PUT" || len(template) == 0 || strings.Contains(template[len(template)-1], "{") {
		return ""
	}
	thing := plain(match.Singular(strings.ToLower(template[len(template)-1])))
	for _, name := range []string{"id", thing + "id", "uuid", "key"} {
		for _, l := range s.told {
			if strings.Count(l.name, "/") == 1 && plain(l.called()) == name && l.text() != "" {
				return s.path() + "/" + url.PathEscape(l.text())
			}
		}
	}
	return ""
}

// looks is the look of the exchange, by which the recordings of an operation are grouped.
func (s *recordedExchange) looks() shape.Profile {
	x := s.Exchange
	x.Request.Body, x.Reply.Body = s.request.plain, s.said.plain
	var sent []string
	for _, o := range s.OutwardCalls {
		sent = append(sent, shape.NameWithResult(o))
	}
	return shape.ProfileOf(s.op, x, sent)
}

// near reports whether a time is one of the exchange.
func near(at, begin, end time.Time, slack time.Duration) bool {
	return !at.Before(begin.Add(-slack)) && !at.After(end.Add(slack))
}
