package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search/individual"
)

// BenchmarkSeeing measures the cost of a test besides its calls. The source has the given number of targets, and the
// test reaches a thousand of them. Each round resets and reads the memory of the probes, asks the search for a test,
// reports the scores to the search, and drops covered targets.
func BenchmarkSeeing(b *testing.B) {
	for _, targets := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("targets=%d", targets), func(b *testing.B) { seeing(b, targets) })
	}
}

func seeing(b *testing.B, targets int) {
	m := &probedata.Manifest{Preds: targets / 2, Hits: targets, Files: []probedata.SourceFile{{Package: "shop", Name: "shop/a.go"}}}
	for i := range targets {
		t := probedata.Target{ID: fmt.Sprintf("example.com/shop/orders.go:%d:1 true", i), Kind: probedata.BranchTrue, Line: i}
		if i%2 == 0 {
			t.Terms = []probedata.ScoreTerm{{Pred: i / 2, Scale: 1}}
		} else {
			t.Kind, t.Hit, t.Statements = probedata.Statement, i, 1
		}
		m.Targets = append(m.Targets, t)
	}
	eye, err := newProbeObserver(m)
	if err != nil {
		b.Fatal(err)
	}
	defer eye.close()
	w := &tracker{observer: eye, started: true}
	op := &model.Operation{ID: "GET /a", Method: "GET", Path: "/a"}
	p := model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}, Tuning: model.DefaultTuning()}
	pool := &workerPool{plan: p, workers: []*worker{{tracker: w}}}
	p.Probes = &model.Probes{}
	e := &scheduler{
		plan: p, pool: pool, judge: newJudge(p, nil, true), code: newCodeTracker(p, pool, m), hosts: &hostRegistry{},
		bed: &testbed{},
	}
	e.judge.prepare()
	tests, chance := individual.New(p), rand.New(rand.NewPCG(1, 1))
	e.makeParts(e.newSearch(tests, chance), tests, chance)
	for i := 0; b.Loop(); i++ {
		w.dropCovered(e.code.coverage.coveredOrder(), e.code.coverage.targetIDs())
		asked := e.archive.search.Ask()
		w.startTest(context.Background())
		w.begin(context.Background())
		eye.readScores()
		e.archive.noteFirsts(e.archive.search.Tell(asked, reaching(e, 1000, i)))
		e.archive.search.SetBudgetUsed(float64(i%1000) / 1000)
	}
}

// reaching returns scores of n consecutive targets. The score at index turn%n is 1, so that one target is covered.
func reaching(e *scheduler, n, turn int) []model.Score {
	scores := make([]model.Score, n)
	from := e.proposer.chance.IntN(len(e.code.coverage.ids) - n + 1)
	for i := range scores {
		at := from + i
		number := 1 + len(e.judge.targets.fixedIDs()) + at
		scores[i] = model.Score{Target: e.code.coverage.ids[at], H: e.proposer.chance.Float64(), Number: number}
		if i == turn%n {
			scores[i].H = 1
		}
	}
	return scores
}
