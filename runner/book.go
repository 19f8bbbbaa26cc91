package runner

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/oracle"
)

// book keeps what a run has seen.
type book struct {
	ledger
	grid    map[model.OpID]map[int]int
	newest  map[model.Answered]string
	reasons reasons
	curve   []model.Point
	marks   []model.Steered
	refused []model.Note

	unanswered int
	silentOps  map[model.OpID]bool // that gave no answer once at least
	noAnswer   string              // the first of them, and why
}

func newBook(j *oracle.Judge) book {
	return book{ledger: newLedger(j), grid: map[model.OpID]map[int]int{}, newest: map[model.Answered]string{}, reasons: reasons{}, silentOps: map[model.OpID]bool{}}
}

// mostSeen is how much of an answer is kept for a person to see, in bytes.
const mostSeen = 400

// count counts the answers to a test.
func (b *book) count(t model.Test, results []client.Result) {
	for i, r := range results {
		op, status := t.Calls[i].Op, r.Exchange.Reply.Status
		if errors.Is(r.Exchange.Err, client.ErrBarred) {
			continue
		}
		if status == 0 {
			b.silent(op, r.Exchange.Err)
			continue
		}
		counts := b.grid[op]
		if counts == nil {
			counts = map[int]int{}
			b.grid[op] = counts
		}
		counts[status]++
		if body := r.Exchange.Reply.Body; len(body) > 0 {
			b.newest[model.Answered{Op: op, Status: status}] = string(body[:min(len(body), mostSeen)])
		}
		b.reasons.note(op, t.Calls[i].User, r.Exchange.Reply)
	}
}

// answers are what was counted, to be kept by others.
func (b *book) answers() map[model.OpID]map[int]int {
	all := make(map[model.OpID]map[int]int, len(b.grid))
	for op, counts := range b.grid {
		all[op] = maps.Clone(counts)
	}
	return all
}

// silent notes a call that got no answer.
func (b *book) silent(op model.OpID, err error) {
	b.silentOps[op] = true
	b.unanswered++
	if b.unanswered == 1 && err != nil {
		b.noAnswer = string(op) + ": " + model.Excerpt([]byte(err.Error()))
	}
}

// mute is how many operations were called and never answered.
func (b *book) mute() int {
	n := 0
	for op := range b.silentOps {
		if len(b.grid[op]) == 0 {
			n++
		}
	}
	return n
}

// How often the screen's state, and the suite and the traffic on disk, are
// renewed.
const (
	showEvery = 50 * time.Millisecond
	saveEvery = time.Second
	hearEvery = 10 * time.Second // traffic may be large, and costs time to write
)

// refresh renews snapshot and suite when it is time.
func (e *engine) refresh() {
	now := time.Now()
	if now.Sub(e.lastShown) >= showEvery {
		e.publish(model.Running)
	}
	if now.Sub(e.lastSaved) >= saveEvery {
		e.save()
	}
	if now.Sub(e.lastHeard) >= hearEvery {
		e.saveTraffic()
	}
}

// publish makes the state visible to others.
func (e *engine) publish(phase model.Phase) {
	s := model.Snapshot{
		Phase: phase, Summary: e.summary(), Used: e.budget.used(),
		Tuning: e.plan.Tuning, Applied: e.search.Applied(),
		Curve: slices.Clip(e.book.curve), Marks: slices.Clip(e.book.marks), Refused: slices.Clip(e.book.refused),
		Faults: slices.Clone(e.book.faults),
		Grid:   e.book.answers(), Newest: maps.Clone(e.book.newest), Tests: e.kept(), Weights: e.weights, Denied: e.denied,
		Err: errors.Join(e.err, e.sinkErr),
	}
	s.Open = e.sought()
	s.Log, s.Unlogged = e.journal.Shown()
	s.Net, s.Hosts = e.plan.Net != nil, e.hosts.shown()
	s.Source = e.source.shown() // after the tests, by which it is kept
	if e.last != nil {
		last := e.last.test
		s.Last = &last
	}
	e.run.snapshot.Store(&s)
	e.lastShown = time.Now()
}

// mostSought is how many targets are shown that are not covered.
const mostSought = 200

// sought are targets that the search works at.
func (e *engine) sought() []model.Open {
	all := e.search.Open(mostSought)
	for i := range all {
		all[i].Op = e.targets.operation(all[i].Target)
	}
	return all
}

// kept returns the archive: each test once, with the targets that it is kept
// for, in the order of the targets; and notes by which the source's are kept.
func (e *engine) kept() []model.Test {
	var tests []model.Test
	at := map[*trial]int{}
	for _, k := range e.search.Archive() {
		i, ok := at[k.Individual]
		if !ok {
			i = len(tests)
			at[k.Individual] = i
			tests = append(tests, k.Individual.test)
			tests[i].EarlierState = e.earlierState(k.Individual)
		}
		if code := e.source.index(k.Number); code < 0 {
			tests[i].Covers = append(tests[i].Covers, k.Target)
		} else {
			tests[i].Code++
			e.source.reach.keptBy(code, tests[i].ID)
		}
	}
	return tests
}

// earlierState says why a kept test may fail after others, "" if it does not.
func (e *engine) earlierState(t *trial) string {
	why := cmp.Or(e.locksOut(t.test), t.test.EarlierState)
	if e.history != nil && !t.replayed {
		return cmp.Or(why, notProven)
	}
	return why
}

// summary adds to that of the calls what the search came to.
func (e *engine) summary() model.Summary {
	s := e.crew.summary()
	s.Asked = e.through
	s.NoReset = e.history != nil
	s.Cancelled = e.cancelled
	if _, ok := errors.AsType[*Denied](e.err); ok {
		s.Warnings = slices.DeleteFunc(s.Warnings, aboutDenied)
	}
	s.Targets, s.Covered = e.known()
	for t := range e.archived() {
		s.Tests++
		s.Replayed += one(t.replayed)
		s.FlakyTests += one(t.test.Flaky != "")
		s.EarlierState += one(e.earlierState(t) != "")
		s.Dropped += t.dropped
		s.Spared += t.spared
	}
	return s
}

// known are the targets of a status, and how many of them are covered.
func (e *engine) known() (targets, covered int) {
	targets, covered = e.search.Targets()
	code, reached := e.source.targets()
	return targets - len(e.targets.goals) - code, covered - reached
}

// archived are the kept tests, each once, in the order of their first targets.
func (e *engine) archived() iter.Seq[*trial] {
	return func(yield func(*trial) bool) {
		seen := map[*trial]bool{}
		for _, k := range e.search.Archive() {
			if t := k.Individual; !seen[t] {
				seen[t] = true
				if !yield(t) {
					return
				}
			}
		}
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
