package export

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// values are those that running distilled seqs gave, and tests that were played anew
// with what a person put at hosts, by their IDs.
type values struct {
	found  map[string]result
	failed map[string]error

	queue []screen.SeqItem // being run, the first one now
	total int              // when it began
	ctx   context.Context
	stop  context.CancelFunc
	gen   int // grows with each end; answers that come later are dropped
}

// result is what came of running an item.
type result struct {
	test *model.Test
	item screen.SeqItem // as it was
}

// realised is the answer for one item.
type realised struct {
	gen  int
	item screen.SeqItem
	test model.Test
	err  error
}

func newValues() values {
	return values{found: map[string]result{}, failed: map[string]error{}}
}

// forget begins anew, because another spec has other seqs.
func (v *values) forget() {
	v.halt()
	gen := v.gen
	*v = newValues()
	v.gen = gen
}

// of returns the item's test, or nil while it has none that got an answer. A test that
// was not played with what a person put at hosts has that before its own.
func (v *values) of(i screen.SeqItem) *model.Test {
	t := v.ran(i)
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

// ran returns what came of running an item, nil where it was not run as it is now.
func (v *values) ran(i screen.SeqItem) *model.Test {
	r := v.found[i.ID]
	if r.test == nil || !slices.Equal(r.item.Seq, i.Seq) || !reflect.DeepEqual(r.item.Stubs, i.Stubs) ||
		!reflect.DeepEqual(r.item.Draft, i.Draft) || (r.item.Test == nil) != (i.Test == nil) {
		return nil
	}
	if i.Test != nil && !reflect.DeepEqual(r.item.Test.Calls, i.Test.Calls) {
		return nil // one of another run
	}
	return r.test
}

func (v *values) running() bool { return len(v.queue) > 0 }

// halt stops what is being run.
func (v *values) halt() {
	if v.stop != nil {
		v.stop()
	}
	v.queue, v.ctx, v.stop = nil, nil, nil
	v.gen++
}

// missing are the picked seqs without values, and the tests that were not played with
// what a person put at hosts.
func (s *Screen) missing() []screen.SeqItem {
	var out []screen.SeqItem
	for _, i := range s.items {
		if (i.Test == nil || len(i.Stubs) > 0) && s.values.ran(i) == nil {
			out = append(out, i)
		}
	}
	return out
}

// untried reports whether a seq without values was not run yet: one that failed is
// not run again but by a key of its own.
func (s *Screen) untried() bool {
	return slices.ContainsFunc(s.missing(), func(i screen.SeqItem) bool { return s.values.failed[i.ID] == nil })
}

// canRun tells that there are seqs to run, and a service.
func (s *Screen) canRun() bool {
	return s.host.URL != "" && !s.values.running() && len(s.missing()) > 0
}

// searching tells that a search calls the service now, or is about to.
func (s *Screen) searching() bool {
	return s.starting || s.phase == model.PhaseRunning || s.phase == model.PhasePaused
}

// realise runs the seqs that have no values, or asks first where that calls a
// remote host.
func (s *Screen) realise() tea.Cmd {
	if len(s.missing()) == 0 {
		return nil // other picks came while the question was open
	}
	if s.searching() {
		return screen.ShowError(errors.New("stop the search first: finding values resets the service under it"))
	}
	if s.host.Remote && !s.allowed {
		text := fmt.Sprintf("Sonde will run %s on %s to find their values: it creates, changes and deletes.",
			words.Plural(len(s.missing()), "seq"), draw.Clean(s.host.URL))
		return s.question.Ask(widget.RemoteHostTitle, text, keySend, keyDont, s.allow)
	}
	v := &s.values
	v.halt()
	v.queue = s.missing()
	v.total = len(v.queue)
	v.ctx, v.stop = context.WithCancel(context.Background())
	return v.run(s.engine, s.around)
}

// allow calls the remote host, and tells the other screens that it may be.
func (s *Screen) allow() tea.Cmd {
	s.allowed = true
	return tea.Batch(s.realise(), s.engine.Queue.Send(widget.HostAllowed{URL: s.host.URL}))
}

// run runs the first item of the queue, in the service's surroundings.
func (v *values) run(e screen.Engine, around screen.Surroundings) tea.Cmd {
	ctx, item, gen := v.ctx, v.queue[0], v.gen
	around.Net = around.Net || len(item.Stubs) > 0
	around.Stubs = slices.Concat(item.Stubs, around.Stubs)
	return func() tea.Msg {
		if item.Test != nil {
			around.Stubs = slices.Concat(item.Stubs, item.Test.Stubs)
			test, err := e.Replay(ctx, *item.Test, around)
			return realised{gen: gen, item: item, test: test, err: err}
		}
		if item.Draft != nil {
			test, err := e.Replay(ctx, *item.Draft, around)
			return realised{gen: gen, item: item, test: test, err: err}
		}
		test, err := e.Realise(ctx, item.Seq, around)
		test.Stubs = with(item.Stubs, test.Stubs)
		return realised{gen: gen, item: item, test: test, err: err}
	}
}

// with are a test's stubs with those that a person put into it, also where nobody asked
// for them.
func with(put, own []model.Stub) []model.Stub {
	rest := slices.DeleteFunc(slices.Clone(own), func(s model.Stub) bool {
		return slices.ContainsFunc(put, func(p model.Stub) bool { return reflect.DeepEqual(p, s) })
	})
	return slices.Concat(put, rest)
}

// realised keeps the values of a seq, or why there are none, and runs the next.
func (s *Screen) realised(msg realised) tea.Cmd {
	v := &s.values
	if msg.gen != v.gen || !v.running() {
		return nil
	}
	delete(v.failed, msg.item.ID)
	if msg.err != nil {
		v.failed[msg.item.ID] = msg.err
	} else {
		v.found[msg.item.ID] = result{named(msg.test, msg.item.ID), msg.item}
		s.changed()
	}
	v.queue = v.queue[1:]
	if v.running() {
		return v.run(s.engine, s.around)
	}
	v.halt()
	if !s.after {
		return nil
	}
	s.after = false
	return s.write(s.folder, false)
}

// named gives a test the ID of its seq where it has none.
func named(t model.Test, id string) *model.Test {
	if t.ID == "" {
		t.ID = id
	}
	return &t
}
