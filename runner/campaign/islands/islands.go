// Package islands connects the islands of one search. Each island is a unit of a campaign. An island leases the
// requests that it may send from a shared budget, and exchanges tests with other islands. Package runner/search is
// the search on one island.
package islands

import (
	"context"
	"errors"
	"fmt"

	"sonde/runner/campaign"
)

// Setup has the settings that all islands of a search share.
type Setup struct {
	Islands  int      // number of islands, which are numbered from 0
	Share    int      // number of requests that each island may send
	Every    int      // number of requests between two migrations
	Migrants int      // maximum number of tests that leave an island in one migration
	Topology Topology // where these tests are sent
}

// Topology says to which islands the tests of an island migrate.
type Topology string

// The topologies.
const (
	Ring Topology = "ring" // to the next island, from the last one to the first
	Full Topology = "full" // to all others
	None Topology = "none" // to none
)

// Topologies has all topologies.
var Topologies = []Topology{Ring, Full, None}

// sources returns the islands that send tests to an island. An island receives the tests in this order.
func (s Setup) sources(island int) (all []int) {
	switch {
	case s.Topology == Ring && s.Islands > 1:
		return []int{(island + s.Islands - 1) % s.Islands}
	case s.Topology == Full:
		for i := range s.Islands {
			if i != island {
				all = append(all, i)
			}
		}
	}
	return all
}

// account is the entry of the board for one island's part of the budget. Only the owner may take requests from it. The
// owner is the current run of the island: if a worker vanishes, another worker takes over its island, and a new run
// becomes the owner.
type account struct {
	Owner   string `json:"owner"`
	Granted int    `json:"granted"` // number of granted requests, without those that were returned
}

// ErrReplaced is the error of a worker whose island another worker has taken over. The reason is that the first
// worker gave no sign of life.
var ErrReplaced = errors.New("another worker has become this island")

// Budget is one island's part of the shared budget, as one owner of the island uses it.
type Budget struct {
	board *campaign.Board
	key   string
	owner string
	share int
	sent  int // requests that were granted to earlier owners
	size  int // number of requests of a lease
}

// leaseParts is the minimum number of leases into which a share is divided. If a share has fewer requests than this,
// each lease has one request. A lease is small, because the whole lease of a killed worker counts as sent.
const leaseParts = 50

// maxLease is the maximum number of requests of a lease.
const maxLease = 100

func budgetKey(island int) string { return fmt.Sprintf("budget.%d", island) }

// OpenBudget returns an island's part of the budget and records that it has a new owner. Earlier owners then get no
// further leases.
func OpenBudget(ctx context.Context, b *campaign.Board, s Setup, island int, owner string) (*Budget, error) {
	budget := &Budget{
		board: b, key: budgetKey(island), owner: owner, share: s.Share, size: min(maxLease, max(1, s.Share/leaseParts)),
	}
	err := budget.change(ctx, func(a *account) error {
		a.Owner, budget.sent = owner, a.Granted
		return nil
	})
	return budget, err
}

// Sent returns the number of requests that earlier owners were granted. All of these requests count as sent.
func (b *Budget) Sent() int { return b.sent }

// Check returns ErrReplaced if another process has taken over the island. A process that was paused and then replaced
// must not overwrite newer tests with its own.
func (b *Budget) Check(ctx context.Context) error {
	return b.change(ctx, func(a *account) error {
		if a.Owner != b.owner {
			return ErrReplaced
		}
		return nil
	})
}

// Lease grants the island further requests and returns their number, 0 if the island's share is used up. If a server
// stores a lease but its answer is lost, Lease takes another lease. The island then cannot use the requests of the
// first lease, but it never sends more than its share.
func (b *Budget) Lease(ctx context.Context) (requests int, err error) {
	err = b.change(ctx, func(a *account) error {
		if a.Owner != b.owner {
			return ErrReplaced
		}
		requests = max(0, min(b.size, b.share-a.Granted))
		a.Granted += requests
		return nil
	})
	if err != nil {
		return 0, err
	}
	return requests, nil
}

// Return gives back requests that were granted and not sent. It does nothing if the island has a new owner.
func (b *Budget) Return(ctx context.Context, requests int) error {
	granted := -1
	return b.change(ctx, func(a *account) error {
		if a.Owner != b.owner {
			return nil
		}
		if granted < 0 {
			granted = a.Granted - requests
		}
		a.Granted = granted // a repeated change sets the same number, because only the owner changes the number
		return nil
	})
}

// change reads the account, changes it by the function do, and stores it. If another process changes the account
// meanwhile, change repeats these steps. If do returns an error, change stores nothing and returns this error.
func (b *Budget) change(ctx context.Context, do func(*account) error) error {
	for {
		var a account
		revision, err := b.board.Get(ctx, b.key, &a)
		if err != nil {
			return err
		}
		before := a
		if err := do(&a); err != nil || a == before {
			return err
		}
		ok, err := b.board.Update(ctx, b.key, a, revision)
		if err != nil || ok {
			return err
		}
	}
}

// Granted returns the number of requests that all islands together were granted and did not return. The islands have
// sent at most this number of requests.
func Granted(ctx context.Context, b *campaign.Board, s Setup) (requests int, err error) {
	for i := range s.Islands {
		var a account
		if _, err := b.Get(ctx, budgetKey(i), &a); err != nil {
			return 0, err
		}
		requests += a.Granted
	}
	return requests, nil
}
