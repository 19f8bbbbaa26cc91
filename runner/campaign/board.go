package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sonde/runner/campaign/broker"

	"github.com/nats-io/nats.go/jetstream"
)

// Board is a key-value store with which the processes of one campaign exchange JSON. The servers keep the newest
// value of each key until the campaign ends, but not longer than keepFor. A key consists of words of letters, digits,
// "-" and "_", separated by dots. A Board is safe for concurrent use.
type Board struct {
	store    *Store
	campaign string
}

// Board returns the board of a campaign.
func (s *Store) Board(campaign string) *Board { return &Board{s, campaign} }

func (b *Board) key(key string) string { return b.campaign + "." + key }

// Put sets the value of a key.
func (b *Board) Put(ctx context.Context, key string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return broker.Retry(ctx, func(ctx context.Context) error {
		_, err := b.store.board.Put(ctx, b.key(key), data)
		return err
	})
}

// IsTooLarge reports whether a value is too large for the board.
func (b *Board) IsTooLarge(value any) bool {
	data, err := json.Marshal(value)
	return err == nil && len(data) > int(maxInMessage*float64(b.store.conn.MaxPayload()))
}

// Get reads the value of a key and stores it in value, which must be a pointer. revision changes each time the value is
// set. If the key has no value, Get leaves value unchanged and returns 0.
func (b *Board) Get(ctx context.Context, key string, value any) (revision uint64, err error) {
	var entry jetstream.KeyValueEntry
	err = broker.Retry(ctx, func(ctx context.Context) (err error) {
		entry, err = b.store.board.Get(ctx, b.key(key))
		return err
	})
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return 0, nil
	case err != nil:
		return 0, err
	}
	if err := json.Unmarshal(entry.Value(), value); err != nil {
		return 0, fmt.Errorf("%q of campaign %q was not written by this version of Sonde: %w", key, b.campaign, err)
	}
	return entry.Revision(), nil
}

// Update sets the value of a key if the present value has the given revision, as Get returns it; 0 means that there is
// no value. ok is false if the present value has another revision: usually another process has set the value. If a
// server's answer was lost, this call itself may have set the value. The caller must therefore read the value again.
func (b *Board) Update(ctx context.Context, key string, value any, revision uint64) (ok bool, err error) {
	data, err := json.Marshal(value)
	if err != nil {
		return false, err
	}
	err = broker.Retry(ctx, func(ctx context.Context) error {
		_, err := b.store.board.Update(ctx, b.key(key), data, revision)
		return err
	})
	if isStale(err) {
		return false, nil
	}
	return err == nil, err
}

// Watch calls the function see with the newest value of each key with a prefix, and with each value that is set later,
// until ctx ends. A prefix consists of whole words; see gets the key without the prefix. One goroutine makes all calls
// of see.
func (b *Board) Watch(ctx context.Context, prefix string, see func(key string, value json.RawMessage)) error {
	var watcher jetstream.KeyWatcher
	err := broker.Retry(ctx, func(context.Context) (err error) {
		watcher, err = b.store.board.Watch(ctx, b.key(prefix)+".>", jetstream.IgnoreDeletes())
		return err
	})
	if err != nil {
		return fmt.Errorf("campaign %q cannot be watched: %w", b.campaign, err)
	}
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
				if entry != nil { // nil marks the end of the values that were set before Watch
					see(strings.TrimPrefix(entry.Key(), b.key(prefix)+"."), entry.Value())
				}
			}
		}
	}()
	return nil
}

// ProgressPrefix is the first word of the keys under which units report their progress. The rest of such a key is the
// number of the unit.
const ProgressPrefix = "progress"

// Report publishes the progress of the unit on the board of its campaign; see ProgressPrefix.
func (t Task) Report(ctx context.Context, progress any) error {
	return t.Store.Board(t.Campaign.ID).Put(ctx, ProgressPrefix+"."+strconv.Itoa(t.Unit), progress)
}

// isStale reports whether an error says that the value of a key does not have the expected revision.
func isStale(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, jetstream.ErrKeyExists) || errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}
