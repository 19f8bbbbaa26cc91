package specdiff

import (
	"strings"
	"testing"

	"sonde/model"
)

// operationsAt returns a GET operation for each path.
func operationsAt(paths string) (ops []*model.Operation) {
	for _, p := range strings.Fields(paths) {
		ops = append(ops, &model.Operation{ID: model.OpID("GET " + p), Method: "GET", Path: p})
	}
	return ops
}

// setsOf parses sets that are written as in "one: /a /b; two: /c".
func setsOf(text string) (all []opGroup) {
	for _, part := range strings.Split(text, "; ") {
		name, paths, ok := strings.Cut(part, ": ")
		if !ok {
			continue
		}
		set := opGroup{name: name}
		for _, op := range operationsAt(paths) {
			set.ops = append(set.ops, op.ID)
		}
		all = append(all, set)
	}
	return all
}

// Two sets correspond if they share at least half of the operations of one of them.
func TestSets(t *testing.T) {
	for _, c := range []struct {
		name, older, newer string
		want               []SetChange
	}{
		{name: "the same", older: "one: /a /b; two: /c /d", newer: "1: /a /b; 2: /c /d"},
		{
			name: "new", older: "one: /a /b", newer: "one: /a /b; two: /c /d",
			want: []SetChange{{Status: SetNew, New: []string{"two"}, Added: []model.OpID{"GET /c", "GET /d"}}},
		},
		{name: "single operations", older: "one: /a /b; two: /x", newer: "one: /a /b; two: /c"},
		{
			name: "gone", older: "one: /a /b; two: /c /d", newer: "one: /a /b",
			want: []SetChange{{Status: SetGone, Old: []string{"two"}, Removed: []model.OpID{"GET /c", "GET /d"}}},
		},
		{
			name: "split", older: "one: /a /b /c /d", newer: "one: /a /b; two: /c /d",
			want: []SetChange{{Status: SetSplit, Old: []string{"one"}, New: []string{"one", "two"}}},
		},
		{
			name: "merged", older: "one: /a /b; two: /c /d", newer: "both: /a /b /c /d",
			want: []SetChange{{Status: SetMerged, Old: []string{"one", "two"}, New: []string{"both"}}},
		},
		{
			name: "mixed", older: "one: /a /b /c /d; two: /e /f /g /h", newer: "1: /a /b /e /f; 2: /c /d /g /h",
			want: []SetChange{{Status: SetMixed, Old: []string{"one", "two"}, New: []string{"1", "2"}}},
		},
		{
			name: "an operation moves alone", older: "one: /a /b /c /d; two: /e /f /g", newer: "1: /a /b /c; 2: /d /e /f /g",
			want: []SetChange{
				{Status: SetShrank, Old: []string{"one"}, New: []string{"1"}, Removed: []model.OpID{"GET /d"}},
				{Status: SetGrew, Old: []string{"two"}, New: []string{"2"}, Added: []model.OpID{"GET /d"}},
			},
		},
		{
			name: "grew", older: "one: /a /b", newer: "one: /a /b /c",
			want: []SetChange{{Status: SetGrew, Old: []string{"one"}, New: []string{"one"}, Added: []model.OpID{"GET /c"}}},
		},
		{
			name: "shrank", older: "one: /a /b /c", newer: "one: /a /b",
			want: []SetChange{{Status: SetShrank, Old: []string{"one"}, New: []string{"one"}, Removed: []model.OpID{"GET /c"}}},
		},
		{
			name: "changed", older: "one: /a /b /c", newer: "one: /a /b /d",
			want: []SetChange{{
				Status: SetReplaced, Old: []string{"one"}, New: []string{"one"},
				Added: []model.OpID{"GET /d"}, Removed: []model.OpID{"GET /c"},
			}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			older, newer := setsOf(c.older), setsOf(c.newer)
			equal(t, compareSets(pairOperations(inSets(older), inSets(newer)), older, newer), c.want)
		})
	}
}

// inSets returns all operations of the given sets.
func inSets(sets []opGroup) (ops []*model.Operation) {
	for _, s := range sets {
		for _, id := range s.ops {
			ops = append(ops, operationsAt(strings.TrimPrefix(string(id), "GET "))...)
		}
	}
	return ops
}
