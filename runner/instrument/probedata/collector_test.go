package probedata

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"sonde/assets/probe/sondeprobe"
)

// newTestCollector returns a collector of a file that a service has mapped.
func newTestCollector(t testing.TB, m *Manifest) *Collector {
	t.Helper()
	mem, err := NewMemory(m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mem.Close() })
	mem.head.Attached = 1
	return NewCollector(m, mem)
}

// taken returns the targets of a reading, by the tags of requests.
func taken(t testing.TB, c *Collector) map[uint8][]int {
	t.Helper()
	covered, err := c.Take()
	if err != nil || covered == nil {
		t.Fatalf("got %v, error %v", covered, err)
	}
	all := map[uint8][]int{}
	for tag, set := range covered {
		all[tag] = slices.Collect(set.All())
	}
	return all
}

// A Collector takes each covered statement and branch once. It takes neither calls nor targets that were reached but
// not covered. After each reading, the service watches all predicates again.
func TestCollector(t *testing.T) {
	c := newTestCollector(t, smallManifest())
	mem := c.shared
	for _, step := range []struct {
		name  string
		write func()
		want  map[uint8][]int
	}{
		{"nothing", func() {}, map[uint8][]int{}},
		{"statement and call", func() { mem.hits[1], mem.hits[2] = 1, 1 }, map[uint8][]int{1: {0}}},
		{"nothing since", func() {}, map[uint8][]int{}},
		{"branch", func() { mem.slots[1] = 7 }, map[uint8][]int{7: {3}}},
		{"half of a conjunction", func() { mem.slots[2] = 7 }, map[uint8][]int{}},
		{"conjunction", func() { mem.slots[2], mem.slots[4] = 7, 7 }, map[uint8][]int{7: {4}}},
		{
			"two requests", func() { mem.hits[1], mem.slots[0], mem.slots[1], mem.open[0] = 3, 3, 255, 0 },
			map[uint8][]int{3: {0, 2}, 255: {3}},
		},
	} {
		step.write()
		if got := taken(t, c); !reflect.DeepEqual(got, step.want) {
			t.Errorf("%s: got %v, want %v", step.name, got, step.want)
		}
		if mem.open[0] != sondeprobe.Open {
			t.Errorf("%s: the predicate is not watched", step.name)
		}
	}
}

// A Collector loses nothing that the service covers during a reading.
func TestCollectorAtOnce(t *testing.T) {
	words := make([]uint64, 4)
	var service sync.WaitGroup
	var ended atomic.Bool
	service.Go(func() {
		defer ended.Store(true)
		for range 100_000 {
			atomic.AddUint64(&words[0], 1)
		}
	})
	sum, to := uint64(0), make([]uint64, len(words))
	for !ended.Load() {
		clear(to)
		takeWords(to, words)
		sum += to[0]
	}
	service.Wait()
	if sum += words[0]; sum != 100_000 {
		t.Errorf("got %d of 100000", sum)
	}
}

// Take returns nil if the service does not use its probes, because it is not known what such a service covers. Take
// returns an error if another program has cut the file short.
func TestCollectorWithoutService(t *testing.T) {
	m := smallManifest()
	m.Hits = 1 << 20
	c := newTestCollector(t, m)
	c.shared.head.Attached = 0
	if covered, err := c.Take(); covered != nil || err != nil {
		t.Errorf("got %v, error %v", covered, err)
	}
	c.shared.head.Attached = 1
	if err := os.Truncate(strings.TrimPrefix(c.shared.EnvVariable(), MemoryVariable+"="), int64(os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if covered, err := c.Take(); covered != nil || err == nil || !strings.Contains(err.Error(), "cut short") {
			t.Errorf("got %v, error %v", covered, err)
		}
	}
}

// BenchmarkTake reads the coverage of services of 2,000 and 100,000 targets, of which a request covered 500 in 20 functions.
func BenchmarkTake(b *testing.B) {
	for _, targets := range []int{2_000, 100_000} {
		b.Run(fmt.Sprint(targets), func(b *testing.B) {
			m := &Manifest{Version: FormatVersion, Preds: targets / 5 * 2, Hits: targets/5*3 + 1, Files: []SourceFile{{Name: "a"}}}
			for i := 1; i < m.Hits; i++ {
				m.Targets = append(m.Targets, Target{Kind: Statement, Hit: i})
			}
			for i := range m.Preds {
				m.Targets = append(m.Targets, Target{Kind: BranchTrue, Terms: outcome(i, 0)})
			}
			c := newTestCollector(b, m)
			for b.Loop() {
				for i := range 500 {
					c.shared.hits[1+m.Hits/20*(i/25)+i%25] = 1
				}
				if covered, err := c.Take(); err != nil || covered == nil {
					b.Fatal(err)
				}
			}
		})
	}
}
