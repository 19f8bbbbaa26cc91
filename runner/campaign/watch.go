package campaign

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"sonde/runner/campaign/broker"

	"github.com/nats-io/nats.go/jetstream"
)

// StateObserver watches the states of all campaigns. It is safe for concurrent use.
type StateObserver struct {
	mu        sync.Mutex
	campaigns map[string]observedState
	began     time.Time // time when all entries stored before the observer began had arrived; zero until then
}

// observedState is the newest state of a campaign.
type observedState struct {
	state   State
	written time.Time
	at      time.Time // time of the last sign of life, by this machine's clock; zero if there was none since the observer began
	removed bool
}

// StateView is a campaign as an observer sees it.
type StateView struct {
	State
	// Written is when the state was written, by the servers' clock.
	Written time.Time
	// Cancelled is true if the campaign was removed while the observer watched.
	Cancelled bool
	// Silent is the time since the last sign of life of the coordinator. It is 0 if no sign of life has arrived since
	// the observer began, or if the campaign is over.
	Silent time.Duration
	// Alive is true if the coordinator gave a sign of life in the last seconds. Unknown is true if no sign of life
	// has arrived yet, and the observer has not watched long enough to decide that the coordinator is gone. Both are
	// false if the campaign is over.
	Alive, Unknown bool
}

// ObserveCampaigns returns an observer that watches until ctx ends.
func (s *Store) ObserveCampaigns(ctx context.Context) (*StateObserver, error) {
	var watcher jetstream.KeyWatcher
	err := broker.Retry(ctx, func(context.Context) (err error) {
		watcher, err = s.campaigns.WatchAll(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the campaigns cannot be watched: %w", err)
	}
	o := &StateObserver{campaigns: map[string]observedState{}}
	go func() {
		for {
			select {
			case <-ctx.Done():
				watcher.Stop()
				return
			case entry, ok := <-watcher.Updates():
				if !ok { // the connection is closed
					return
				}
				o.see(entry)
			}
		}
	}()
	return o, nil
}

// see handles an entry of the bucket of states. A nil entry means that all stored entries have arrived.
func (o *StateObserver) see(entry jetstream.KeyValueEntry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if entry == nil {
		o.began = time.Now()
		return
	}
	seen, known := o.campaigns[entry.Key()]
	if entry.Operation() != jetstream.KeyValuePut {
		if known {
			seen.removed = true
			o.campaigns[entry.Key()] = seen
		}
		return
	}
	var st State
	if json.Unmarshal(entry.Value(), &st) != nil || st.ID != entry.Key() || st.Units < 0 {
		return // not written by a coordinator
	}
	beats := !known || seen.removed || st.Beat != seen.state.Beat || st.Coordinator != seen.state.Coordinator
	if beats && !o.began.IsZero() {
		seen.at = time.Now()
	}
	seen.state, seen.written, seen.removed = st, entry.Created(), false
	o.campaigns[entry.Key()] = seen
}

// Ready reports whether all campaigns have arrived that were stored before the observer began.
func (o *StateObserver) Ready() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.began.IsZero()
}

// Campaigns returns the campaigns, sorted by ID.
func (o *StateObserver) Campaigns() []StateView {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []StateView
	for seen := range maps.Values(o.campaigns) {
		c := StateView{State: seen.state, Written: seen.written, Cancelled: seen.removed}
		switch {
		case c.Ended || c.Cancelled:
		case seen.at.IsZero():
			c.Unknown = o.began.IsZero() || time.Since(o.began) < goneAfter
		default:
			c.Silent = time.Since(seen.at)
			c.Alive = c.Silent < goneAfter
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b StateView) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// DeadLetter says why a unit of a campaign has no result.
type DeadLetter struct {
	Unit   int
	Worker string // the last worker that tried the unit; see Presence.ID
	Reason string
}

// WatchDead calls the function see with each dead letter of a campaign until ctx ends, including dead letters that
// arrive later. One goroutine makes all calls of see.
func (s *Store) WatchDead(ctx context.Context, id string, see func(DeadLetter)) error {
	if err := CheckID(id); err != nil {
		return err
	}
	var letters jetstream.Consumer
	err := broker.Retry(ctx, func(ctx context.Context) (err error) {
		filter := jetstream.OrderedConsumerConfig{FilterSubjects: []string{deadPrefix + id + ".>"}}
		letters, err = s.conn.JetStream.OrderedConsumer(ctx, deadStream, filter)
		return err
	})
	if err != nil {
		return fmt.Errorf("the failed units of campaign %q cannot be read: %w", id, err)
	}
	reading, err := letters.Consume(func(m jetstream.Msg) {
		if o := readDeadLetter(m); o.unit >= 0 {
			see(DeadLetter{Unit: o.unit, Worker: o.dead.Worker, Reason: o.dead.Reason})
		}
	})
	if err != nil {
		return fmt.Errorf("the failed units of campaign %q cannot be read: %w", id, err)
	}
	context.AfterFunc(ctx, reading.Stop)
	return nil
}

// Check returns an error if no server answers before the deadline of ctx. reconnects is how often the client lost the
// connection and connected again.
func (s *Store) Check(ctx context.Context) (reconnects int, err error) { return s.conn.Check(ctx) }
