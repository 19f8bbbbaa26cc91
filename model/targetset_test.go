package model_test

import (
	"maps"
	"slices"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

// A TargetSet contains the same targets as a map to which the same targets were added.
func TestTargetSet(t *testing.T) {
	numbers := rapid.SliceOfN(rapid.IntRange(0, 300), 0, 40)
	rapid.Check(t, func(t *rapid.T) {
		var sets [2]model.TargetSet
		wants := [2]map[int]bool{{}, {}}
		for i := range sets {
			for _, n := range numbers.Draw(t, "targets") {
				sets[i].Add(n)
				wants[i][n] = true
			}
		}
		only := maps.Clone(wants[0])
		maps.DeleteFunc(only, func(n int, _ bool) bool { return wants[1][n] })
		if got, want := slices.Collect(sets[0].Without(sets[1])), slices.Sorted(maps.Keys(only)); !slices.Equal(got, want) {
			t.Fatalf("%v without %v: got %v, want %v", sets[0], sets[1], got, want)
		}
		maps.Copy(wants[0], wants[1])
		sets[0].AddAll(sets[1])
		if got, want := slices.Collect(sets[0].All()), slices.Sorted(maps.Keys(wants[0])); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
