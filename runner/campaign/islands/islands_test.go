package islands_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/campaign"
	"sonde/runner/campaign/broker"
	"sonde/runner/campaign/islands"
	"sonde/runner/search"
)

// board returns the board of a campaign on a server of the test.
func board(t *testing.T) *campaign.Board {
	t.Helper()
	if !broker.Embeds() {
		t.Skip("this binary has no NATS server")
	}
	server, err := broker.Serve("127.0.0.1", 0, t.TempDir(), "secret")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	conn, err := broker.Connect(t.Context(), server.Options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	store, err := campaign.OpenStore(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	return store.Board("one")
}

// Several processes take over the same island, one after the other. Together they are granted the share of the island
// and no more. A process that was replaced is granted nothing.
func TestBudgetOfAnIsland(t *testing.T) {
	b, ctx := board(t), t.Context()
	setup := islands.Setup{Islands: 2, Share: 1000}
	var granted atomic.Int64
	var owners []*islands.Budget
	for _, name := range []string{"a", "b", "c"} {
		owner, err := islands.OpenBudget(ctx, b, setup, 1, name)
		if err != nil {
			t.Fatal(err)
		}
		if int64(owner.Sent()) != granted.Load() {
			t.Errorf("%s: %d requests sent before, want %d", name, owner.Sent(), granted.Load())
		}
		for range 5 {
			n, err := owner.Lease(ctx)
			if err != nil || n <= 0 {
				t.Fatalf("%s: %d requests, %v", name, n, err)
			}
			granted.Add(int64(n))
		}
		owners = append(owners, owner)
	}
	if _, err := owners[0].Lease(ctx); !errors.Is(err, islands.ErrReplaced) {
		t.Errorf("the first owner got %v", err)
	}
	if err := owners[0].Check(ctx); !errors.Is(err, islands.ErrReplaced) || owners[2].Check(ctx) != nil {
		t.Errorf("the first owner is told %v", err)
	}
	if err := owners[0].Return(ctx, 100); err != nil { // too late: the island has a new owner, so the requests count as sent
		t.Error(err)
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for {
				n, err := owners[2].Lease(ctx)
				if err != nil {
					t.Error(err)
				}
				if n == 0 || err != nil {
					return
				}
				granted.Add(int64(n))
			}
		})
	}
	all.Wait()
	if granted.Load() > 1000 || granted.Load() < 900 { // two changes at the same time may lose a lease, which has at most 100 requests
		t.Errorf("%d requests granted, want 1000", granted.Load())
	}
	if err := owners[2].Return(ctx, 7); err != nil {
		t.Error(err)
	}
	if n, err := islands.Granted(ctx, b, setup); err != nil || n != 993 {
		t.Errorf("%d requests granted in the end, %v", n, err)
	}
}

// migrate runs all islands at the same time, and lets each of them exchange tests the given number of times. It
// returns, for each island, the names of the tests that arrived, in order.
func migrate(t *testing.T, s islands.Setup, times int) [][]string {
	t.Helper()
	b := board(t)
	all := make([][]string, s.Islands)
	var group sync.WaitGroup
	for i := range s.Islands {
		e, err := islands.OpenExchange(t.Context(), b, s, i)
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			for n := range times {
				leave := []search.Migrant{{Test: model.Test{ID: string(rune('a'+i)) + string(rune('1'+n))}}}
				arrived, err := e.Exchange(t.Context(), n+1, leave)
				if err != nil {
					t.Error(err)
				}
				for _, a := range arrived {
					all[i] = append(all[i], a.Test.ID)
				}
			}
		})
	}
	group.Wait()
	return all
}

func TestTopologies(t *testing.T) {
	for topology, want := range map[islands.Topology]string{
		islands.Ring: "c1 c2|a1 a2|b1 b2",
		islands.Full: "b1 c1 b2 c2|a1 c1 a2 c2|a1 b1 a2 b2",
		islands.None: "||",
	} {
		var got []string
		for _, names := range migrate(t, islands.Setup{Islands: 3, Topology: topology}, 2) {
			got = append(got, strings.Join(names, " "))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", topology, strings.Join(got, "|"), want)
		}
	}
}

// An island gets the tests of an island that has ended, and does not wait for further tests of that island.
func TestExchangeAfterTheEnd(t *testing.T) {
	b, s := board(t), islands.Setup{Islands: 2, Topology: islands.Ring}
	living, end := context.WithCancel(t.Context())
	one, err := islands.OpenExchange(living, b, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	go one.Exchange(living, 1, []search.Migrant{{Test: model.Test{ID: "last"}}}) // waits for the other island
	for n := []search.Migrant(nil); len(n) == 0; time.Sleep(10 * time.Millisecond) {
		if _, err := b.Get(t.Context(), "tests.0.1", &n); err != nil {
			t.Fatal(err)
		}
	}
	end()
	if err := one.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	other, err := islands.OpenExchange(t.Context(), b, s, 1)
	if err != nil {
		t.Fatal(err)
	}
	for number, want := range []int{1, 0} {
		if got, err := other.Exchange(t.Context(), number+1, nil); err != nil || len(got) != want {
			t.Errorf("migration %d: %v, %v", number+1, got, err)
		}
	}
}

// A worker that takes over an island may skip a migration. The other islands in the ring do not wait for this
// migration.
func TestExchangeWithAGap(t *testing.T) {
	b, s := board(t), islands.Setup{Islands: 3, Topology: islands.Ring}
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	var group sync.WaitGroup
	for i, numbers := range [][]int{{1, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}} {
		e, err := islands.OpenExchange(ctx, b, s, i)
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			for _, n := range numbers {
				got, err := e.Exchange(ctx, n, []search.Migrant{{}})
				if want := boolToInt(i != 1 || n != 2); err != nil || len(got) != want {
					t.Errorf("island %d, migration %d: %d tests, %v, want %d", i, n, len(got), err, want)
				}
			}
		})
	}
	group.Wait()
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// An island does not wait for islands that give no sign of life, such as islands that have not begun.
func TestExchangeWithoutOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits ten seconds: left out by -short")
	}
	t.Parallel()
	e, err := islands.OpenExchange(t.Context(), board(t), islands.Setup{Islands: 2, Topology: islands.Ring}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for number := range 3 {
		if got, err := e.Exchange(t.Context(), number+1, nil); err != nil || len(got) > 0 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// Tests that are too large for the servers do not leave. The other tests leave.
func TestLargeTestsStay(t *testing.T) {
	b, s := board(t), islands.Setup{Islands: 1, Topology: islands.Ring}
	e, err := islands.OpenExchange(t.Context(), b, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	large := model.Test{ID: "large", Calls: []model.Call{{Body: &model.Payload{Data: strings.Repeat("x", 2<<20)}}}}
	if _, err := e.Exchange(t.Context(), 1, []search.Migrant{{Test: model.Test{ID: "small"}}, {Test: large}}); err != nil {
		t.Fatal(err)
	}
	var left []search.Migrant
	if _, err := b.Get(t.Context(), "tests.0.1", &left); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(left, func(m search.Migrant) bool { return m.Test.ID == "small" }) || len(left) != 1 {
		t.Errorf("%d tests have left", len(left))
	}
}
