package depend

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sonde/model/resource"
)

// nearby finds the same thing as a search that compares all things with each other.
func TestNearbyIsNearest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		places := slices.Collect(resource.NewTree(anyOps(rt)).Subtree())
		at := rapid.SliceOfN(rapid.SampledFrom(places), 0, 8).Draw(rt, "things")
		n := newNearby(func(a, b int) bool { return a < b })
		for i, r := range at {
			n.add(r, i)
		}
		near := rapid.SampledFrom(places).Draw(rt, "near")
		got, ok := n.find(near)
		if ok != (len(at) > 0) {
			rt.Fatalf("found is %v among %d", ok, len(at))
		}
		if !ok {
			return
		}
		all := make([]int, len(at))
		for i := range all {
			all[i] = i
		}
		want := slices.MinFunc(all, func(a, b int) int {
			return cmp.Or(cmp.Compare(common(at[b], near), common(at[a], near)), cmp.Compare(a, b))
		})
		if got != want {
			rt.Fatalf("nearest to %s is %d at %s, want %d at %s", near.Path, got, at[got].Path, want, at[want].Path)
		}
	})
}

// common returns the number of path segments that two resources have in common at the start.
func common(a, b *resource.Resource) int {
	for a.Depth() > b.Depth() {
		a = a.Parent
	}
	for a != b {
		if a.Depth() == b.Depth() {
			a = a.Parent
		}
		b = b.Parent
	}
	return a.Depth()
}
