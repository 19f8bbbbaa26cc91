package server

import (
	"crypto/tls"
	"net/http"
)

func Serve(h http.Handler) error {
	s := &http.Server{Handler: h, TLSConfig: &tls.Config{}}
	return s.ListenAndServeTLS("", "")
}
