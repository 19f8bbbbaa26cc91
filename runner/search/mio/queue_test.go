package mio

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The queue behaves like a list of counters that is searched from end to end.
func TestQueueIsAListOfCounters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		counters := map[int]int{}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		target := rapid.IntRange(0, 9)
		t.Repeat(map[string]func(*rapid.T){
			"reset": func(t *rapid.T) {
				i := target.Draw(t, "target")
				counters[i] = rapid.IntRange(0, 3).Draw(t, "counter")
				q.reset(i, 1, counters[i])
			},
			"drop": func(t *rapid.T) {
				i := target.Draw(t, "target")
				q.drop(i)
				delete(counters, i)
			},
			"draw": func(t *rapid.T) {
				i, ok := q.draw(r)
				lowest := lowest(counters)
				if ok != (len(lowest) > 0) || ok && !slices.Contains(lowest, i) {
					t.Fatalf("drew %d, %v; want one of %v", i, ok, lowest)
				}
				if ok {
					counters[i]++
				}
			},
			"": func(t *rapid.T) { checkLevels(t, &q, counters) },
		})
	})
}

func lowest(counters map[int]int) []int {
	var out []int
	for i, c := range counters {
		if len(out) > 0 && c > counters[out[0]] {
			continue
		}
		if len(out) > 0 && c < counters[out[0]] {
			out = nil
		}
		out = append(out, i)
	}
	return out
}

func checkLevels(t *rapid.T, q *queue, counters map[int]int) {
	got, last := map[int]int{}, -1
	for l := q.lowest; l != nil; l = l.next {
		if l.counter <= last || len(l.targets) == 0 || l.next != nil && l.next.prev != l {
			t.Fatalf("level %d of %v after level %d", l.counter, l.targets, last)
		}
		last = l.counter
		for at, i := range l.targets {
			got[i] = l.counter
			if p := q.places[i]; p.level != l || p.at != at {
				t.Fatalf("target %d is not in its place", i)
			}
		}
	}
	if len(got) != len(counters) {
		t.Fatalf("counters %v, want %v", got, counters)
	}
	for i, c := range counters {
		if got[i] != c {
			t.Fatalf("counters %v, want %v", got, counters)
		}
	}
}

// Targets with equal counters are drawn about equally often.
func TestQueueIsFair(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	count := make([]int, 4)
	for range 4000 {
		var q queue
		for i := range count {
			q.reset(i, 1, 0)
		}
		i, _ := q.draw(r)
		count[i]++
	}
	for i, n := range count {
		if n < 900 || n > 1100 {
			t.Errorf("target %d was drawn %d times of 4000, want about 1000", i, n)
		}
	}
}
