// Package handler imports net/http, but does not use the network.
package handler

import (
	"net"
	"net/http"

	"example.com/required"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	if net.ParseIP(required.Port(r.Host)) == nil {
		http.Error(w, "no address", http.StatusBadRequest)
	}
}
