package runner

import (
	"context"
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/client"
)

// pass hands answers to those who count them.
func (e *engine) pass(results []client.Result) {
	for _, r := range results {
		if e.sink.Answer != nil && e.sinkErr == nil && r.Exchange.Reply.Status > 0 {
			e.sinkErr = e.sink.Answer(r.Exchange.Reply)
		}
	}
}

// report enters what is new into the curve and emits it: the targets of a status
// that are covered, how many in the source are, and faults.
func (e *engine) report(first []string, code int, faults []model.Fault) {
	for _, id := range first {
		e.targets.cover(id)
		e.emit(model.Covered{Call: e.budget.calls, Target: id})
	}
	if len(first) > 0 {
		e.book.curve = append(e.book.curve, model.Point{Calls: e.budget.calls, Covered: e.targets.done})
	}
	if code > 0 {
		e.emit(model.CoveredCode{Call: e.budget.calls, Targets: code})
	}
	for _, f := range faults {
		e.unsaved = true
		f.Seen = nil // faults.json has it
		e.emit(model.Found{Fault: f})
	}
}

func (e *engine) emit(ev model.Event) {
	l := e.log(ev)
	if e.sink.Emit != nil && e.sinkErr == nil {
		e.sinkErr = e.sink.Emit(l)
	}
}

func (e *engine) save() {
	if e.sink.Save != nil && e.unsaved && e.sinkErr == nil {
		e.sinkErr = e.sink.Save(e.kept())
	}
	if e.sink.Faults != nil && e.unsaved && e.sinkErr == nil {
		e.sinkErr = e.sink.Faults(slices.Clone(e.book.faults))
	}
	if e.sink.Answers != nil && e.unsaved && e.sinkErr == nil {
		e.sinkErr = e.sink.Answers(e.book.answers())
	}
	e.unsaved, e.lastSaved = false, time.Now()
}

// finish saves and tells of the end.
func (e *engine) finish(ctx context.Context) {
	e.cancelled = ctx.Err() != nil
	e.unsaved = true
	e.explain(ctx)
	e.watchBlindly()
	e.save()
	e.saveTraffic()
	s := e.summary()
	if e.err != nil {
		s.Trouble = e.err.Error()
	}
	e.emit(model.Stopped{Summary: s})
}
