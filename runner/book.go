package runner

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/client"
)

// book keeps what a run has seen.
type book struct {
	grid   map[model.OpID]map[int]int
	faults []model.Fault
	curve  []model.Point
	marks  []model.Tuned

	unanswered int
	noAnswer   string // the first of them, and why
}

func newBook() book { return book{grid: map[model.OpID]map[int]int{}} }

// enter counts the answers of a test and returns the faults that are new: an
// operation's first answer with a status of 500 or more. Call is the number of
// the test's last call.
func (b *book) enter(t model.Test, results []client.Result, call int) []model.Fault {
	var found []model.Fault
	for i, r := range results {
		op, status := t.Calls[i].Op, r.Exchange.Reply.Status
		if status == 0 {
			b.silent(op, r.Exchange.Err)
			continue
		}
		counts := b.grid[op]
		if counts == nil {
			counts = map[int]int{}
			b.grid[op] = counts
		}
		if counts[status]++; counts[status] == 1 && status >= 500 {
			found = append(found, model.Fault{Op: op, Status: status, Text: firstWords(r.Exchange.Reply.Body), Calls: i + 1, At: call - len(results) + i + 1})
		}
	}
	b.faults = append(b.faults, found...)
	return found
}

// add enters how a test ended without an answer, and returns that where it is
// new. The fault may be nil.
func (b *book) add(f *model.Fault) []model.Fault {
	if f == nil || slices.ContainsFunc(b.faults, func(g model.Fault) bool { return g.Op == f.Op && g.Kind == f.Kind }) {
		return nil
	}
	b.faults = append(b.faults, *f)
	return []model.Fault{*f}
}

// silent notes a call that got no answer.
func (b *book) silent(op model.OpID, err error) {
	if b.unanswered++; b.unanswered == 1 && err != nil {
		b.noAnswer = string(op) + ": " + firstWords([]byte(err.Error()))
	}
}

// firstWords makes the start of an answer safe to print, on one line.
func firstWords(body []byte) string {
	const limit = 160
	text := strings.ToValidUTF8(string(body[:min(len(body), 4*limit)]), "")
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
	runes := []rune(strings.Join(strings.Fields(text), " "))
	return string(runes[:min(len(runes), limit)])
}

// How often the screen's state and the suite on disk are renewed.
const (
	showEvery = 50 * time.Millisecond
	saveEvery = time.Second
)

// refresh renews snapshot and suite when it is time.
func (e *engine) refresh() {
	if time.Since(e.lastShown) >= showEvery {
		e.publish(model.Running)
	}
	if time.Since(e.lastSaved) >= saveEvery {
		e.save()
	}
}

// publish makes the state visible to others.
func (e *engine) publish(phase model.Phase) {
	s := model.Snapshot{
		Phase: phase, Summary: e.summary(), Used: e.budget.used(),
		Tuning: e.plan.Tuning, Applied: e.search.Applied(),
		Curve: slices.Clip(e.book.curve), Marks: slices.Clip(e.book.marks), Faults: slices.Clip(e.book.faults),
		Grid: map[model.OpID]map[int]int{}, Tests: e.tests(), Err: errors.Join(e.err, e.sinkErr),
	}
	for op, counts := range e.book.grid {
		s.Grid[op] = maps.Clone(counts)
	}
	e.run.snapshot.Store(&s)
	e.lastShown = time.Now()
}

// tests returns the archive: each test once, with the targets that it is kept
// for, in the order of the targets.
func (e *engine) tests() []model.Test {
	var tests []model.Test
	at := map[*trial]int{}
	for _, k := range e.search.Archive() {
		i, ok := at[k.Individual]
		if !ok {
			i = len(tests)
			at[k.Individual] = i
			tests = append(tests, k.Individual.test)
		}
		tests[i].Covers = append(tests[i].Covers, k.Target)
	}
	return tests
}

// summary adds to that of the calls what the search came to.
func (e *engine) summary() model.Summary {
	s := e.caller.summary()
	s.Cancelled = e.cancelled
	s.Targets, s.Covered = e.search.Targets()
	archived := map[*trial]bool{}
	for _, k := range e.search.Archive() {
		archived[k.Individual] = true
	}
	s.Tests = len(archived)
	return s
}

// anyIn is 1 where a status of the class was seen, else 0.
func anyIn(counts map[int]int, class int) int {
	for status := range counts {
		if status/100 == class {
			return 1
		}
	}
	return 0
}
