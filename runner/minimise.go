package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"sonde/model"
	"sonde/runner/rest"
	"sonde/runner/shrink"
)

// How often it is asked at most whether a test may be smaller: with fewer calls,
// with values plain, with one value plainer.
const (
	callQuestions  = 32
	plainQuestions = 16
	finerQuestions = 24
)

// slice tries to do with the calls that cover what the test is kept for, and
// those that they take something from.
func (k *keeping) slice(ctx context.Context, s *keepsake) {
	t := s.trial.test
	calls := k.targets.last(t, s.covers)
	if s.code {
		calls = append(calls, len(t.Calls)-1) // most likely: it may be any
	}
	if keep := needed(t, calls...); len(keep) > 0 && len(keep) < len(t.Calls) {
		k.holds(ctx, s, s.individual().Only(keep))
	}
}

// cut looks for as few calls as will do.
func (k *keeping) cut(ctx context.Context, s *keepsake) {
	if s.lost {
		return
	}
	ind := s.individual()
	shrink.Subset(&shrink.Limit{Left: callQuestions}, ind.Len(), func(keep []int) bool {
		return len(keep) > 0 && k.holds(ctx, s, ind.Only(keep))
	})
}

// plain tries to do with plain values alone.
func (k *keeping) plain(ctx context.Context, s *keepsake) {
	if ind := s.individual(); !s.lost && ind.Plainable() > 0 {
		k.holds(ctx, s, ind.Plain(nil))
	}
}

// ease looks for as few values as will do that are not plain.
func (k *keeping) ease(ctx context.Context, s *keepsake) {
	ind := s.individual()
	n := ind.Plainable()
	if s.lost || n == 0 {
		return
	}
	shrink.Subset(&shrink.Limit{Left: plainQuestions}, n, func(keep []int) bool { return k.holds(ctx, s, ind.Plain(keep)) })
}

// refine makes what is left plainer, one value after the other.
func (k *keeping) refine(ctx context.Context, s *keepsake) {
	if s.lost {
		return
	}
	l := &shrink.Limit{Left: finerQuestions}
	shrink.Descend(l, s.individual(), (*rest.Individual).Plainer, printed, func(ind *rest.Individual) bool {
		if ctx.Err() != nil || !k.affords(ind.Len()) {
			l.Left = 0
			return false
		}
		return k.holds(ctx, s, ind)
	})
}

// printed is an individual's test as text.
func printed(ind *rest.Individual) string {
	text, err := json.Marshal(ind.Test())
	if err != nil {
		return "" // cannot be: a test is text and numbers
	}
	return string(text)
}

// holds reports whether a smaller test covers what the kept one is kept for, and
// lets it take its place if it does. What was asked before is not sent again.
func (k *keeping) holds(ctx context.Context, s *keepsake, ind *rest.Individual) bool {
	test, key := ind.Test(), printed(ind)
	if s.asked[key] || !k.affords(len(test.Calls)) {
		return false
	}
	p, ok := k.play(ctx, test)
	if !ok {
		return false
	}
	s.asked[key] = true
	t := k.tried(s, ind, p)
	scores := k.covering(p)
	k.novel(t, p, scores)
	if k.worse(s, t, p) || len(uncovered(scores, s.covers)) > 0 || (problem{}).Size(t) > (problem{}).Size(s.trial) {
		return false
	}
	k.search.Replace(t, scores, s.covers...)
	s.trial, s.smaller, k.unsaved = t, true, true
	return true
}

// affords reports whether the budget lets a smaller test of so many calls be played, and
// once more in the end.
func (k *keeping) affords(calls int) bool { return k.sent+k.due()+2*(calls+k.cost) <= k.limit }

// worse reports whether a smaller test depends more on what other tests left. Without a
// reset that does the work of calls that were left out.
func (k *keeping) worse(s *keepsake, t *trial, p played) bool {
	before := k.history.borrowed(s.trial.test)
	return k.history.wavering(t.test, p.results) >= 0 ||
		slices.ContainsFunc(k.history.borrowed(t.test), func(v string) bool { return !slices.Contains(before, v) })
}

// tried is the trial of a smaller test that was played.
func (k *keeping) tried(s *keepsake, ind *rest.Individual, p played) *trial {
	t := &trial{individual: ind, test: p.test}
	t.test.ID = fmt.Sprintf("m%d", k.budget.calls) // also another one where a run goes on
	t.test.Calls = p.test.Calls[:len(p.results)]
	t.test.Birth = smaller(s.trial.test, k.budget.calls)
	t.test.Checks = k.checks(p)
	t.remember(p.results)
	t.spared = s.trial.spared + len(s.trial.test.Calls) - len(t.test.Calls)
	if !k.resets {
		t.lucky = k.targets.lucky(t.test) + one(len(k.history.borrowed(t.test)) > 0)
	}
	return t
}

// smaller is how a test was made from another one by leaving out: what that one
// was made for, and the first to cover, tells of the smaller one, too.
func smaller(of model.Test, call int) *model.Birth {
	b := model.Birth{Call: call, Rule: model.ByMinimise, Parent: of.ID}
	if of.Birth != nil {
		b.Template, b.Target, b.First = of.Birth.Template, of.Birth.Target, of.Birth.First
	}
	return &b
}

// novel keeps a smaller test for what nobody covered before, and enters what is
// wrong that nobody knew.
func (k *keeping) novel(t *trial, p played, scores []model.Score) {
	var first []model.Score
	for _, sc := range scores {
		if k.unmet(sc) {
			first = append(first, sc)
		}
	}
	var faults []model.Fault
	for _, f := range k.wrong(p) {
		if _, known := k.book.place[keyOf(f)]; !known {
			faults = append(faults, k.book.enter(f)...)
		}
	}
	if len(first) > 0 {
		k.book.count(t.test, p.results)
	}
	t.test.Birth.First, t.test.Birth.Code = k.firsts(k.search.Offer(t, first))
	k.report(t.test.Birth.First, t.test.Birth.Code, faults)
}

// covering returns the scores of the targets that a played test covers.
func (k *keeping) covering(p played) []model.Score {
	return coveredOf(k.scores(p.test, p))
}

// uncovered are those of some targets that scores of covered targets are not of.
func uncovered(scores []model.Score, targets []string) []string {
	covers := make(map[string]bool, len(scores))
	for _, sc := range scores {
		covers[sc.Target] = true
	}
	return slices.DeleteFunc(slices.Clone(targets), func(id string) bool { return covers[id] })
}
