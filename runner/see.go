package runner

import (
	"context"
	"fmt"

	"sonde/model"
	"sonde/runner/mio"
)

// wanted are the targets that the search is given: behind the others those of the
// service's source.
func (e *engine) wanted() []string {
	all := e.targets.all()
	if e.source == nil || e.blind() {
		return all
	}
	for i := range e.source.ids {
		e.source.enrol(i, len(all)+1+i)
	}
	for _, c := range e.callers {
		if p, ok := c.watch.eye.(*probed); ok {
			p.reader.Number(len(all) + 1)
		}
	}
	return append(all, e.source.ids...)
}

// informed is the plan with what is known of the service's source.
func (c *crew) informed() model.Plan {
	p := c.plan
	if c.source != nil && !c.blind() {
		p.Constants = c.source.manifest.Constants
	}
	return p
}

// blind tells that only the person sees into the service.
func (c *crew) blind() bool {
	return c.plan.Probes != nil && c.plan.Probes.Blind || c.plan.Driver != nil && c.plan.Driver.Blind
}

// attach looks whether the service uses its probes. Where it does not, the run goes
// on without them: what they say would be about nobody.
func (e *engine) attach() {
	if e.source == nil {
		return
	}
	for _, c := range e.callers {
		if p, ok := c.watch.eye.(*probed); ok && !p.attached() {
			e.lose()
			return
		}
	}
}

// match keeps what the service compared a test's values with: mutations of it try
// that.
func (e *engine) match(t *trial, compared []model.Compared) {
	if t.kept == nil && !t.sweeps() {
		t.hints = e.tests.Match(t.individual, compared)
		if t.birth.Code > 0 {
			e.tests.Reach(t.individual)
		}
	}
}

// lose goes on black-box.
func (e *engine) lose() {
	for _, c := range e.callers {
		c.watch.close()
		c.watch = nil
	}
	e.source, e.probeless = nil, true
	e.emit(model.Note{Text: e.unattached().Text})
}

// unattached warns of a service that does not use its probes.
func (c *crew) unattached() model.Warning {
	return model.Warning{Kind: model.WarnProbes, Text: fmt.Sprintf(
		"the service was built with probes and does not use them, so the run went on black-box: does %q start %s, in this system, with the environment that it is given?",
		c.plan.Service.Command[0], model.BinaryHere)}
}

// settled takes what it took to start and reset the service: no test need cover
// it.
func (e *engine) settled(scores []model.Score) {
	for _, sc := range scores {
		if i := e.source.index(sc.Number); i >= 0 && covering(sc) && e.source.cover(i) {
			e.source.coverage.SetUp++
		}
	}
}

// credit gives the last test of a copy of the service what that did behind it.
func (e *engine) credit(c *caller, late []model.Score) {
	if t := e.previous[c]; t != nil && len(late) > 0 {
		e.offer(t, late, nil)
	}
}

// offer lets the search have a test that it was told of for more than was known
// then.
func (e *engine) offer(t *trial, scores []model.Score, faults []model.Fault) {
	verdict := e.search.Offer(t, scores)
	e.source.saw(scores)
	if verdict.Archived {
		t.remember(t.said)
		e.unsaved = true
	}
	first, code := e.firsts(verdict)
	e.report(first, code, faults)
}

// firsts takes note of what a test is the first to cover: the targets that a
// status has, and how many there are in the source.
func (e *engine) firsts(v mio.Verdict) (statuses []string, code int) {
	for i, number := range v.Numbers {
		at := e.source.index(number)
		if at < 0 {
			statuses = append(statuses, v.First[i])
			continue
		}
		e.source.cover(at)
		e.source.tested++
		code++
	}
	return statuses, code
}

// unmet reports whether no test covers a target.
func (e *engine) unmet(sc model.Score) bool {
	if i := e.source.index(sc.Number); i >= 0 {
		return !e.source.covered[i]
	}
	return e.targets.open(sc.Target)
}

// watchBlindly reads what nobody looks at before, where that is so.
func (e *engine) watchBlindly() {
	if e.source == nil || !e.blind() {
		return
	}
	for _, c := range e.callers {
		e.look(c)
	}
}

// look covers what a copy of the service has come to, whoever had it do so.
func (e *engine) look(c *caller) {
	ctx := context.Background() // also where the run was stopped
	now, err := c.watch.eye.now(ctx)
	if err != nil {
		return
	}
	if c.driver != nil {
		e.meet(ctx, c.driver, now)
	}
	for _, sc := range now {
		if i := e.source.place(sc.Target); i >= 0 && covering(sc) {
			e.source.cover(i)
		}
	}
}

// saveCode leaves what was reached of the source, and by which tests.
func (e *engine) saveCode() {
	if e.source == nil || e.sink.Code == nil || e.sinkErr != nil {
		return
	}
	e.watchBlindly()
	covers := []model.CodeCovers{}
	at := map[*trial]int{}
	for _, k := range e.search.Archive() {
		if e.source.index(k.Number) < 0 {
			continue
		}
		i, known := at[k.Individual]
		if !known {
			i = len(covers)
			at[k.Individual] = i
			covers = append(covers, model.CodeCovers{Test: k.Individual.test.ID})
		}
		covers[i].Targets = append(covers[i].Targets, k.Target)
	}
	e.sinkErr = e.sink.Code(e.source.profile(), covers)
}
