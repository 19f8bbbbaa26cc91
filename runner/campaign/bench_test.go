package campaign_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"sonde/runner/campaign"
	"sonde/runner/campaign/campaigntest"
)

// runUnits runs a campaign with workers in this process, and returns how long its units took.
func runUnits(b *testing.B, units, jobs int, sleep time.Duration) time.Duration {
	b.Helper()
	s, _ := campaigntest.Serve(b)
	w, err := campaign.NewWorker(b.Context(), s, campaign.WorkerOptions{
		Presence: campaign.Presence{ID: "w", Sonde: sonde, Jobs: jobs}, Execute: do, Isolated: do,
	})
	if err != nil {
		b.Fatal(err)
	}
	drain, stop := context.WithCancel(b.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(b.Context(), drain) }()
	c, _, err := s.Coordinate(b.Context(), describe("bench", units))
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	done := 0
	err = c.Run(b.Context(), campaign.Work{
		Payload: func(i int) (any, error) { return job{N: i, Sleep: sleep}, nil },
		Handle: func(int, json.RawMessage) error {
			done++
			return nil
		},
		Fail: func(_ int, reason string) error { return errors.New(reason) },
	})
	if err != nil || done != units {
		b.Fatalf("%d of %d units, %v", done, units, err)
	}
	took := time.Since(began)
	stop()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
	return took
}

// BenchmarkUnit reports the time in milliseconds that a unit without work takes. There is one job, and the server and
// the coordinator are in the same process.
func BenchmarkUnit(b *testing.B) {
	const units = 5000
	for b.Loop() {
		took := runUnits(b, units, 1, 0)
		b.ReportMetric(float64(took.Microseconds())/units/1000, "ms/unit")
	}
}

// BenchmarkEightWorkers reports how many times faster eight jobs are than one job. Each unit only waits, as a search
// does for a slow service.
func BenchmarkEightWorkers(b *testing.B) {
	const units = 400
	for b.Loop() {
		one, eight := runUnits(b, units, 1, 20*time.Millisecond), runUnits(b, units, 8, 20*time.Millisecond)
		b.ReportMetric(float64(one)/float64(eight), "times")
	}
}

// BenchmarkManyUnits measures the maximum memory of this process for many units. Each number of units has a server of
// its own. Use -benchtime 1x, because each server runs until the benchmark ends.
func BenchmarkManyUnits(b *testing.B) {
	for _, units := range []int{50_000, 100_000, 200_000, 400_000} {
		b.Run(fmt.Sprint(units), func(b *testing.B) {
			runtime.GC()
			for b.Loop() {
				peak := watchMemory()
				took := runUnits(b, units, 4, 0)
				b.ReportMetric(float64(peak())/(1<<20), "MB")
				b.ReportMetric(took.Seconds(), "s")
			}
		})
	}
}

// watchMemory begins to measure the size of the heap. The function peak ends the measurement, and returns the largest
// size in bytes.
func watchMemory() (peak func() uint64) {
	stop, result := make(chan struct{}), make(chan uint64)
	go func() {
		var highest uint64
		for tick := time.NewTicker(50 * time.Millisecond); ; {
			select {
			case <-stop:
				tick.Stop()
				result <- highest
				return
			case <-tick.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				highest = max(highest, m.HeapInuse)
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-result
	}
}
