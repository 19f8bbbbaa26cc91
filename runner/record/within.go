package record

import (
	"fmt"

	"sonde/model"
)

// Within takes what a service sent whose network is Sonde's own: that, or a header, tells
// for which request. What is told of none is found out as for any other.
func (m *Monitor) Within(s model.Sent) {
	s.At = m.clock.of(s.At)
	v, how := m.book.within(s)
	s.Request.Body, s.Request.Truncated, s.Request.Header = m.plain(s.Base, s.Request.Body, s.Request.Truncated, s.Request.Header)
	s.Reply.Body, s.Reply.Truncated, s.Reply.Header = m.plain(s.Base, s.Reply.Body, s.Reply.Truncated, s.Reply.Header)
	m.sent(v, how, s, nil)
}

// Traced finds in a header of what such a service sends for which request it is, "" where
// that does not tell, and puts the client's own trace there.
func (m *Monitor) Traced(header map[string][]string) string {
	v, how := m.book.cause(header)
	if how != model.ByTrace {
		return ""
	}
	v.own.restore(header, v.id)
	return v.id
}

// Unrecorded notes what is not recorded, the first time that it happens.
func (m *Monitor) Unrecorded(text string) { m.once(text) }

// plain is a body without its encoding, with its headers as they are of that.
func (m *Monitor) plain(base string, body []byte, cut bool, h map[string][]string) ([]byte, bool, map[string][]string) {
	encoding := first(h, "Content-Encoding")
	if encoding == "" || len(body) == 0 {
		return body, cut, h
	}
	data, cut, err := decoded(capture{data: body, cut: cut}, encoding)
	if err != nil {
		m.once(fmt.Sprintf("%s: a body in %.20q is not kept whole: %v", base, encoding, err))
	}
	bare := map[string][]string{}
	for name, values := range h {
		if name != "Content-Encoding" && name != "Content-Length" {
			bare[name] = values
		}
	}
	return data, cut, bare
}

// within finds the request for which something was sent that is over by now: by others'
// word, or as the only one that was let in when it began.
func (b *book) within(s model.Sent) (*visit, model.Cause) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if v := b.known(s.Cause); v != nil {
		return v, s.How
	}
	v := b.last
	if !b.serial || v == nil || s.At.Before(b.began) || !b.under[v] && s.At.Sub(b.ended) >= afterwards {
		return nil, ""
	}
	return v, model.BySerial
}
