package campaign_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/runner/campaign"
	"sonde/runner/campaign/broker"
	"sonde/runner/campaign/campaigntest"
)

// awaitCampaign waits until an observer has a view of a campaign for which ok returns true. It returns this view.
func awaitCampaign(t *testing.T, o *campaign.StateObserver, id string, ok func(campaign.StateView) bool) campaign.StateView {
	t.Helper()
	var last campaign.StateView
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		all := o.Campaigns()
		if i := slices.IndexFunc(all, func(c campaign.StateView) bool { return c.ID == id }); i >= 0 {
			if last = all[i]; ok(last) {
				return last
			}
		}
	}
	t.Fatalf("campaign %q did not come into this state: %+v", id, last)
	return last
}

// A coordinator counts as alive only when the observer has received a beat. A stored state is not enough. The
// coordinator counts as gone if four beats are missing.
func TestCampaignsAreObserved(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for four beats")
	}
	s, _ := campaigntest.Serve(t)
	c, _, err := s.Coordinate(t.Context(), describe("one", 1))
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.ObserveCampaigns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first := awaitCampaign(t, o, "one", func(campaign.StateView) bool { return o.Ready() })
	if first.Alive || !first.Unknown || first.Silent != 0 || first.Units != 1 || first.Written.IsZero() {
		t.Errorf("before the first beat: %+v", first)
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		c.Run(ctx, campaign.Work{
			Payload: func(int) (any, error) { return job{}, nil },
			Handle:  func(int, json.RawMessage) error { return nil },
			Fail:    func(int, string) error { return nil },
		})
	})
	awaitCampaign(t, o, "one", func(c campaign.StateView) bool { return c.Alive && !c.Unknown })
	stop()
	running.Wait()
	gone := awaitCampaign(t, o, "one", func(c campaign.StateView) bool { return !c.Alive })
	if gone.Unknown || gone.Silent < 4*time.Second {
		t.Errorf("gone after %v, unknown %t", gone.Silent, gone.Unknown)
	}
	if err := s.Cancel(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	awaitCampaign(t, o, "one", func(c campaign.StateView) bool { return c.Cancelled && !c.Alive && !c.Unknown })
	if _, _, err := s.Coordinate(t.Context(), describe("one", 2)); err != nil {
		t.Fatal(err)
	}
	awaitCampaign(t, o, "one", func(c campaign.StateView) bool { return !c.Cancelled && c.Alive && c.Units == 2 })
}

// Entries that other programs write do not become campaigns.
func TestForeignCampaignsAreNotObserved(t *testing.T) {
	s, server := campaigntest.Serve(t)
	conn, err := broker.Connect(t.Context(), server.Options())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	bucket, err := conn.JetStream.KeyValue(t.Context(), "sonde_campaigns")
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{
		"text": "hello", "other": `{"id":"one"}`, "negative": `{"id":"negative","units":-1}`, "good": `{"id":"good","units":3}`,
	} {
		if _, err := bucket.Put(t.Context(), key, []byte(value)); err != nil {
			t.Fatal(err)
		}
	}
	if err := bucket.Delete(t.Context(), "never"); err != nil {
		t.Fatal(err)
	}
	o, err := s.ObserveCampaigns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	awaitCampaign(t, o, "good", func(campaign.StateView) bool { return o.Ready() })
	if all := o.Campaigns(); len(all) != 1 {
		t.Errorf("campaigns %+v", all)
	}
}

// WatchDead calls its function for the dead letters of one campaign, both for stored ones and for ones that arrive
// later, until the context ends.
func TestDeadLettersAreWatched(t *testing.T) {
	s, server := campaigntest.Serve(t)
	conn, err := broker.Connect(t.Context(), server.Options())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	put := func(subject, text string) {
		t.Helper()
		if _, err := conn.JetStream.Publish(t.Context(), subject, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	put("sonde.dead.one.3", `{"worker":"w","reason":"too large"}`)
	put("sonde.dead.one.x", `{"worker":"w","reason":"no unit"}`)
	put("sonde.dead.other.4", `{"worker":"w","reason":"another campaign"}`)
	seen := make(chan campaign.DeadLetter, 10)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if err := s.WatchDead(ctx, "one", func(d campaign.DeadLetter) { seen <- d }); err != nil {
		t.Fatal(err)
	}
	put("sonde.dead.one.5", "not ours")
	for _, want := range []campaign.DeadLetter{
		{Unit: 3, Worker: "w", Reason: "too large"}, {Unit: 5, Reason: "its dead letter cannot be read"},
	} {
		select {
		case got := <-seen:
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("no dead letter, want %+v", want)
		}
	}
	if err := s.WatchDead(ctx, "a.>", nil); err == nil || !strings.Contains(err.Error(), "a.>") {
		t.Errorf("all campaigns: %v", err)
	}
}

// Check returns an error after the connection is lost.
func TestCheck(t *testing.T) {
	s, server := campaigntest.Serve(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if reconnects, err := s.Check(ctx); err != nil || reconnects != 0 {
		t.Errorf("%d reconnects, %v", reconnects, err)
	}
	server.Close()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		_, err := s.Check(ctx)
		stop()
		if err != nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the loss of the server is not noticed")
		}
	}
}
