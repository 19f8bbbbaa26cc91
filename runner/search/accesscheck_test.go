package search_test

import (
	"errors"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

func TestRefusedRunsEnd(t *testing.T) {
	p := marketPlan(t)
	p.Limits.Calls = 20000
	s := start(t, p, search.Sink{}).Wait()
	if denied, ok := errors.AsType[*search.DeniedError](s.Err); !ok || denied.Calls != 50 || s.Summary.Calls > 100 {
		t.Errorf("error %v after %d calls, want that 50 calls were refused", s.Err, s.Summary.Calls)
	}
	if s.Denied == nil || len(s.Summary.Warnings) > 0 {
		t.Errorf("denied %v, warnings %v; want it said once", s.Denied, s.Summary.Warnings)
	}
}

// A run with PauseWhenDenied pauses, gives the reason, and continues after Resume.
func TestRefusedRunsPause(t *testing.T) {
	p := marketPlan(t)
	p.OnDenied = model.PauseWhenDenied
	run := start(t, p, search.Sink{})
	t.Cleanup(run.Stop)
	until(t, func() bool { return run.Snapshot().Phase == model.PhasePaused })
	if s := run.Snapshot(); s.Denied == nil || s.Denied.Refused != 50 || s.Err != nil {
		t.Errorf("paused with denied %v and error %v", s.Denied, s.Err)
	}
	run.Resume()
	if s := run.Wait(); s.Denied != nil || s.Err != nil || s.Summary.Calls != p.Limits.Calls {
		t.Errorf("ended after %d calls with denied %v and error %v; want the whole budget used", s.Summary.Calls, s.Denied, s.Err)
	}
}

// If the service accepts the users, no run ends or pauses early, whatever the seed.
func TestRunsOfUsersWhoWorkGoOn(t *testing.T) {
	seeds := uint64(4)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		p := marketPlan(t, "buyer", "seller")
		p.Seed = seed
		if s := start(t, p, search.Sink{}).Wait(); s.Denied != nil || s.Err != nil {
			t.Errorf("seed %d: denied %v, error %v", seed, s.Denied, s.Err)
		}
	}
}
