package experiment

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/config"
	"sonde/model/match"
	"sonde/runner/lab/study"
	"sonde/runner/search"
	"sonde/ui/app/practice"
	"sonde/ui/app/usecase"
)

// seqLister lists the seqs of a service while it calls them. It may be used by several goroutines at once.
type seqLister struct {
	lists    []config.SeqList
	analysis func() *analysis.Analysis
}

func newSeqLister(spec *model.Spec, lists []config.SeqList) seqLister {
	return seqLister{lists: lists, analysis: sync.OnceValue(func() *analysis.Analysis {
		return analysis.Analyze(spec, analysis.Options{})
	})}
}

// find returns the list with the given name. It returns an error if the study has no such list.
func (l seqLister) find(name string) (config.SeqList, error) {
	for _, list := range l.lists {
		if list.Name() == name {
			return list, nil
		}
	}
	return config.SeqList{}, fmt.Errorf("there is no list %q", name)
}

// options returns the options of a list.
func (l seqLister) options(list config.SeqList) (distil.Options, error) {
	rule, err := distil.ParseRule(list.Rule)
	if err != nil {
		return distil.Options{}, err
	}
	weight := match.Weight{Links: list.LinksOnly}
	if list.MinEvidence != "" {
		weight.Evidence, err = match.ParseEvidence(list.MinEvidence)
	}
	return distil.Options{
		Rule: rule, RequiredOnly: list.RequiredOnly, Shared: l.analysis().WeightedTable(weight), Limit: maxListedSeqs,
	}, err
}

// maxListedSeqs is the maximum number of seqs in a list of a study. Lists are compared whole, so a study refuses a
// longer one.
const maxListedSeqs = 100_000

// list makes the list with the given name: it lists seqs and calls each of them on the service of a plan, until the
// plan's limits are reached.
func (l seqLister) list(ctx context.Context, p model.Plan, name string) (study.CalledList, error) {
	list, err := l.find(name)
	if err != nil {
		return study.CalledList{}, err
	}
	o, err := l.options(list)
	if err != nil {
		return study.CalledList{}, err
	}
	a := l.analysis()
	v, err := search.NewInvoker(ctx, p, a.SeqConnector(), practice.UsualTries)
	if err != nil {
		return study.CalledList{}, err
	}
	defer v.Close()
	var called study.CalledList
	begin := time.Now()
	for first := true; first || list.Again; first = false {
		listing, err := practice.NewListing(ctx, a.ValuesTable(), o, "")
		switch {
		case err != nil:
			return called, err
		case listing.Empty():
			return called, errors.New("there is no seq to call: each operation needs a value that only other operations return")
		}
		run := practice.NewRun(v, listing)
		err = run.List(ctx)
		last := run.Snapshot()
		if last.Rules[0].More {
			return called, fmt.Errorf("the list %q has more than %d seqs: study a smaller specification", name, maxListedSeqs)
		}
		addCalled(&called, last, first)
		if last.UsedUp {
			break
		}
		if err != nil {
			return called, err
		}
	}
	called.Calls, called.Took, called.Faults = v.Summary().Calls, time.Since(begin), v.Faults()
	return called, nil
}

// addCalled adds the completed seqs of a listing with one rule. The seqs that were listed first are counted.
func addCalled(called *study.CalledList, s usecase.ListingSnapshot, first bool) {
	of := s.Rules[0]
	if first {
		called.SeqCounts = study.SeqCounts{
			Listed: of.Listed, Practical: of.Practical, Failed: of.Failed, Barred: of.Barred, Open: of.Open,
		}
	}
	for _, c := range s.Called {
		if c.Completed {
			called.Tests = append(called.Tests, c.Test)
		}
	}
	for _, point := range of.Curve { // a point for each completed seq, in the same order
		called.After = append(called.After, point.Calls)
	}
}
