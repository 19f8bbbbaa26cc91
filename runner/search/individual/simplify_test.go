package individual

import (
	"slices"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A test from which calls were removed is valid, and the original does not change.
func TestKeepCalls(t *testing.T) {
	p := problem()
	rapid.Check(t, func(t *rapid.T) {
		ind := p.Sample(chance(rapid.Uint64().Draw(t, "seed")), 0.5)
		before := ind.Test()
		var keep []int
		for i := range ind.Len() {
			if rapid.Bool().Draw(t, "keep") || len(keep) == 0 && i == ind.Len()-1 {
				keep = append(keep, i)
			}
		}
		got := ind.KeepCalls(keep).Test()
		if why := fits(got); why != "" {
			t.Fatalf("%s does not fit: %+v", why, got)
		}
		for n, i := range keep {
			if d := cmp.Diff(before.Calls[i], got.Calls[n]); d != "" {
				t.Fatalf("call %d (-before +now):\n%s", i, d)
			}
		}
		for _, l := range before.Links {
			from, to := slices.Index(keep, l.From), slices.Index(keep, l.To)
			l.From, l.To = from, to
			if from >= 0 && to >= 0 != slices.Contains(got.Links, l) {
				t.Fatalf("link %+v is lost: %+v", l, got.Links)
			}
		}
		if d := cmp.Diff(before, ind.Test()); d != "" {
			t.Fatalf("the test changed:\n%s", d)
		}
	})
}

// An input whose link was removed has a value of its own again, and mutations may change it.
func TestKeepCallsUnlocks(t *testing.T) {
	p := problem()
	ind := p.calls.follow(chance(1), templates[1], "ann")
	alone := ind.KeepCalls([]int{1})
	if before, now := ind.SimplifiableCount(), alone.SimplifiableCount(); now == 0 || len(alone.links) != 0 {
		t.Fatalf("%d values can be made plain, before %d", now, before)
	}
	if got := alone.Simplified(nil).Test().Calls[0]; !cmp.Equal(got.Args, []model.Arg{{In: model.InPath, Name: "id", Value: emptyInPath}}) {
		t.Errorf("sent %+v", got.Args)
	}
}

// Repeated use of Simpler ends at the simplest test.
func TestSimplerEndsAtTheSimplestTest(t *testing.T) {
	p := problem()
	rapid.Check(t, func(t *rapid.T) {
		ind := p.Sample(chance(rapid.Uint64().Draw(t, "seed")), 0.5)
		plain := ind.Simplified(nil)
		if n := plain.SimplifiableCount(); n != 0 {
			t.Fatalf("%d values of a plain test are not plain", n)
		}
		all := make([]int, ind.SimplifiableCount())
		for i := range all {
			all[i] = i
		}
		now := ind.Simplified(all)
		if n := now.SimplifiableCount(); n != len(all) {
			t.Fatalf("%d of %d values are left that are not plain", n, len(all))
		}
		for found := true; found; {
			found = false
			for next := range now.Simpler() {
				now, found = next, true
				break
			}
		}
		for i := range plain.calls {
			plain.calls[i].violation = violation{}
		}
		if d := cmp.Diff(plain.Test(), now.Test()); d != "" {
			t.Fatalf("plain (-) and reached (+):\n%s", d)
		}
	})
}
