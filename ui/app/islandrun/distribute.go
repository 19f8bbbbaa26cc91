package islandrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"

	"sonde/model/config"
	"sonde/runner/campaign"
	"sonde/runner/campaign/islands"
	"sonde/ui/app/experiment"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"
)

// Shares of the budget that the islands leave to the search that continues after them. That search also needs the share
// for minimising, which is in the settings.
const (
	// playingShare is for playing the tests of the islands again and for checking their faults.
	playingShare = 0.08
	// securityShare is for security tests.
	securityShare = 0.1
	// probedShare replaces playingShare for a service with probes: the islands then also keep tests for targets in its source.
	probedShare = 0.15
)

// seedDistance is the difference between the seeds of an island and the next one. It is large, so that the islands of searches
// with seeds 1, 2 and so on all have different seeds.
const seedDistance = 1 << 32

// Distributed is a search whose islands are run by workers.
type Distributed struct {
	store   *campaign.Store
	units   []sentIsland
	limit   int // number of requests of the whole search
	results []*found
	failed  []string // why an island has no result, "" if it has one
	calls   []atomic.Int64
}

// Distribute divides a search into islands, and stores its service on the servers of campaigns.
func Distribute(ctx context.Context, s *campaign.Store, set searchrun.Settings) (*Distributed, error) {
	if err := check(set); err != nil {
		return nil, err
	}
	demo := set.Service.Name == service.DemoSource
	sent, err := experiment.Send(ctx, s, config.StudiedService{Name: "service", Demo: demo, Config: set.Config.Path}, "")
	if err != nil {
		return nil, err
	}
	white := set.Service.Builder != nil && !set.BlackBox
	d := &Distributed{store: s, limit: set.Limits.Calls}
	n := set.Islands
	setup := islands.Setup{Islands: n.Number, Share: shareOf(set, white), Every: n.Every, Migrants: n.Migrants, Topology: n.Topology}
	if setup.Every == 0 {
		setup.Every = max(1, setup.Share/migrations)
	}
	for i := range n.Number {
		d.units = append(d.units, sentIsland{
			Service: sent, White: white, Setup: setup, Island: i, Settings: sentSettings{
				Seed: set.Seed + uint64(i)*seedDistance, Tuning: set.Tuning, Sampling: set.Sampling, Sizes: set.Sizes,
				Oracles:  set.OracleSwitches(),
				Commands: set.Commands, Rate: set.Rate / float64(n.Number), OnDenied: set.OnDenied, Recorded: set.RecordedTests(),
				Hosts: set.AllowHosts,
			},
		})
	}
	d.results, d.failed, d.calls = make([]*found, n.Number), make([]string, n.Number), make([]atomic.Int64, n.Number)
	return d, nil
}

// migrations is the default number of migrations of an island.
const migrations = 10

// shareOf returns the number of requests of each island.
func shareOf(set searchrun.Settings, white bool) int {
	share := 1 - set.Minimise
	switch {
	case white:
		share -= probedShare
	default:
		share -= playingShare
	}
	if set.Security {
		share -= securityShare
	}
	return int(share*float64(set.Limits.Calls)) / set.Islands.Number
}

// check returns an error if a search cannot be divided into islands.
func check(set searchrun.Settings) error {
	demo := set.Service.Name == service.DemoSource
	switch {
	case set.Limits.Time > 0:
		return errors.New("--islands share a number of calls: give --calls instead of --time")
	case set.Workers > 1:
		return errors.New("--islands are already parallel: leave out --workers")
	case !demo && set.Config.Path == "":
		return errors.New("--islands need a sonde.yaml that says how to start the service, because each has its own copy: see sonde init")
	case !demo && !set.Config.StartsWithoutDriver():
		return fmt.Errorf("%q does not say how to start the service: --islands need a copy for each; set sut", set.Config.Path)
	case set.URL != "":
		return errors.New("--islands start the service themselves: leave out --url")
	case set.Config.Environment != "":
		return errors.New("--islands search the service at the top level of sonde.yaml: leave out --env")
	case set.Network.Enabled(set.Config.Net):
		return errors.New("--islands cannot have a virtual network yet: leave out net")
	case shareOf(set, true) < minShare:
		return fmt.Errorf("--calls is %d: each of %d islands needs at least %d calls", set.Limits.Calls, set.Islands.Number, minShare)
	}
	return nil
}

// minShare is the minimum number of requests of an island. A search with smaller islands is refused.
const minShare = 20

// Describe returns the description of the search as a campaign, without its ID.
func (d *Distributed) Describe() (campaign.Description, error) {
	setup, err := json.Marshal(d.units)
	if err != nil {
		return campaign.Description{}, err
	}
	return campaign.Description{Kind: CampaignKind, Units: len(d.units), Setup: campaign.Digest(setup)}, nil
}

// Work returns the payload of each unit, and functions that store the result or the failure of a unit.
func (d *Distributed) Work() campaign.Work {
	return campaign.Work{
		Payload: func(unit int) (any, error) { return d.units[unit], nil },
		Handle: func(unit int, value json.RawMessage) error {
			var f found
			if err := json.Unmarshal(value, &f); err != nil {
				return errors.New("a worker sent a result that cannot be read: do all have this version of Sonde?")
			}
			d.results[unit] = &f
			return nil
		},
		Fail: func(unit int, reason string) error {
			d.failed[unit] = reason
			return nil
		},
	}
}

// WatchCalls counts the calls that the islands of a campaign report, until ctx ends.
func (d *Distributed) WatchCalls(ctx context.Context, campaignID string) error {
	return d.store.Board(campaignID).Watch(ctx, campaign.ProgressPrefix, func(unit string, value json.RawMessage) {
		var p usecase.UnitProgress
		island, err := strconv.Atoi(unit)
		if err == nil && island >= 0 && island < len(d.calls) && json.Unmarshal(value, &p) == nil {
			d.calls[island].Store(int64(p.Calls))
		}
	})
}

// Calls returns how many calls the islands have sent, according to the reports that they sent since WatchCalls was
// called.
func (d *Distributed) Calls() (sent int) {
	for i := range d.calls {
		sent += int(d.calls[i].Load())
	}
	return sent
}

// MaxCalls returns how many calls the islands may send.
func (d *Distributed) MaxCalls() int { return len(d.units) * d.units[0].Setup.Share }

// Failures describes the islands that have ended early. The search keeps what they had found by then.
func (d *Distributed) Failures() (all []string) {
	for i, reason := range d.failed {
		if reason != "" {
			all = append(all, islandName(i)+" ended early: "+reason)
		}
	}
	return all
}
