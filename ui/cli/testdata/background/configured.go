package main

import (
	"net/http"
	"strconv"
)

// settings are what the host of the configuration answers.
type settings struct {
	Version  int    `json:"version"`
	Currency string `json:"currency"`
	Discount int    `json:"discount"` // in percent
	Limit    int    `json:"limit"`    // the largest quantity
}

// serveConfigured registers the service at the host of the configuration, and reads its settings. The host may not be
// ready yet: the service asks again.
func serveConfigured(mux *http.ServeMux, hosts []string) error {
	config, tax := hosts[0], hosts[1]
	var lease struct {
		Lease string `json:"lease"`
	}
	err := fetch(nil, "POST", config+"/instances", &lease)
	if err != nil { // it is still starting
		err = fetch(nil, "POST", config+"/instances", &lease)
	}
	if err != nil {
		return err
	}
	var s settings
	if err := fetch(nil, "GET", config+"/settings?lease="+lease.Lease, &s); err != nil {
		return err
	}
	mux.HandleFunc("GET /settings", func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, s) })
	mux.HandleFunc("GET /quotes/{quantity}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("quantity"))
		if err != nil || n > s.Limit {
			reply(w, http.StatusUnprocessableEntity, map[string]int{"limit": s.Limit})
			return
		}
		var rate struct {
			Percent int `json:"percent"`
		}
		if err := fetch(r, "GET", tax+"/taxes/"+s.Currency, &rate); err != nil {
			fail(w, err)
			return
		}
		net := 100 * n * (100 - s.Discount) / 100
		reply(w, http.StatusOK, map[string]any{"currency": s.Currency, "net": net, "tax": net * rate.Percent / 100})
	})
	mux.HandleFunc("POST /settings", func(w http.ResponseWriter, r *http.Request) {
		var now settings
		if err := fetch(r, "GET", config+"/settings?lease="+lease.Lease, &now); err != nil {
			fail(w, err)
			return
		}
		reply(w, http.StatusOK, map[string]any{"was": s.Version, "is": now.Version})
		s = now
	})
	return nil
}
