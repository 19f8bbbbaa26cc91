package shrink_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"sonde/runner/search/shrink"

	"pgregory.net/rapid"
)

// needs draws a property of lists of numbers: some numbers must be kept, and some must be kept only if a certain
// other number is kept.
func needs(t *rapid.T, n int) func([]int) bool {
	must := rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 4).Draw(t, "must")
	pairs := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, n-1), 2, 2), 0, 4).Draw(t, "pairs")
	return func(keep []int) bool {
		for _, m := range must {
			if !slices.Contains(keep, m) {
				return false
			}
		}
		for _, p := range pairs {
			if slices.Contains(keep, p[0]) && !slices.Contains(keep, p[1]) {
				return false
			}
		}
		return true
	}
}

// The result has the property and is in order. The property is not checked more often than allowed. If the limit is
// not reached, the result is 1-minimal.
func TestSubset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, limit := rapid.IntRange(1, 20).Draw(t, "n"), rapid.IntRange(0, 200).Draw(t, "limit")
		holds, asked := needs(t, n), 0
		l := shrink.Limit{Remaining: limit}
		kept := shrink.Subset(&l, n, func(keep []int) bool {
			asked++
			if !slices.IsSorted(keep) {
				t.Fatalf("asked for %v", keep)
			}
			return holds(keep)
		})
		if asked+l.Remaining != limit || l.Remaining < 0 {
			t.Fatalf("asked %d times of %d, %d left", asked, limit, l.Remaining)
		}
		if len(kept) < n && !holds(kept) {
			t.Fatalf("%v does not hold", kept)
		}
		for i := range kept {
			if less := slices.Delete(slices.Clone(kept), i, i+1); l.Remaining > 0 && holds(less) {
				t.Fatalf("%v holds as well as %v", less, kept)
			}
		}
	})
}

// Subset needs few checks if few elements must be kept.
func TestSubsetIsFast(t *testing.T) {
	l := shrink.Limit{Remaining: 1000}
	kept := shrink.Subset(&l, 128, func(keep []int) bool { return slices.Contains(keep, 77) })
	if asked := 1000 - l.Remaining; asked > 20 || !slices.Equal(kept, []int{77}) {
		t.Errorf("%d questions lead to %v", asked, kept)
	}
}

// smaller yields the neighbours of a pair.
func smaller(p [2]int) iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		for i := range p {
			for _, v := range []int{0, p[i] / 2, p[i] - 1} {
				less := p
				less[i] = v
				if v >= 0 && v < p[i] && !yield(less) {
					return
				}
			}
		}
	}
}

// The result has the property and none of its neighbours has it; no candidate is checked twice.
func TestSimplify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := [2]int{rapid.IntRange(0, 50).Draw(t, "a"), rapid.IntRange(0, 50).Draw(t, "b")}
		start := [2]int{low[0] + rapid.IntRange(0, 500).Draw(t, "x"), low[1] + rapid.IntRange(0, 500).Draw(t, "y")}
		limit, asked := rapid.IntRange(0, 300).Draw(t, "limit"), map[[2]int]bool{}
		holds := func(p [2]int) bool { return p[0] >= low[0] && p[1] >= low[1] || p == [2]int{1, 1} }
		l := shrink.Limit{Remaining: limit}
		got := shrink.Simplify(&l, start, smaller, func(p [2]int) string { return fmt.Sprint(p) }, func(p [2]int) bool {
			if asked[p] {
				t.Fatalf("%v is asked for twice", p)
			}
			asked[p] = true
			return holds(p)
		})
		if len(asked)+l.Remaining != limit || !holds(got) {
			t.Fatalf("asked %d times of %d, %d left; %v", len(asked), limit, l.Remaining, got)
		}
		for next := range smaller(got) {
			if l.Remaining > 0 && holds(next) {
				t.Fatalf("%v holds as well as %v", next, got)
			}
		}
	})
}

// A large value has many candidates. Simplify makes no further candidates after its limit is used up.
func TestSimplifyStopsAtItsLimit(t *testing.T) {
	seen := 0
	candidates := func(int) iter.Seq[int] {
		return func(yield func(int) bool) {
			for i := range 1000 {
				seen++
				if !yield(i + 1) {
					return
				}
			}
		}
	}
	never := func(int) bool { return false }
	shrink.Simplify(&shrink.Limit{Remaining: 3}, 0, candidates, func(n int) string { return fmt.Sprint(n) }, never)
	if seen > 4 {
		t.Errorf("looks at %d candidates with 3 questions", seen)
	}
}
