package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/runner"
	"sonde/runner/client"
	"sonde/ui/tui/screen"
)

// desk is the service as a person calls it from the app: it stays up from one
// request to the next.
type desk struct {
	*runner.Hand // nil while it rests
	net          *model.Net
	service      service
	spec         *model.Spec
	end          func() // of what was built for it
}

// serves reports whether the service is up for a spec, on a virtual network or not.
func (h *desk) serves(spec *model.Spec, net bool) bool {
	return h != nil && h.Hand != nil && h.spec == spec && (h.net != nil) == net
}

// rest ends what was started. How the service was surrounded stays known.
func (h *desk) rest() {
	if h == nil || h.Hand == nil {
		return
	}
	h.Close()
	h.end()
	h.Hand = nil
}

// draft returns a request to begin with.
func (w *wiring) draft(op model.OpID, tests []model.Test) (screen.Draft, error) {
	var sent *runner.Hand
	if w.calling.TryLock() { // else somebody calls, or builds, which may take its time
		defer w.calling.Unlock()
		if w.hand != nil {
			sent = w.hand.Hand
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spec == nil || w.spec.Operation(op) == nil {
		return screen.Draft{}, errGone
	}
	d := screen.Draft{Users: names(w.service.users)}
	if w.drafts == nil {
		w.drafts = runner.NewDrafts(model.Plan{Spec: w.spec, Templates: depend.Templates(w.spec), Users: w.service.users})
	}
	d.Test, d.Ready = w.drafts.Draft(op, tests, sent)
	return d, nil
}

// users are those who may call the service.
func (w *wiring) users() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return names(w.service.users)
}

func names(users []model.User) (all []string) {
	for _, u := range users {
		all = append(all, u.Name)
	}
	return all
}

// prepare returns a test of a seq that was not sent yet.
func (w *wiring) prepare(seq model.Seq) (model.Test, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spec == nil || slices.ContainsFunc(seq, func(op model.OpID) bool { return w.spec.Operation(op) == nil }) {
		return model.Test{}, errGone
	}
	if w.connect == nil {
		w.bare, w.connect = runner.NewDrafts(model.Plan{Spec: w.spec, Users: w.service.users}), depend.Connector(w.spec)
	}
	return w.bare.Whole(w.connect(seq)), nil
}

// errGone is the error of what a document that was read again does not have any more.
var errGone = errors.New("there is no such operation any more")

// requests are those of a test.
func (w *wiring) requests(t model.Test) []model.Request { return client.Preview(w.document(), t) }

// called lets somebody call the service by hand, in its surroundings.
func (w *wiring) called(ctx context.Context, net bool, call func(context.Context, *desk) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.leaving, cancel)()
	w.calling.Lock()
	defer w.calling.Unlock()
	if err := cmp.Or(w.leaving.Err(), ctx.Err()); err != nil {
		return err
	}
	if w.run != nil && w.run.Snapshot().Phase != model.Done {
		return errBusy
	}
	if !w.hand.serves(w.document(), net) {
		if err := w.raise(ctx, net); err != nil {
			return err
		}
	}
	w.sent.Store(w.hand.Hand)
	return call(ctx, w.hand)
}

// turnedTo are the hosts to which the service turned when it was called by hand.
func (w *wiring) turnedTo() []model.HostSeen {
	if h := w.sent.Load(); h != nil {
		return h.Seen()
	}
	return nil
}

// document is the spec that is open.
func (w *wiring) document() *model.Spec {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.spec
}

// raise starts the service, or finds it, for somebody to call it by hand.
func (w *wiring) raise(ctx context.Context, net bool) error {
	set, spec, err := w.settings(screen.Settings{Seed: 1, Net: net})
	if err != nil {
		return err
	}
	w.hand.rest()
	plan, end := set.plan(spec), func() {}
	if net {
		_, end, err = set.see(ctx, &plan)
		if err != nil {
			return err
		}
	}
	h, err := runner.NewHand(ctx, plan, depend.Connector(spec), set.hosts...)
	if err != nil {
		end()
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hand = &desk{Hand: h, net: plan.Net, service: set.service, spec: spec, end: end}
	return nil
}

func (w *wiring) send(ctx context.Context, t model.Test, o screen.Outside) (sent screen.Sent, err error) {
	err = w.called(ctx, o.Net, func(ctx context.Context, h *desk) error {
		t.Stubs = o.Stubs
		s, err := h.Send(ctx, t)
		sent = shown(s, h.net != nil)
		return err
	})
	return sent, err
}

func (w *wiring) keep(ctx context.Context, o screen.Outside) (sent screen.Sent, err error) {
	err = w.called(ctx, o.Net, func(ctx context.Context, h *desk) error {
		s, err := h.Keep(ctx, o.Stubs)
		sent = shown(s, h.net != nil)
		return err
	})
	return sent, err
}

func (w *wiring) replay(ctx context.Context, t model.Test, o screen.Outside) (test model.Test, err error) {
	err = w.called(ctx, o.Net, func(ctx context.Context, h *desk) error {
		again := t
		again.Stubs = o.Stubs
		test, err = h.Replay(ctx, again)
		test = entire(test, t)
		test.ID, test.Origin, test.Covers, test.Code, test.Birth = t.ID, t.Origin, t.Covers, t.Code, t.Birth
		return err
	})
	return test, err
}

func (w *wiring) step(ctx context.Context, t model.Test, at int, o screen.Outside) (sent screen.Sent, err error) {
	err = w.called(ctx, o.Net, func(ctx context.Context, h *desk) error {
		t.Stubs = o.Stubs
		s, err := h.Step(ctx, t, at)
		sent = shown(s, h.net != nil)
		return err
	})
	return sent, err
}

// entire is a test that was played as far as it went, with the rest of the one that was
// to be played.
func entire(played, whole model.Test) model.Test {
	n := len(played.Calls)
	played.Calls = slices.Concat(played.Calls, whole.Calls[n:])
	for _, l := range whole.Links {
		if l.To >= n && !slices.Contains(played.Links, l) {
			played.Links = append(played.Links, l)
		}
	}
	return played
}

func shown(s runner.Sent, net bool) screen.Sent {
	return screen.Sent{Played: s.Played, Faults: s.Faults, Net: net, Hosts: s.Hosts}
}

// realise gives a seq its values. A service that nobody resets is started anew for
// that, if it is Sonde that starts it.
func (w *wiring) realise(ctx context.Context, seq model.Seq, o screen.Outside) (test model.Test, err error) {
	err = w.called(ctx, o.Net, func(ctx context.Context, h *desk) error {
		if !h.Resets() {
			defer h.rest()
		}
		test, err = h.Realise(ctx, depend.Connector(h.spec)(seq), o.Stubs...)
		return err
	})
	return test, err
}
