package record

import (
	"net/http"
	"strings"
	"sync/atomic"

	"sonde/model"
)

// inwardHandler relays requests to the service.
type inwardHandler struct {
	monitor *Monitor
	base    string // URL of the service
	relay   *relay
}

// ServeHTTP relays a request to the service.
func (h *inwardHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if upgrades(r) {
		h.monitor.warnOnce("WebSocket and other upgraded connections to " + r.URL.Path + " are not recorded")
		h.relay.proxy.ServeHTTP(w, r)
		return
	}
	leave, err := h.monitor.enter(r.Context())
	if err != nil {
		breakOff(r.Context(), err)
	}
	var wrote atomic.Bool
	defer func() { leave(wrote.Load()) }()
	defer h.monitor.inwardInFlight.begin()()
	tracked := h.monitor.requests.begin(takeTrace(r.Header))
	h.monitor.coverage.begin(tracked)
	e := h.monitor.beginExchange(h.base, r, func(x model.Exchange, early *masked) {
		wrote.Store(isWrite(x))
		h.monitor.reportServed(tracked, x, early, r)
	})
	e.tracked = tracked
	fullDuplex(w, r)
	h.relay.pass(w, r, e)
}

// fullDuplex allows the reply to begin before the request was read completely.
func fullDuplex(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 && r.ContentLength != 0 {
		_ = http.NewResponseController(w).EnableFullDuplex() // without it, the reply waits for the request
	}
}

// upgrades reports whether a request asks for a protocol other than HTTP, such as WebSocket.
func upgrades(r *http.Request) bool {
	return r.Header.Get("Upgrade") != "" &&
		strings.Contains(strings.ToLower(strings.Join(r.Header["Connection"], ",")), "upgrade")
}
