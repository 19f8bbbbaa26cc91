package campaign_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"sonde/runner/campaign"
	"sonde/runner/campaign/broker"
	"sonde/runner/campaign/campaigntest"

	"github.com/nats-io/nats-server/v2/server"
)

// The coordinator ignores messages of other programs that it cannot read. A dead letter that it cannot read still
// counts as a dead letter.
func TestForeignMessages(t *testing.T) {
	s, server := campaigntest.Serve(t)
	conn, err := broker.Connect(t.Context(), server.Options())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const units = 10
	c, _, err := s.Coordinate(t.Context(), describe("foreign", units))
	if err != nil {
		t.Fatal(err)
	}
	for _, subject := range []string{
		"sonde.result.foreign", "sonde.result.foreign.3", "sonde.dead.foreign.4", "sonde.dead.foreign.x", "sonde.work.a.b",
		"sonde.work." + strings.Repeat("0", 12) + ".foreign.1",
	} {
		if _, err := conn.JetStream.Publish(t.Context(), subject, []byte("not yours")); err != nil {
			t.Fatal(err)
		}
	}
	bucket, err := conn.JetStream.KeyValue(t.Context(), "sonde_workers")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bucket.Put(t.Context(), "stranger", []byte("hello")); err != nil {
		t.Fatal(err)
	}
	defer startWorker(t, s, "w", do)()
	g := newGathered()
	if err := c.Run(t.Context(), g.work(func(i int) job { return job{N: i} })); err != nil {
		t.Fatal(err)
	}
	g.check(t, units)
	if len(g.dead) != 1 || g.dead[4] == "" {
		t.Errorf("dead letters %v, want that of unit 4", g.dead)
	}
}

// If the servers have no room for the units, Run returns an error of one line.
func TestFullStorage(t *testing.T) {
	full, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
		JetStreamMaxStore: 1 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	full.Start()
	defer full.Shutdown()
	if !full.ReadyForConnections(5 * time.Second) {
		t.Fatal("the server is not ready")
	}
	conn, err := broker.Connect(t.Context(), broker.Options{URL: full.ClientURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	s, err := campaign.OpenStore(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := s.Coordinate(t.Context(), describe("large", 50))
	if err != nil {
		t.Fatal(err)
	}
	large := func(i int) job { return job{N: i, Fail: strings.Repeat("x", 100_000)} }
	err = c.Run(t.Context(), newGathered().work(large))
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), `"large" cannot be stored`) {
		t.Errorf("got %v", err)
	}
}

// A worker takes no units of a campaign of another version of Sonde. Store.Campaigns lists such a campaign with its
// version.
func TestOtherVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for seconds that no worker takes the unit")
	}
	s, _ := campaigntest.Serve(t)
	d := describe("other", 1)
	d.Sonde = "sonde 2"
	c, _, err := s.Coordinate(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	defer startWorker(t, s, "w", do)()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	g := newGathered()
	if err := c.Run(ctx, g.work(func(i int) job { return job{N: i} })); !errors.Is(err, context.DeadlineExceeded) || len(g.squares) > 0 {
		t.Errorf("%d results, %v: want none", len(g.squares), err)
	}
	all, err := s.Campaigns(t.Context())
	if err != nil || len(all) != 1 || all[0].ID != "other" || all[0].Sonde != "sonde 2" || all[0].Ended {
		t.Errorf("campaigns %+v, %v", all, err)
	}
}
