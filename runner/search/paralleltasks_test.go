package search_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// Checking faults and minimising use all copies of the service. The results are the same whatever the speed of the
// copies, and no more requests are sent than the budget allows.
func TestChecksInParallel(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes several searches: left out by -short")
	}
	t.Parallel()
	const workers = 3
	for _, calls := range []int{300, 1500} {
		var first model.Snapshot
		for i := range 2 {
			p := demoPlan(t, calls)
			p.Service, p.Workers, p.Minimise = nil, workers, 0.4
			var requests [workers]atomic.Int64
			for w := range workers {
				shop := demo.NewShop(demo.Config{})
				s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					requests[w].Add(1)
					time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
					shop.ServeHTTP(rw, r)
				}))
				t.Cleanup(s.Close)
				p.Copies = append(p.Copies, s.URL)
			}
			p.BaseURL, p.Copies = p.Copies[0], p.Copies[1:]
			var before [workers]int64 // requests before the first fault was checked
			got := start(t, p, search.Sink{Emit: func(l model.LogEntry) error {
				if e, ok := l.Event.(model.Progress); ok && e.Checking == 0 {
					for w := range workers {
						before[w] = requests[w].Load()
					}
				}
				return nil
			}}).Wait()
			sent := 0
			for w := range workers {
				n := requests[w].Load()
				sent += int(n)
				if calls == 1500 && n-before[w] < int64(calls/10) {
					t.Errorf("copy %d got %d requests of checks", w, n-before[w])
				}
			}
			if sent != got.Summary.Calls || sent > calls || got.Err != nil {
				t.Errorf("budget %d: %d requests arrived, summary says %d, error %v", calls, sent, got.Summary.Calls, got.Err)
			}
			if i == 0 {
				first = got
				continue
			}
			if d := cmp.Diff(first.Tests, got.Tests); d != "" {
				t.Errorf("budget %d: tests (-first +other):\n%s", calls, d)
			}
			if d := cmp.Diff(verdicts(first), verdicts(got)); d != "" || len(got.Faults) == 0 {
				t.Errorf("budget %d: verdicts (-first +other):\n%s", calls, d)
			}
		}
	}
}

// verdicts returns the verdict and the number of calls of each fault.
func verdicts(s model.Snapshot) (all []string) {
	for _, f := range s.Faults {
		all = append(all, f.Label()+" "+string(f.Op)+" "+string(f.Verdict)+" "+string(rune('0'+f.Calls)))
	}
	return all
}
