package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"sonde/model"
	"sonde/runner/mio"
	"sonde/runner/probe"
	"sonde/runner/rest"
)

// BenchmarkSeeing is what a test costs besides its calls where the service's
// source has so many targets, a thousand of which it reaches and is told of: the
// memory is reset and read, the search is asked and told, and what is covered is
// not asked for any more.
func BenchmarkSeeing(b *testing.B) {
	for _, targets := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("targets=%d", targets), func(b *testing.B) { seeing(b, targets) })
	}
}

func seeing(b *testing.B, targets int) {
	m := &probe.Manifest{Preds: targets / 2, Hits: targets, Files: []probe.File{{Package: "shop", Name: "shop/a.go"}}}
	for i := range targets {
		t := probe.Target{ID: fmt.Sprintf("example.com/shop/orders.go:%d:1 true", i), Kind: probe.True, Line: i}
		if i%2 == 0 {
			t.Terms = []probe.Term{{Pred: i / 2, Scale: 1}}
		} else {
			t.Kind, t.Hit, t.Statements = probe.Statement, i, 1
		}
		m.Targets = append(m.Targets, t)
	}
	eye, err := newProbed(m)
	if err != nil {
		b.Fatal(err)
	}
	defer eye.close()
	w := &watch{eye: eye, begun: true}
	op := &model.Operation{ID: "GET /a", Method: "GET", Path: "/a"}
	p := model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}, Tuning: model.DefaultTuning()}
	e := &engine{crew: &crew{plan: p, source: newSource(m), callers: []*caller{{watch: w}}}, targets: newTargets(p.Spec, nil), tests: rest.New(p), chance: rand.New(rand.NewPCG(1, 1))}
	e.plan.Probes = &model.Probes{}
	e.search = mio.New(problem{e.tests, e.source}, e.chance, p.Tuning, e.wanted())
	for i := 0; b.Loop(); i++ {
		w.tell(e.source.told(), e.source.known())
		asked := e.search.Ask()
		w.before(context.Background())
		w.begin(context.Background())
		eye.read()
		e.firsts(e.search.Tell(asked, e.reaching(1000, i)))
		e.search.Use(float64(i%1000) / 1000)
	}
}

// reaching are scores of so many targets in a row, another one of which is covered
// each time.
func (e *engine) reaching(n, turn int) []model.Score {
	scores := make([]model.Score, n)
	from := e.chance.IntN(len(e.source.ids) - n + 1)
	for i := range scores {
		at := from + i
		scores[i] = model.Score{Target: e.source.ids[at], H: e.chance.Float64(), Number: 1 + len(e.targets.all()) + at}
		if i == turn%n {
			scores[i].H = 1
		}
	}
	return scores
}
