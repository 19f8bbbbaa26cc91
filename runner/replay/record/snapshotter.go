package record

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"sonde/model"
)

// DefaultSnapshotEvery is the default number of writes from one snapshot of the service's state to the next.
const DefaultSnapshotEvery = 10

// maxDrain is how long a snapshot waits until no request is in the service. A stream may stay open for ever.
const maxDrain = 5 * time.Second

// snapshotter takes snapshots of the service's state: one before the first request, and then one after every few writes
// (see the field every). While a snapshot is taken, no request is in the service. A nil snapshotter takes none.
type snapshotter struct {
	take  func(ctx context.Context, name string) error // takes the snapshot with a name
	every int                                          // the number of writes from one snapshot to the next
	clock clock
	write func(model.StateSnapshot) // records a snapshot that is complete
	warn  func(text string)
	ctx   context.Context // ends when the monitor is closed
	stop  context.CancelFunc
	mark  string // prefix of all names; it differs in each recording, so that tests do not find the snapshots of another recording
	// ongoing are the snapshots in progress, at most one.
	ongoing sync.WaitGroup

	mu     sync.Mutex
	inside int           // requests in the service
	writes int           // writes since the last snapshot
	taken  int           // snapshots that are complete
	names  int           // names that were given out
	gate   chan struct{} // closed when the snapshot in progress has ended; nil while there is none
	idle   chan struct{} // closed when no request is in the service; nil if nothing waits for that
}

// newSnapshotter returns the snapshotter of the options of a monitor, nil if they have none.
func (m *Monitor) newSnapshotter() *snapshotter {
	o := m.options
	if o.TakeSnapshot == nil {
		return nil
	}
	s := &snapshotter{
		take:  o.TakeSnapshot,
		every: max(o.SnapshotEvery, 1),
		clock: m.clock,
		write: func(s model.StateSnapshot) { m.keepError(o.Sink.WriteStateSnapshot(s)) },
		warn:  m.warnOnce,
		mark:  newID(0)[:6],
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// first takes the snapshot before the first request. It returns an error if the snapshot cannot be taken, or if ctx
// ends first.
func (s *snapshotter) first(ctx context.Context) error {
	if s == nil {
		return nil
	}
	return s.takeNow(ctx)
}

// enter waits until no snapshot is in progress, and counts the request as being in the service. If ctx ends first,
// enter returns the error of ctx. After enter has returned nil, leave must be called.
func (s *snapshotter) enter(ctx context.Context) error {
	if s == nil {
		return nil
	}
	for {
		s.mu.Lock()
		gate := s.gate
		if gate == nil {
			s.inside++
			s.mu.Unlock()
			return nil
		}
		s.mu.Unlock()
		select {
		case <-gate:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// leave counts a request as answered, and begins a snapshot if it is time for one.
func (s *snapshotter) leave(wrote bool) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inside--
	if wrote {
		s.writes++
	}
	if s.writes >= s.every && s.gate == nil && s.ctx.Err() == nil {
		gate, idle := make(chan struct{}), make(chan struct{})
		s.gate, s.idle = gate, idle
		s.ongoing.Go(func() { s.takeWhenIdle(gate, idle) })
	}
	if s.inside == 0 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
}

// takeWhenIdle takes a snapshot once no request is in the service, unless that takes longer than maxDrain. Then it lets
// requests in again.
func (s *snapshotter) takeWhenIdle(gate chan<- struct{}, idle <-chan struct{}) {
	if s.drained(idle) {
		if err := s.takeNow(s.ctx); err != nil && s.ctx.Err() == nil {
			s.warn(fmt.Sprintf("a snapshot of the service's state is missing: %v", err))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate, s.idle, s.writes = nil, nil, 0 // also after a failure, so that requests do not wait again and again
	close(gate)
}

// drained waits until no request is in the service, and then returns true. After maxDrain it warns, doubles s.every and
// returns false. It also returns false if the monitor is closed first.
func (s *snapshotter) drained(idle <-chan struct{}) bool {
	timer := time.NewTimer(maxDrain)
	defer timer.Stop()
	select {
	case <-idle:
		return true
	case <-timer.C:
		s.mu.Lock()
		s.every *= 2 // requests that stay open would make others wait again and again
		s.mu.Unlock()
		s.warn(fmt.Sprintf("a snapshot of the service's state is missing: a request was in progress for more than %v", maxDrain))
	case <-s.ctx.Done():
	}
	return false
}

// takeNow takes a snapshot. No request may be in the service.
func (s *snapshotter) takeNow(ctx context.Context) error {
	s.mu.Lock()
	name := s.mark + "-" + strconv.Itoa(s.names)
	s.names++
	s.mu.Unlock()
	if err := s.take(ctx, name); err != nil {
		return err
	}
	s.write(model.StateSnapshot{Name: name, At: s.clock.now()})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken++
	return nil
}

// close cancels a snapshot in progress, and returns when it has ended. After that, no snapshot begins.
func (s *snapshotter) close() {
	if s == nil {
		return
	}
	s.mu.Lock() // leave adds to ongoing under the lock, and only before the context has ended
	s.stop()
	s.mu.Unlock()
	s.ongoing.Wait()
}

// count returns the number of complete snapshots.
func (s *snapshotter) count() int {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// isWrite reports whether an exchange most likely changed the service's state.
func isWrite(x model.Exchange) bool {
	return !model.IsSafeMethod(x.Request.Method) && x.Reply.Status >= 200 && x.Reply.Status < 400
}
