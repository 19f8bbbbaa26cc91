package record

import (
	"net/http"
	"testing"
)

// InFlight counts a request in the service, and MaskedSecrets counts the secret in the request.
func TestLive(t *testing.T) {
	in, out := make(chan struct{}), make(chan struct{})
	s := monitor(t, Options{}, nil, func([]string) http.Handler {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			close(in)
			<-out
		})
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _, _ = try(clientFor(t), "GET", s.in+"/orders/1", "", "Authorization", "Bearer a-long-secret-token")
	}()
	<-in
	if n := s.InFlight(); n != 1 {
		t.Errorf("%d requests are under way", n)
	}
	close(out)
	<-done
	until(t, "the end", func() bool { return s.InFlight() == 0 && s.MaskedSecrets() == 1 })
}
