package campaign

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"sonde/runner/campaign/broker"

	"github.com/nats-io/nats.go/jetstream"
)

// Description describes a campaign. It stays the same as long as the campaign exists.
type Description struct {
	ID    string          `json:"id"`
	Kind  string          `json:"kind"`  // of the units, such as "study"
	Sonde string          `json:"sonde"` // version of the coordinator
	Units int             `json:"units"` // number of units, which are numbered from 0
	Setup json.RawMessage `json:"setup,omitempty"`
}

// State is the state of a campaign. The coordinator writes it each beatInterval.
type State struct {
	Description
	Done        int    `json:"done"` // number of units with a result
	Dead        int    `json:"dead"` // number of dead letters
	Ended       bool   `json:"ended,omitempty"`
	Coordinator string `json:"coordinator"` // host and process ID
	Beat        int    `json:"beat"`        // changes with each sign of life
}

// result is the message in sonde_results with the result of a unit.
type result struct {
	Unit   *int            `json:"unit"`
	Worker string          `json:"worker"` // see Presence.ID
	Value  json.RawMessage `json:"value,omitempty"`
	Object string          `json:"object,omitempty"` // the name of the object with the value, if it is too large for a message
}

// deadLetter says why a unit has no result.
type deadLetter struct {
	Worker string `json:"worker"` // the last worker that tried the unit
	Reason string `json:"reason"`
}

var validID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// CheckID returns an error if a text cannot be the ID of a campaign.
func CheckID(id string) error {
	if !validID.MatchString(id) {
		return fmt.Errorf("campaign %q: an ID has 1 to 64 letters, digits, - and _", id)
	}
	return nil
}

// NewID returns a random ID for a new campaign. The ID begins with the kind of its units.
func NewID(kind string) string {
	b := make([]byte, 5)
	rand.Read(b) // never fails
	return kind + "-" + hex.EncodeToString(b)
}

// ErrNoCampaign is the error for a campaign that does not exist on the servers.
var ErrNoCampaign = errors.New("there is no such campaign")

// state reads the state of a campaign. revision changes when the state is written.
func (s *Store) state(ctx context.Context, id string) (st State, revision uint64, err error) {
	var entry jetstream.KeyValueEntry
	err = broker.Retry(ctx, func(ctx context.Context) (err error) {
		entry, err = s.campaigns.Get(ctx, id)
		return err
	})
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return st, 0, ErrNoCampaign
	case err != nil:
		return st, 0, err
	}
	if json.Unmarshal(entry.Value(), &st) != nil || st.ID != id {
		return st, 0, fmt.Errorf("campaign %q: its description is not one of Sonde: delete the key from the bucket %s", id, campaignsBucket)
	}
	return st, entry.Revision(), nil
}

// Digest returns a hash of the units' data, for use as the Setup of a campaign whose units contain all that workers
// need. With this Setup, Coordinate refuses to resume a campaign of the same ID with other data.
func Digest(data []byte) json.RawMessage {
	sum := sha256.Sum256(data)
	return json.RawMessage(`"` + hex.EncodeToString(sum[:]) + `"`)
}

// Campaigns returns the states of all campaigns on the servers, sorted by ID.
func (s *Store) Campaigns(ctx context.Context) (all []State, err error) {
	var ids []string
	err = broker.Retry(ctx, func(ctx context.Context) error {
		keys, err := s.campaigns.ListKeys(ctx)
		if err != nil {
			return err
		}
		ids = nil
		for id := range keys.Keys() {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		return nil
	})
	for _, id := range ids {
		if st, _, err := s.state(ctx, id); err == nil { // an error means that the campaign was cancelled or the entry is another program's
			all = append(all, st)
		}
	}
	return all, err
}
