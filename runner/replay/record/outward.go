package record

import (
	"net/http"

	"sonde/model"
)

// outwardHandler relays the calls of the service to a host, by HTTP.
type outwardHandler struct {
	m     *Monitor
	host  string // as the service calls it
	relay *relay
}

// ServeHTTP relays a call of the service.
func (b *outwardHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.m.pass(
		w,
		r,
		b.relay,
		model.OutwardCall{Host: b.host, Name: b.relay.to.Host, Protocol: model.HTTP, TLS: b.relay.to.Scheme == "https"},
	)
}

// pass relays a call and reports it.
func (m *Monitor) pass(w http.ResponseWriter, r *http.Request, to *relay, s model.OutwardCall) {
	if upgrades(r) {
		m.once("WebSocket and other upgraded connections to " + s.Name + " are not recorded")
		to.proxy.ServeHTTP(w, r)
		return
	}
	v, how := m.requests.cause(r.Header)
	base := "http://" + s.Name
	if s.TLS {
		base = "https://" + s.Name
	}
	defer m.calls.begin()()
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
