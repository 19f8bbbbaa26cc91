package islandrun

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// kept returns a kept test with a number of calls for some targets.
func kept(id string, calls int, targets ...string) search.Migrant {
	m := search.Migrant{Test: model.Test{
		ID: id, Calls: make([]model.Call, calls), Covers: targets, Lineage: &model.TestLineage{Call: 5, Parent: "t0"},
	}}
	for _, target := range targets {
		m.Scores = append(m.Scores, model.Score{Target: target, H: 1})
	}
	return m
}

// For each target, the merged run has the shortest test of all islands. The IDs of tests of different islands differ.
func TestMergedTests(t *testing.T) {
	e := merge([]found{
		{Kept: []search.Migrant{kept("t1", 3, "a", "b"), kept("t2", 1, "c")}},
		{Kept: []search.Migrant{kept("t1", 2, "b", "c"), kept("t2", 4, "a"), kept("t3", 2, "d")}},
	})
	var got []string
	for _, test := range e.Tests {
		got = append(got, test.ID+":"+strings.Join(test.Covers, "+")+"<"+test.Lineage.Parent)
	}
	if want := "i1t1:a<i1t0 i1t2:c<i1t0 i2t1:b<i2t0 i2t3:d<i2t0"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A fault that several islands have found is one fault, with its shortest test and the number of all occurrences.
func TestMergedFaults(t *testing.T) {
	fault := func(id, signature string, count, calls, at int) model.Fault {
		return model.Fault{
			ID: id, Op: "GET /a", Oracle: model.ServerErrorOracle, Signature: signature, Count: count, Calls: calls, At: at,
			Test: &model.Test{ID: "t" + id},
		}
	}
	first := fault("f1", "500 x", 2, 3, 40)
	e := merge([]found{
		{Faults: []model.Fault{first}},
		{Faults: []model.Fault{fault("f1", "500 y", 1, 1, 10), fault("f2", "500 x", 5, 2, 50)}},
	})
	if len(e.Faults) != 2 {
		t.Fatalf("got %+v", e.Faults)
	}
	y, x := e.Faults[0], e.Faults[1]
	if y.ID != "f1" || y.Signature != "500 y" || y.At != 20 {
		t.Errorf("the first fault is %+v", y)
	}
	if x.ID != "f2" || x.Count != 7 || x.Calls != 2 || x.At != 80 || x.Test.ID != "i2tf2" {
		t.Errorf("the second fault is %+v with %+v", x, x.Test)
	}
	if first.Test.ID != "tf1" {
		t.Error("the test of an island was changed")
	}
}

// Numbers of answers are added up. A target counts as covered from the time when the first island covered it.
func TestMergedProgress(t *testing.T) {
	e := merge([]found{
		{
			Answers: map[model.OpID]map[int]int{"GET /a": {200: 1, 404: 2}}, Declared: 9, Covered: []coveredTarget{{"a", 30}, {"b", 31}},
			Last: model.Progress{SetUp: 4, Asked: 10, Elapsed: 5, Restarts: 1},
		},
		{
			Answers: map[model.OpID]map[int]int{"GET /a": {200: 10}, "GET /b": {500: 1}}, Declared: 9, Covered: []coveredTarget{{"b", 7}},
			Last: model.Progress{SetUp: 1, Asked: 20, Elapsed: 9, Unanswered: 3, NoAnswer: "GET /b: gone"},
		},
		{}, // an island that has found nothing
	})
	if e.Answers["GET /a"][200] != 11 || e.Answers["GET /a"][404] != 2 || e.Answers["GET /b"][500] != 1 {
		t.Errorf("answers %v", e.Answers)
	}
	if want := []model.TargetCovered{{Target: "b", Call: 21}, {Target: "a", Call: 90}}; len(e.Covered) != 2 || e.Covered[0] != want[0] ||
		e.Covered[1] != want[1] {
		t.Errorf("covered %v, want %v", e.Covered, want)
	}
	if l := e.Last; l.SetUp != 5 || l.Asked != 30 || l.Elapsed != 9 || l.Unanswered != 3 || l.Restarts != 1 || e.Declared != 9 {
		t.Errorf("progress %+v", l)
	}
}
