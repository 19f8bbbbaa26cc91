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

// goneAfter is the time without a sign of life after which a worker counts as gone.
const goneAfter = 4 * beatInterval

// Observer watches the signs of life of all workers. It is safe for concurrent use.
type Observer struct {
	mu      sync.Mutex
	workers map[string]observed
	began   time.Time // time when all entries stored before the observer began had arrived; zero until then
}

// observed is the newest presence of a worker.
type observed struct {
	presence Presence
	at       time.Time // time of arrival, by this machine's clock; zero if the presence was stored before the observer began
}

// WorkerView is a worker as an observer sees it.
type WorkerView struct {
	Presence
	// Silent is the time since the last sign of life, 0 if there was none since the observer began.
	Silent time.Duration
	// Alive is true if the worker has not ended, and gave a sign of life in the last seconds. Unknown is true if no
	// sign of life has arrived yet, and the observer has not watched long enough to decide that the worker is gone.
	Alive, Unknown bool
}

// Observe returns an observer that watches until ctx ends.
func (s *Store) Observe(ctx context.Context) (*Observer, error) {
	var watcher jetstream.KeyWatcher
	err := broker.Retry(ctx, func(context.Context) (err error) {
		watcher, err = s.workersSeen.WatchAll(ctx, jetstream.IgnoreDeletes())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the workers cannot be watched: %w", err)
	}
	o := &Observer{workers: map[string]observed{}}
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

// see handles an entry of the bucket of presences. A nil entry means that all stored entries have arrived.
func (o *Observer) see(entry jetstream.KeyValueEntry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if entry == nil {
		o.began = time.Now()
		return
	}
	var p Presence
	if json.Unmarshal(entry.Value(), &p) != nil || p.ID == "" {
		return // not written by a worker
	}
	seen := observed{presence: p}
	if !o.began.IsZero() {
		seen.at = time.Now()
	}
	o.workers[p.ID] = seen
}

// Workers returns the workers: first those that are alive, then the others. Both groups are sorted by host and ID.
func (o *Observer) Workers() []WorkerView {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []WorkerView
	for seen := range maps.Values(o.workers) {
		w := WorkerView{Presence: seen.presence}
		if seen.at.IsZero() {
			w.Unknown = !seen.presence.Left && (o.began.IsZero() || time.Since(o.began) < goneAfter)
		} else {
			w.Silent = time.Since(seen.at)
			w.Alive = !seen.presence.Left && w.Silent < goneAfter
		}
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b WorkerView) int {
		return cmp.Or(boolToInt(b.Alive)-boolToInt(a.Alive), cmp.Compare(a.Host, b.Host), cmp.Compare(a.ID, b.ID))
	})
	return all
}
