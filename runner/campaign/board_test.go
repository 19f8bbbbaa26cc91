package campaign_test

import (
	"encoding/json"
	"maps"
	"sync"
	"testing"
	"time"

	"sonde/runner/campaign"
	"sonde/runner/campaign/campaigntest"
)

// Several processes change a value at the same time. No change is lost.
func TestBoardIsShared(t *testing.T) {
	s, _ := campaigntest.Serve(t)
	ctx := t.Context()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 25 {
				for ok := false; !ok; {
					n := 0
					revision, err := s.Board("one").Get(ctx, "count.all", &n)
					if err == nil {
						ok, err = s.Board("one").Update(ctx, "count.all", n+1, revision)
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	all.Wait()
	n := 0
	if _, err := s.Board("one").Get(ctx, "count.all", &n); err != nil || n != 100 {
		t.Errorf("got %d, %v, want 100", n, err)
	}
	if revision, err := s.Board("other").Get(ctx, "count.all", &n); err != nil || revision != 0 {
		t.Errorf("the board of another campaign has revision %d, %v", revision, err)
	}
}

func TestBoardIsWatched(t *testing.T) {
	s, _ := campaigntest.Serve(t)
	ctx := t.Context()
	task := campaign.Task{Campaign: campaign.Description{ID: "one"}, Unit: 7, Store: s}
	if err := task.Report(ctx, "begun"); err != nil {
		t.Fatal(err)
	}
	type value struct{ key, text string }
	seen := make(chan value, 10)
	see := func(key string, text json.RawMessage) { seen <- value{key, string(text)} }
	if err := s.Board("one").Watch(ctx, campaign.ProgressPrefix, see); err != nil {
		t.Fatal(err)
	}
	if err := s.Board("one").Put(ctx, "other.8", 1); err != nil {
		t.Fatal(err)
	}
	task.Unit = 8
	if err := task.Report(ctx, "half"); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for len(got) < 2 {
		select {
		case v := <-seen:
			got[v.key] = v.text
		case <-time.After(time.Minute):
			t.Fatalf("seen: %v", got)
		}
	}
	if want := map[string]string{"7": `"begun"`, "8": `"half"`}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBoardEndsWithItsCampaign(t *testing.T) {
	s, _ := campaigntest.Serve(t)
	ctx := t.Context()
	for _, id := range []string{"one", "other"} {
		if _, _, err := s.Coordinate(ctx, campaign.Description{ID: id, Kind: "test", Sonde: sonde, Units: 1}); err != nil {
			t.Fatal(err)
		}
		if err := s.Board(id).Put(ctx, "a", 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Cancel(ctx, "one"); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{"one": false, "other": true} {
		n := 0
		revision, err := s.Board(id).Get(ctx, "a", &n)
		if err != nil || (revision > 0) != want {
			t.Errorf("campaign %s: revision %d, %v", id, revision, err)
		}
	}
}
