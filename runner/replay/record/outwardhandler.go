package record

import (
	"net/http"

	"sonde/model"
)

// outwardHandler relays the service's HTTP calls to one host.
type outwardHandler struct {
	monitor *Monitor
	host    string // address that the service calls
	relay   *relay
}

// ServeHTTP relays a call to the host.
func (h *outwardHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.monitor.relayOutward(
		w,
		r,
		h.relay,
		model.OutwardCall{Host: h.host, Name: h.relay.base.Host, Protocol: model.HTTP, TLS: h.relay.base.Scheme == "https"},
	)
}

// relayOutward relays an HTTP call of the service and reports it. It does not report an upgraded connection. The caller
// has set the host and protocol in s.
func (m *Monitor) relayOutward(w http.ResponseWriter, r *http.Request, to *relay, s model.OutwardCall) {
	if upgrades(r) {
		m.warnOnce("WebSocket and other upgraded connections to " + s.Name + " are not recorded")
		to.proxy.ServeHTTP(w, r)
		return
	}
	tracked, attribution := m.requests.cause(r.Header)
	base := "http://" + s.Name
	if s.TLS {
		base = "https://" + s.Name
	}
	defer m.outwardInFlight.begin()()
	e := m.beginExchange(base, r, func(x model.Exchange, early *masked) {
		s.Exchange = x
		m.reportOutward(tracked, attribution, s, early)
	})
	if attribution == model.AttributedByTrace {
		tracked.clientTrace.restore(r.Header, tracked.id)
	}
	fullDuplex(w, r)
	to.pass(w, r, e)
}
