package app

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"sonde/analysis"
	"sonde/model"
	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/ui/app/service"
	"sonde/ui/tui/screen"
)

// ManualSession is the service as a person calls it from the app: it stays up from one
// request to the next.
type ManualSession struct {
	*search.ManualSession // nil while it rests
	net                   *model.VirtualNetwork
	service               service.Service
	spec                  *model.Spec
	connect               func(model.Seq) model.Template // links the calls of a seq
	end                   func()                         // of what was built for it
}

// serves reports whether the service is up for a spec, on a virtual network or not.
func (h *ManualSession) serves(spec *model.Spec, net bool) bool {
	return h != nil && h.ManualSession != nil && h.spec == spec && (h.net != nil) == net
}

// rest ends what was started. How the service was surrounded stays known.
func (h *ManualSession) rest() {
	if h == nil || h.ManualSession == nil {
		return
	}
	h.Close()
	h.end()
	h.ManualSession = nil
}

// draft returns a request to begin with.
func (w *Workspace) draft(op model.OpID, tests []model.Test) (screen.RequestDraft, error) {
	var sent *search.ManualSession
	if w.calling.TryLock() { // else somebody calls, or builds, which may take its time
		defer w.calling.Unlock()
		if w.manual != nil {
			sent = w.manual.ManualSession
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spec == nil || w.spec.Operation(op) == nil {
		return screen.RequestDraft{}, errGone
	}
	d := screen.RequestDraft{Users: names(w.Service.Users)}
	if w.drafts == nil {
		w.drafts = search.NewDrafts(model.Plan{Spec: w.spec, Templates: w.analysis.Templates(), Users: w.Service.Users})
	}
	d.Test, d.Ready = w.drafts.Draft(op, tests, sent)
	return d, nil
}

// users are those who may call the service.
func (w *Workspace) users() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return names(w.Service.Users)
}

func names(users []model.User) (all []string) {
	for _, u := range users {
		all = append(all, u.Name)
	}
	return all
}

// prepare returns a test of a seq that was not sent yet.
func (w *Workspace) prepare(seq model.Seq) (model.Test, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spec == nil || slices.ContainsFunc(seq, func(op model.OpID) bool { return w.spec.Operation(op) == nil }) {
		return model.Test{}, errGone
	}
	if w.bare == nil {
		w.bare = search.NewDrafts(model.Plan{Spec: w.spec, Users: w.Service.Users})
	}
	return w.bare.DraftTemplate(w.analysis.Connector()(seq)), nil
}

// errGone is the error of what a document that was read again does not have any more.
var errGone = errors.New("there is no such operation any more")

// requests are those of a test.
func (w *Workspace) requests(t model.Test) []model.Request { return client.Preview(w.document(), t) }

// called lets somebody call the service by hand, in its surroundings.
func (w *Workspace) called(ctx context.Context, net bool, call func(context.Context, *ManualSession) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.leaving, cancel)()
	w.calling.Lock()
	defer w.calling.Unlock()
	if err := cmp.Or(w.leaving.Err(), ctx.Err()); err != nil {
		return err
	}
	if w.run != nil && w.run.Snapshot().Phase != model.PhaseDone {
		return errBusy
	}
	if !w.manual.serves(w.document(), net) {
		if err := w.raise(ctx, net); err != nil {
			return err
		}
	}
	w.sent.Store(w.manual.ManualSession)
	return call(ctx, w.manual)
}

// turnedTo are the hosts to which the service turned when it was called by hand.
func (w *Workspace) turnedTo() []model.HostSummary {
	if h := w.sent.Load(); h != nil {
		return h.SeenHosts()
	}
	return nil
}

// document is the spec that is open.
func (w *Workspace) document() *model.Spec {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.spec
}

// raise starts the service, or finds it, for somebody to call it by hand.
func (w *Workspace) raise(ctx context.Context, net bool) error {
	set, spec, err := w.settings(screen.SearchSettings{Seed: 1, Net: net})
	if err != nil {
		return err
	}
	w.manual.rest()
	a := analysis.Analyze(spec, analysis.Options{})
	plan, end := set.PlanOf(a), func() {}
	if net {
		_, end, err = set.Build(ctx, &plan)
		if err != nil {
			return err
		}
	}
	h, err := search.NewManualSession(ctx, plan, a.Connector(), set.AllowHosts...)
	if err != nil {
		end()
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.manual = &ManualSession{ManualSession: h, net: plan.Net, service: set.Service, spec: spec, connect: a.Connector(), end: end}
	return nil
}

func (w *Workspace) send(ctx context.Context, t model.Test, o screen.Surroundings) (sent screen.SendResult, err error) {
	err = w.called(ctx, o.Net, func(ctx context.Context, h *ManualSession) error {
		t.Stubs = o.Stubs
		s, err := h.Send(ctx, t)
		sent = shown(s, h.net != nil)
		return err
	})
	return sent, err
}

func (w *Workspace) keep(ctx context.Context, o screen.Surroundings) (sent screen.SendResult, err error) {
	err = w.called(ctx, o.Net, func(ctx context.Context, h *ManualSession) error {
		s, err := h.KeepLast(ctx, o.Stubs)
		sent = shown(s, h.net != nil)
		return err
	})
	return sent, err
}

func (w *Workspace) replay(ctx context.Context, t model.Test, o screen.Surroundings) (test model.Test, err error) {
	err = w.called(ctx, o.Net, func(ctx context.Context, h *ManualSession) error {
		again := t
		again.Stubs = o.Stubs
		test, err = h.Replay(ctx, again)
		test = entire(test, t)
		test.ID, test.Origin, test.Covers, test.Code, test.Lineage = t.ID, t.Origin, t.Covers, t.Code, t.Lineage
		return err
	})
	return test, err
}

func (w *Workspace) step(ctx context.Context, t model.Test, at int, o screen.Surroundings) (sent screen.SendResult, err error) {
	err = w.called(ctx, o.Net, func(ctx context.Context, h *ManualSession) error {
		t.Stubs = o.Stubs
		s, err := h.SendStep(ctx, t, at)
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

func shown(s search.ManualResult, net bool) screen.SendResult {
	return screen.SendResult{PlayedTest: s.PlayedTest, Faults: s.Faults, Net: net, Hosts: s.Hosts}
}

// realise gives a seq its values. A service that nobody resets is started anew for
// that, if it is Sonde that starts it.
func (w *Workspace) realise(ctx context.Context, seq model.Seq, o screen.Surroundings) (test model.Test, err error) {
	err = w.called(ctx, o.Net, func(ctx context.Context, h *ManualSession) error {
		if !h.CanReset() {
			defer h.rest()
		}
		test, err = h.FillTemplate(ctx, h.connect(seq), o.Stubs...)
		return err
	})
	return test, err
}
