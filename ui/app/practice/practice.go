// Package practice calls distilled seqs on the service while they are listed. It counts the seqs that can
// be completed, and reports why others cannot.
package practice

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/match"
	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/ui/app/usecase"
	"sonde/ui/words"
)

// UsualTries is the default number of times that a seq is called if it does not succeed.
const UsualTries = 5

// Run lists seqs by one rule or by several rules, and calls each seq. Snapshot and Progress may be called from another
// goroutine at the same time.
//
// A seq that several rules list is called only once, and its result and its calls count for each of them. Results of
// rules therefore differ only because the rules list different seqs, and not by chance.
type Run struct {
	invoker *search.Invoker
	virtual bool            // the service runs in a virtual network
	called  map[string]call // key: seqKey

	mu       sync.Mutex // guards the fields below, and the results of the listings
	listings []*Listing
	results  []usecase.CalledSeq // in the order in which the seqs were called
	summary  model.Summary
	used     float64
	done     bool
	err      error
}

// call is the result of a seq, with the number of requests that it took.
type call struct {
	usecase.CalledSeq
	requests int
}

// Listing is a listing of seqs by one rule.
type Listing struct {
	table   *match.ValuesTable
	options distil.Options // Invoke is nil; steps sets it
	limited bool           // only the seqs that the spec alone gives are called

	tally     *tally
	more      bool // the spec alone gives more seqs than the limit
	reachable int
	reached   map[model.OpID]bool // the operations of the tests in completed
	completed []model.Test
	requests  int
	curve     []usecase.ListingPoint
	gaveUp    bool
	done      bool
}

// NewListing lists the seqs of a table that follow from the spec alone. A run then calls them. If the operation with is
// not "", only seqs that call this operation are listed. The error is that of ctx.
func NewListing(ctx context.Context, t *match.ValuesTable, o distil.Options, with model.OpID) (*Listing, error) {
	o.Invoke = nil
	var listed distil.Listing
	var err error
	if with == "" {
		listed, err = distil.ListSeqs(ctx, t, o)
	} else {
		listed, err = distil.ListSeqsWith(ctx, t, o, with, maxVisited)
	}
	if err != nil {
		return nil, err
	}
	l := &Listing{
		table: t, options: o, limited: with != "",
		tally: newTally(listed.Seqs), more: listed.GaveUp, reached: map[model.OpID]bool{},
	}
	all := map[model.OpID]bool{}
	for _, seq := range listed.Seqs {
		for _, op := range seq {
			all[op] = true
		}
	}
	l.reachable = len(all)
	return l, nil
}

// maxVisited is the maximum number of seqs that are visited to find those that call a given operation. A listing
// reaches this limit after about a second.
const maxVisited = 5_000_000

// Empty reports whether the spec gives no seqs.
func (l *Listing) Empty() bool { return l.tally.Listed == 0 }

// NewRun returns a run that calls the seqs of listings with v. A listing belongs to one run.
func NewRun(v *search.Invoker, listings ...*Listing) *Run {
	return &Run{invoker: v, called: map[string]call{}, listings: listings}
}

// UseVirtualNetwork records in the tests of the run that the service ran in a virtual network with these stubs. It must
// be called before List.
func (r *Run) UseVirtualNetwork(stubs []model.Stub) {
	r.virtual = true
	r.invoker.SetStubs(stubs)
}

// List lists the seqs of all listings while it calls them. The listing that has used the fewest requests calls the next
// seq, so that at any time all listings have used about the same number of requests. The error is the reason why the
// run ended early.
func (r *Run) List(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	steps := make([]func() (error, bool), len(r.listings))
	for i, l := range r.listings {
		next, stop := iter.Pull(r.steps(ctx, l))
		defer stop()
		steps[i] = next
	}
	var err error
	for err == nil {
		at := r.nextListing()
		if at < 0 {
			break
		}
		failed, more := steps[at]()
		err = failed
		if !more {
			r.finish(r.listings[at])
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done, r.err = true, err
	return err
}

// nextListing returns the index of the listing that calls the next seq, -1 if all listings are done.
func (r *Run) nextListing() int {
	at := -1
	for i, l := range r.listings {
		if !l.done && (at < 0 || l.requests < r.listings[at].requests) {
			at = i
		}
	}
	return at
}

func (r *Run) finish(l *Listing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l.done = true
}

// errEnded is the error that ends a listing when the consumer of its steps requests no further step.
var errEnded = errors.New("the listing has ended")

// steps returns an iterator over the calls of a listing. It yields nil after each call, and an error if the calls end
// early.
func (r *Run) steps(ctx context.Context, l *Listing) iter.Seq[error] {
	return func(yield func(error) bool) {
		o := l.options
		o.Invoke = func(ctx context.Context, seq model.Seq) (done, success bool, err error) {
			if l.limited && l.tally.listed.find(seq) == nil {
				return false, false, nil
			}
			c, err := r.invoke(ctx, seq)
			r.count(l, seq, c, err == nil)
			if err == nil && !yield(nil) {
				err = errEnded
			}
			return c.Completed, c.Succeeded, err
		}
		listed, err := distil.ListSeqs(ctx, l.table, o)
		r.mu.Lock()
		l.gaveUp = listed.GaveUp
		r.mu.Unlock()
		if err != nil && !errors.Is(err, errEnded) {
			yield(err)
		}
	}
}

// invoke calls a seq, or returns the result of the earlier call.
func (r *Run) invoke(ctx context.Context, seq model.Seq) (call, error) {
	key := seqKey(seq)
	if c, known := r.called[key]; known {
		return c, nil
	}
	a, err := r.invoker.Invoke(ctx, seq)
	c := call{CalledSeq: usecase.CalledSeq{Test: a.Test, Completed: a.Completed(), Succeeded: a.Succeeded()}}
	c.Test.Provenance.Virtual = r.virtual
	if !c.Succeeded {
		failed := a.Calls[a.FirstFailure()]
		c.Obstacle = usecase.Obstacle{Op: failed.Op, Status: failed.Status}
	}
	summary, used := r.invoker.Summary(), r.invoker.UsedShare()
	r.mu.Lock()
	defer r.mu.Unlock()
	c.requests = summary.Calls - r.summary.Calls
	r.summary, r.used = summary, used
	if err == nil {
		r.called[key] = c
		r.results = append(r.results, c.CalledSeq)
	}
	return c, err
}

func seqKey(seq model.Seq) string { return fmt.Sprintf("%q", seq) }

// count adds the result of a call to a listing. If tried is false, the seq did not get all its tries, and only its
// requests count.
func (r *Run) count(l *Listing, seq model.Seq, c call, tried bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l.requests += c.requests
	if !tried {
		return
	}
	l.tally.add(seq, c.CalledSeq)
	if !c.Completed {
		return
	}
	l.completed = append(l.completed, c.Test)
	for _, op := range seq {
		l.reached[op] = true
	}
	l.curve = append(l.curve, usecase.ListingPoint{Calls: l.requests, Practical: l.tally.Practical, Operations: len(l.reached)})
}

// Snapshot returns the current state.
func (r *Run) Snapshot() usecase.ListingSnapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := usecase.ListingSnapshot{
		Called: r.results, Summary: r.summary, Used: r.used, Done: r.done, Err: r.err, UsedUp: errors.Is(r.err, client.ErrBudget),
	}
	for _, l := range r.listings {
		s.Rules = append(s.Rules, l.state())
	}
	return s
}

// state returns the current state of the listing. Run.mu must be held.
func (l *Listing) state() usecase.RuleListing {
	rule := l.options.Rule
	if rule == "" {
		rule = distil.RuleDC
	}
	return usecase.RuleListing{
		Rule:       rule,
		SeqCounts:  l.tally.SeqCounts,
		More:       l.more,
		Reachable:  l.reachable,
		Operations: len(l.reached),
		Calls:      l.requests,
		Curve:      l.curve,
		Reasons:    l.tally.sortedReasons(),
		GaveUp:     l.gaveUp,
		Done:       l.done,
	}
}

// Progress returns the state in one line.
func (r *Run) Progress() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	completed := 0
	for _, c := range r.results {
		if c.Completed {
			completed++
		}
	}
	return fmt.Sprintf("%3.0f%%  %s, %s/s  %s, %s ran to the end", 100*r.used, words.Plural(r.summary.Calls, "call"),
		words.Count(int(r.summary.Rate)), words.Plural(len(r.results), "seq"), words.Count(completed))
}
