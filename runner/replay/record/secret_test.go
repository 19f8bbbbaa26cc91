package record

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/model"
)

// secret starts a host that speaks TLS with an untrusted certificate.
func secret(t *testing.T, h http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2, s.Config.ErrorLog = true, log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// The service speaks plain HTTP to the monitor, which calls the host by TLS, in HTTP/1.1 and
// HTTP/2.
func TestSecretHost(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits")
	}
	t.Parallel() // the test waits for real time
	pay := secret(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s by %s", said, r.Proto)
	}))
	two := &http.Transport{Protocols: new(http.Protocols)}
	two.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(two.CloseIdleConnections)
	s := monitor(
		t,
		Options{Insecure: true},
		[]string{pay.URL},
		func([]string) http.Handler { return http.NotFoundHandler() },
	)
	for proto, c := range map[string]*http.Client{"HTTP/1.1": clientFor(t), "HTTP/2.0": {Transport: two}} {
		if _, text := call(t, c, "POST", "http://"+s.outs[0]+"/charge", "7"); text != "7 by "+proto {
			t.Errorf("it said %q", text)
		}
	}
	_, sent, notes := s.sink.all()
	if len(sent) != 2 || len(notes) > 0 {
		t.Fatalf("%d sent, notes %q", len(sent), notes)
	}
	for _, x := range sent {
		if !x.TLS || x.Base != pay.URL || x.Host != s.outs[0] || x.Protocol != model.HTTP ||
			!strings.HasPrefix(string(x.Reply.Body), "7 by ") || x.Err != nil {
			t.Errorf("sent %+v", x)
		}
	}
}

// A host whose certificate is not trusted is not called. The failed call is recorded, and one warning names the remedy.
func TestUntrustedHost(t *testing.T) {
	pay := secret(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was spoken to") }))
	s := monitor(t, Options{}, []string{pay.URL}, func([]string) http.Handler { return http.NotFoundHandler() })
	for range 2 {
		if _, _, err := try(clientFor(t), "POST", "http://"+s.outs[0]+"/charge", "7"); err == nil {
			t.Error("there was an answer")
		}
	}
	_, sent, notes := s.sink.all()
	if len(sent) != 2 || sent[0].Err == nil || !strings.Contains(sent[0].Err.Error(), "certificate") ||
		string(sent[0].Request.Body) != "7" {
		t.Errorf("sent %+v", sent)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], pay.URL+" was not called: ") ||
		!strings.Contains(notes[0], "SSL_CERT_FILE") || !strings.Contains(notes[0], "--insecure") {
		t.Errorf("notes %q", notes)
	}
}
