// Package campaigntest starts the servers of campaigns for tests.
package campaigntest

import (
	"testing"

	"sonde/runner/campaign"
	"sonde/runner/campaign/broker"
)

// Serve starts a server in this process, and returns a store on it. The server ends with the test. Serve skips the
// test if the binary has no NATS server.
func Serve(t testing.TB) (*campaign.Store, *broker.Server) {
	t.Helper()
	if !broker.Embeds() {
		t.Skip("this binary has no NATS server")
	}
	s, err := broker.Serve("127.0.0.1", 0, t.TempDir(), "secret")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := broker.Connect(t.Context(), s.Options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		s.Close()
	})
	store, err := campaign.OpenStore(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	return store, s
}
