package islands

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"sonde/runner/campaign"
	"sonde/runner/search"
)

const (
	// beatInterval is how often an island gives a sign of life.
	beatInterval = time.Second
	// silence is how long an island may give no sign of life before other islands stop waiting for its tests. An
	// island may not have begun yet: if the workers have fewer jobs than there are islands, some islands begin only
	// when others have ended.
	silence     = 10 * time.Second
	testsPrefix = "tests" // first word of a key on the board; the next words are the island and the number of the migration
	lifePrefix  = "life"  // first word of a key on the board; the next word is the island
)

// life is the message on the board by which an island shows that it still runs, or that it has ended.
type life struct {
	Beat  int  `json:"beat"`
	Ended bool `json:"ended,omitempty"` // the island sends no further tests
}

// Exchange lets tests migrate to and from one island.
type Exchange struct {
	board   *campaign.Board
	island  int
	sources []int

	mu      sync.Mutex
	changed chan struct{} // closed and replaced by a new channel at each change of the fields below
	arrived map[string][]search.Migrant
	newest  map[int]int       // by source, the number of the last migration whose tests have arrived
	seen    map[int]time.Time // by source, the time of arrival of the last sign of life, by this machine's clock
	ended   map[int]bool
}

// OpenExchange returns the exchange of an island. The exchange gives signs of life for the island until ctx ends.
func OpenExchange(ctx context.Context, b *campaign.Board, s Setup, island int) (*Exchange, error) {
	e := &Exchange{
		board: b, island: island, sources: s.sources(island),
		changed: make(chan struct{}), arrived: map[string][]search.Migrant{}, newest: map[int]int{},
		seen: map[int]time.Time{}, ended: map[int]bool{},
	}
	for _, source := range e.sources {
		e.seen[source] = time.Now()
		if err := b.Watch(ctx, fmt.Sprintf("%s.%d", testsPrefix, source), func(number string, value json.RawMessage) {
			e.receive(source, number, value)
		}); err != nil {
			return nil, err
		}
	}
	if err := b.Watch(ctx, lifePrefix, e.hear); err != nil {
		return nil, err
	}
	go e.live(ctx)
	return e, nil
}

// testsKey returns the key on the board of the tests that leave an island in the migration with a number.
func testsKey(island int, number string) string {
	return fmt.Sprintf("%s.%d.%s", testsPrefix, island, number)
}

// receive records the tests that another island has sent in one migration.
func (e *Exchange) receive(source int, number string, value json.RawMessage) {
	n, err := strconv.Atoi(number)
	if err != nil {
		return
	}
	var tests []search.Migrant
	if json.Unmarshal(value, &tests) != nil {
		tests = nil // another version of Sonde wrote the value: the migration counts as one without tests
	}
	e.change(func() {
		e.arrived[testsKey(source, number)] = tests
		e.newest[source] = max(e.newest[source], n)
	})
}

// hear records a sign of life of another island.
func (e *Exchange) hear(key string, value json.RawMessage) {
	var l life
	source, err := strconv.Atoi(key)
	if err != nil || json.Unmarshal(value, &l) != nil {
		return
	}
	e.change(func() {
		e.seen[source] = time.Now()
		e.ended[source] = l.Ended
	})
}

func (e *Exchange) change(do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	do()
	close(e.changed)
	e.changed = make(chan struct{})
}

// live gives a sign of life each beatInterval. It ignores errors, because the next sign of life follows soon.
func (e *Exchange) live(ctx context.Context) {
	beats := time.NewTicker(beatInterval)
	defer beats.Stop()
	for beat := 1; ; beat++ {
		e.beat(ctx, life{Beat: beat})
		select {
		case <-ctx.Done():
			return
		case <-beats.C:
		}
	}
}

func (e *Exchange) beat(ctx context.Context, l life) error {
	return e.board.Put(ctx, fmt.Sprintf("%s.%d", lifePrefix, e.island), l)
}

// End tells the other islands that this island sends no further tests. The context of OpenExchange must have ended.
func (e *Exchange) End(ctx context.Context) error { return e.beat(ctx, life{Ended: true}) }

// Exchange sends the tests in leave to the other islands, as the migration with the given number. It then waits for
// the tests that the island's sources send in the same migration. It does not wait for a source that has ended, gives
// no sign of life, or has already sent the tests of a later migration.
//
// A source may skip a migration, because a worker that takes over an island does not repeat all of its migrations. In
// a ring, islands that wait for a skipped migration would wait forever.
func (e *Exchange) Exchange(ctx context.Context, number int, leave []search.Migrant) (arrived []search.Migrant, err error) {
	if err := e.send(ctx, number, leave); err != nil {
		return nil, err
	}
	for _, source := range e.sources {
		tests, err := e.await(ctx, source, number)
		if err != nil {
			return nil, err
		}
		arrived = append(arrived, tests...)
	}
	return arrived, nil
}

// send stores the tests of a migration. It leaves out tests that would make the message too large for the servers.
func (e *Exchange) send(ctx context.Context, number int, leave []search.Migrant) error {
	small := []search.Migrant{}
	for _, m := range leave {
		if with := append(slices.Clip(small), m); !e.board.IsTooLarge(with) {
			small = with
		}
	}
	return e.board.Put(ctx, testsKey(e.island, strconv.Itoa(number)), small)
}

// await waits for the tests of a migration from another island.
func (e *Exchange) await(ctx context.Context, source, number int) ([]search.Migrant, error) {
	key := testsKey(source, strconv.Itoa(number))
	for {
		e.mu.Lock()
		tests, ok := e.arrived[key]
		delete(e.arrived, key)
		left, changed := silence-time.Since(e.seen[source]), e.changed
		over := e.ended[source] || e.newest[source] > number
		e.mu.Unlock()
		switch {
		case ok:
			return tests, nil
		case over || left <= 0: // the board may have tests that have not arrived here yet
			_, err := e.board.Get(ctx, key, &tests)
			return tests, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-changed:
		case <-time.After(left):
		}
	}
}
