package export

import (
	"context"
	"reflect"
	"slices"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// values has the results of running picked items: values for distilled seqs, and tests that were played
// with the user's stubs. It runs the items one after the other.
type values struct {
	results map[string]runResult // key: ID of an item
	failed  map[string]error

	queue      []screen.SeqItem // the items to run; the first one is being run
	total      int              // length of the queue at the start
	ctx        context.Context  // the context of the items in the queue
	cancel     context.CancelFunc
	generation int // increases when the queue ends; results of older generations are dropped
}

// runResult is the result of running an item.
type runResult struct {
	test *model.Test
	item screen.SeqItem // a copy of the item at the time of the run
}

// itemRun is sent after an item was run.
type itemRun struct {
	generation int
	item       screen.SeqItem
	test       model.Test
	err        error
}

func newValues() values {
	return values{results: map[string]runResult{}, failed: map[string]error{}}
}

// clear stops the queue and drops all results.
func (v *values) clear() {
	v.stop()
	generation := v.generation
	*v = newValues()
	v.generation = generation
}

// test returns the test of an item, nil if no call of the test has a response. The stubs that the user added come
// before the stubs of the test.
func (v *values) test(i screen.SeqItem) *model.Test {
	t := v.found(i)
	if t == nil && i.Test != nil {
		own := *i.Test
		if len(i.Stubs) > 0 {
			own = own.Derived()
			own.Stubs = slices.Concat(i.Stubs, own.Stubs)
		}
		t = &own
	}
	if t == nil || !slices.ContainsFunc(t.Calls, func(c model.Call) bool { return c.Status != 0 }) {
		return nil
	}
	return t
}

// found returns the test from running an item. It returns nil if the item was not run, or has changed
// since.
func (v *values) found(i screen.SeqItem) *model.Test {
	r := v.results[i.ID]
	if r.test == nil || !slices.Equal(r.item.Seq, i.Seq) || !reflect.DeepEqual(r.item.Stubs, i.Stubs) ||
		!reflect.DeepEqual(r.item.Draft, i.Draft) || (r.item.Test == nil) != (i.Test == nil) {
		return nil
	}
	if i.Test != nil && !reflect.DeepEqual(r.item.Test.Calls, i.Test.Calls) {
		return nil // the test is from another search
	}
	return r.test
}

func (v *values) running() bool { return len(v.queue) > 0 }

// start runs items. It first stops the items that are running.
func (v *values) start(items []screen.SeqItem, e screen.Engine, around usecase.Surroundings) tea.Cmd {
	v.stop()
	v.queue, v.total = items, len(items)
	v.ctx, v.cancel = context.WithCancel(context.Background())
	return v.runFirst(e, around)
}

// stop cancels the running item and empties the queue.
func (v *values) stop() {
	if v.cancel != nil {
		v.cancel()
	}
	v.queue, v.ctx, v.cancel = nil, nil, nil
	v.generation++
}

// accept stores the result of the running item and runs the next one. current is false if the item was
// canceled.
func (v *values) accept(msg itemRun, e screen.Engine, around usecase.Surroundings) (cmd tea.Cmd, current bool) {
	if msg.generation != v.generation || !v.running() {
		return nil, false
	}
	delete(v.failed, msg.item.ID)
	if msg.err != nil {
		v.failed[msg.item.ID] = msg.err
	} else {
		v.results[msg.item.ID] = runResult{test: withID(msg.test, msg.item.ID), item: msg.item}
	}
	v.queue = v.queue[1:]
	if v.running() {
		return v.runFirst(e, around), true
	}
	v.stop()
	return nil, true
}

// runFirst runs the first item of the queue.
func (v *values) runFirst(e screen.Engine, around usecase.Surroundings) tea.Cmd {
	ctx, item, generation := v.ctx, v.queue[0], v.generation
	return func() tea.Msg {
		test, err := runItem(ctx, e, item, around)
		return itemRun{generation: generation, item: item, test: test, err: err}
	}
}

// runItem plays the test or the draft of an item, or finds values for its seq.
func runItem(ctx context.Context, e screen.Engine, i screen.SeqItem, around usecase.Surroundings) (model.Test, error) {
	around.Net = around.Net || len(i.Stubs) > 0
	around.Stubs = slices.Concat(i.Stubs, around.Stubs)
	switch {
	case i.Test != nil:
		around.Stubs = slices.Concat(i.Stubs, i.Test.Stubs)
		return e.Seqs.Replay(ctx, *i.Test, around)
	case i.Draft != nil:
		return e.Seqs.Replay(ctx, *i.Draft, around)
	}
	test, err := e.Seqs.Realise(ctx, i.Seq, around)
	test.Stubs = prependStubs(i.Stubs, test.Stubs)
	return test, err
}

// prependStubs puts the user's stubs before those of a test, without duplicates.
func prependStubs(user, own []model.Stub) []model.Stub {
	rest := slices.DeleteFunc(slices.Clone(own), func(s model.Stub) bool {
		return slices.ContainsFunc(user, func(u model.Stub) bool { return reflect.DeepEqual(u, s) })
	})
	return slices.Concat(user, rest)
}

// withID returns a test with the given ID, unless it already has one.
func withID(t model.Test, id string) *model.Test {
	if t.ID == "" {
		t.ID = id
	}
	return &t
}
