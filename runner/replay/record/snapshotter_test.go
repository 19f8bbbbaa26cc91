package record

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A snapshot is taken before the first request and after every second write, never while a request is in the service. It
// has exactly the writes that ended before it.
func TestSnapshots(t *testing.T) {
	for _, serial := range []bool{false, true} {
		t.Run(fmt.Sprintf("serial %t", serial), func(t *testing.T) {
			var inside, writes atomic.Int32
			var taken []int32 // writes by snapshot
			m := monitor(t, Options{
				Serial:        serial,
				SnapshotEvery: 2,
				TakeSnapshot: func(_ context.Context, name string) error {
					if n := inside.Load(); n != 0 {
						t.Errorf("%d requests are in the service during the snapshot %s", n, name)
					}
					time.Sleep(time.Millisecond)
					taken = append(taken, writes.Load())
					return nil
				},
			}, nil, func([]string) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					defer inside.Add(-1)
					inside.Add(1)
					time.Sleep(time.Millisecond)
					if r.Method == "POST" && r.URL.Query().Has("ok") {
						writes.Add(1)
					} else if r.Method == "POST" {
						w.WriteHeader(http.StatusConflict)
					}
				})
			})
			if err := m.TakeFirstSnapshot(t.Context()); err != nil {
				t.Fatal(err)
			}
			var clients sync.WaitGroup
			for range 4 {
				clients.Go(func() {
					c := clientFor(t)
					for range 10 {
						for _, request := range []string{"GET /products", "POST /orders?ok", "POST /orders"} {
							method, url, _ := strings.Cut(request, " ")
							call(t, c, method, m.in+url, "")
						}
					}
				})
			}
			clients.Wait()
			m.Close()
			if m.SnapshotCount() != len(taken) || len(taken) < 5 || len(taken) > 21 {
				t.Errorf("%d snapshots, %d counted", len(taken), m.SnapshotCount())
			}
			served, _, notes := m.sink.all()
			for i, s := range m.sink.states {
				n := int32(0)
				for _, x := range served {
					if isWrite(x.Exchange) && !x.EndTime().After(s.At) {
						n++
					}
					if x.At.Before(s.At) && x.EndTime().After(s.At) {
						t.Errorf("a request was in progress at the snapshot %s", s.Name)
					}
				}
				if n != taken[i] {
					t.Errorf("the snapshot %s has %d writes, %d ended before it", s.Name, taken[i], n)
				}
			}
			if len(notes) > 0 {
				t.Errorf("warnings %q", notes)
			}
		})
	}
}

// If a snapshot fails, requests are let in again, and a warning says that the snapshot is missing. The next snapshot
// has another name.
func TestSnapshotFails(t *testing.T) {
	var names []string
	m := monitor(t, Options{
		SnapshotEvery: 1,
		TakeSnapshot: func(_ context.Context, name string) error {
			names = append(names, name[6:])
			if strings.HasSuffix(name, "-0") {
				return errors.New("the disk is full")
			}
			return nil
		},
	}, nil, func([]string) http.Handler { return http.NotFoundHandler() })
	if err := m.TakeFirstSnapshot(t.Context()); err == nil {
		t.Error("the first snapshot did not fail")
	}
	m.snapshots.take = func(context.Context, string) error { return errors.New("no space") }
	for range 3 {
		leaveAfterWrite(t, m)
	}
	m.snapshots.take = func(_ context.Context, name string) error { names = append(names, name[6:]); return nil }
	leaveAfterWrite(t, m)
	m.Close()
	if _, _, notes := m.sink.all(); len(notes) != 1 || !strings.Contains(notes[0], "no space") {
		t.Errorf("warnings %q", notes)
	}
	if !slices.Equal(names, []string{"-0", "-4"}) || len(m.sink.states) != 1 || m.sink.states[0].Name[6:] != "-4" {
		t.Errorf("names %q, snapshots %+v", names, m.sink.states)
	}
}

// leaveAfterWrite lets a write into the service and out again, and waits until the snapshot after it has ended.
func leaveAfterWrite(t *testing.T, m *setup) {
	t.Helper()
	leave, err := m.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	leave(true)
	m.snapshots.ongoing.Wait()
}

// A request whose client goes away stops waiting for the snapshot. Closing the monitor cancels the snapshot.
func TestSnapshotIsCanceled(t *testing.T) {
	begun := make(chan struct{})
	m := monitor(t, Options{
		SnapshotEvery: 1,
		TakeSnapshot: func(ctx context.Context, _ string) error {
			close(begun)
			<-ctx.Done()
			return ctx.Err()
		},
	}, nil, func([]string) http.Handler { return http.NotFoundHandler() })
	leave, err := m.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	leave(true)
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := m.enter(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("entered during a snapshot: %v", err)
	}
	m.Close()
	if _, _, notes := m.sink.all(); len(notes) > 0 || len(m.sink.states) > 0 {
		t.Errorf("warnings %q, snapshots %+v", notes, m.sink.states)
	}
}
