package record

import (
	"fmt"

	"sonde/model"
)

// RecordOutward records a call of a service with a built-in network, which reports the cause unless
// a header does. If neither does, the cause is found as for other calls.
func (m *Monitor) RecordOutward(s model.OutwardCall) {
	s.At = m.clock.of(s.At)
	v, how := m.requests.within(s)
	s.Request.Body, s.Request.Truncated, s.Request.Header = m.plain(
		s.Base,
		s.Request.Body,
		s.Request.Truncated,
		s.Request.Header,
	)
	s.Reply.Body, s.Reply.Truncated, s.Reply.Header = m.plain(s.Base, s.Reply.Body, s.Reply.Truncated, s.Reply.Header)
	m.sent(v, how, s, nil)
}

// CauseByTrace returns the cause of a call by the trace in its header, "" if there is none, and
// replaces the trace by the client's.
func (m *Monitor) CauseByTrace(header map[string][]string) string {
	v, how := m.requests.cause(header)
	if how != model.AttributedByTrace {
		return ""
	}
	v.own.restore(header, v.id)
	return v.id
}

// NoteUnrecorded reports something that is not recorded, once.
func (m *Monitor) NoteUnrecorded(text string) { m.once(text) }

// plain returns a body without its encoding, and its headers.
func (m *Monitor) plain(base string, body []byte, cut bool, h map[string][]string) ([]byte, bool, map[string][]string) {
	encoding := first(h, "Content-Encoding")
	if encoding == "" || len(body) == 0 {
		return body, cut, h
	}
	data, cut, err := decoded(capture{data: body, cut: cut}, encoding)
	if err != nil {
		m.once(fmt.Sprintf("%s: a body in %.20q is not kept completely: %v", base, encoding, err))
	}
	bare := map[string][]string{}
	for name, values := range h {
		if name != "Content-Encoding" && name != "Content-Length" {
			bare[name] = values
		}
	}
	return data, cut, bare
}

// within finds the cause of a finished call: as reported, or the only request that was in flight
// when the call began.
func (b *requestTracker) within(s model.OutwardCall) (*trackedRequest, model.Attribution) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if v := b.known(s.CauseID); v != nil {
		return v, s.Attribution
	}
	v := b.last
	if !b.serial || v == nil || s.At.Before(b.began) || !b.under[v] && s.At.Sub(b.ended) >= afterwards {
		return nil, ""
	}
	return v, model.AttributedBySerial
}
