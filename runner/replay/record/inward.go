package record

import (
	"net/http"
	"strings"

	"sonde/model"
)

// inwardHandler receives the requests to the service.
type inwardHandler struct {
	m     *Monitor
	base  string // where the service is
	relay *relay
}

// ServeHTTP relays a request to the service.
func (f *inwardHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if upgrades(r) {
		f.m.once("WebSocket and other upgraded connections to " + r.URL.Path + " are not recorded")
		f.relay.proxy.ServeHTTP(w, r)
		return
	}
	leave, err := f.m.enter(r.Context())
	if err != nil {
		breakOff(r.Context(), err)
	}
	defer leave()
	defer f.m.visits.begin()()
	v := f.m.requests.begin(takeTrace(r.Header))
	t := f.m.newTalk(f.base, r, func(x model.Exchange, early *masked) { f.m.served(v, x, early, r) })
	t.visit = v
	fullDuplex(w, r)
	f.relay.pass(w, r, t)
}

// fullDuplex lets a reply begin before the request is complete.
func fullDuplex(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 && r.ContentLength != 0 {
		_ = http.NewResponseController(w).EnableFullDuplex() // if unsupported, the reply waits
	}
}

// upgrades reports whether a request asks for another protocol than HTTP.
func upgrades(r *http.Request) bool {
	return r.Header.Get("Upgrade") != "" &&
		strings.Contains(strings.ToLower(strings.Join(r.Header["Connection"], ",")), "upgrade")
}
