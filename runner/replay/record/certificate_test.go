package record

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
)

// asking is a server that asks for a client certificate, and answers with the number of certificates
// that it got.
func asking(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, len(r.TLS.PeerCertificates))
	}))
	s.TLS, s.Config.ErrorLog = &tls.Config{ClientAuth: tls.RequestClientCert}, log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// A client certificate is only used for the service, not for hosts.
func TestCertificateIsForTheService(t *testing.T) {
	service, host := asking(t), asking(t)
	secure := &tls.Config{InsecureSkipVerify: true, Certificates: service.TLS.Certificates}
	s := monitor(
		t,
		Options{TLS: secure},
		[]string{host.URL},
		func([]string) http.Handler { return http.NotFoundHandler() },
	)
	if err := s.ListenInward(anyEndpoint(t, service.URL)); err != nil {
		t.Fatal(err)
	}
	all := s.Listening()
	if _, got := call(t, clientFor(t), "GET", "http://"+all[len(all)-1].Addr+"/things", ""); got != "1" {
		t.Errorf("the service got %s certificates, want 1", got)
	}
	if _, got := call(t, clientFor(t), "GET", "http://"+s.outs[0]+"/charge", ""); got != "0" {
		t.Errorf("the host got %s certificates, want none", got)
	}
}
