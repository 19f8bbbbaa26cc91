package record

import (
	"fmt"

	"sonde/model"
)

// RecordOutward records a call that the virtual network inside a service reported, with its cause. If the network
// reported no cause, RecordOutward finds the cause as for other calls.
func (m *Monitor) RecordOutward(s model.OutwardCall) {
	s.At = m.clock.of(s.At)
	tracked, attribution := m.requests.causeOf(s)
	s.Request.Body, s.Request.Truncated, s.Request.Header = m.decodeBody(
		s.Base,
		s.Request.Body,
		s.Request.Truncated,
		s.Request.Header,
	)
	s.Reply.Body, s.Reply.Truncated, s.Reply.Header = m.decodeBody(s.Base, s.Reply.Body, s.Reply.Truncated, s.Reply.Header)
	m.reportOutward(tracked, attribution, s, nil)
}

// CauseByTrace returns the ID of the request that caused a call, by the trace context in the call's
// header, and restores the client's trace context in that header. It returns "" if the request is
// unknown.
func (m *Monitor) CauseByTrace(header map[string][]string) string {
	tracked, attribution := m.requests.cause(header)
	if attribution != model.AttributedByTrace {
		return ""
	}
	tracked.clientTrace.restore(header, tracked.id)
	return tracked.id
}

// NoteUnrecorded reports a warning about traffic that is not recorded, once for each text; see warnOnce.
func (m *Monitor) NoteUnrecorded(text string) { m.warnOnce(text) }

// decodeBody returns a decoded body, whether it is truncated, and the headers. If the body is not empty and had an
// encoding, the headers are without Content-Encoding and Content-Length.
func (m *Monitor) decodeBody(base string, body []byte, cut bool, h map[string][]string) ([]byte, bool, map[string][]string) {
	encoding := headerValue(h, "Content-Encoding")
	if encoding == "" || len(body) == 0 {
		return body, cut, h
	}
	data, cut, err := decode(capture{data: body, truncated: cut}, encoding)
	if err != nil {
		m.warnOnce(fmt.Sprintf("%s: a body in %.20q is not kept completely: %v", base, encoding, err))
	}
	bare := map[string][]string{}
	for name, values := range h {
		if name != "Content-Encoding" && name != "Content-Length" {
			bare[name] = values
		}
	}
	return data, cut, bare
}
