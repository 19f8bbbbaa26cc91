package record

import (
	"net/http"

	"sonde/model"
)

// behind replaces a host that the service calls by HTTP.
type behind struct {
	m     *Monitor
	host  string // as the service calls it
	relay *relay
}

// ServeHTTP passes on what the service sends.
func (b *behind) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.m.pass(
		w,
		r,
		b.relay,
		model.OutwardCall{Host: b.host, Name: b.relay.to.Host, Protocol: model.HTTP, TLS: b.relay.to.Scheme == "https"},
	)
}

// pass passes a request on, and reports it.
func (m *Monitor) pass(w http.ResponseWriter, r *http.Request, to *relay, s model.OutwardCall) {
	if upgrades(r) {
		m.once("what went by WebSocket, or another upgrade, to " + s.Name + " passed through unrecorded")
		to.proxy.ServeHTTP(w, r)
		return
	}
	v, how := m.book.cause(r.Header)
	base := "http://" + s.Name
	if s.TLS {
		base = "https://" + s.Name
	}
	done := m.going()
	defer done()
	t := m.newTalk(base, r, func(x model.Exchange, early *masked) {
		s.Exchange = x
		m.sent(v, how, s, early)
	})
	if how == model.AttributedByTrace {
		v.own.restore(r.Header, v.id)
	}
	fullDuplex(w, r)
	to.pass(w, r, t)
}
