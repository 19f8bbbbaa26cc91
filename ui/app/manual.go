package app

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"sonde/analysis"
	"sonde/model"
	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/ui/app/requestlog"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"
)

// manualCaller sends requests by hand and plays tests. The service keeps running between them.
type manualCaller struct {
	session *session
	calling *sync.Mutex // held while the service is called
	leaving context.Context
	busy    func() error // the reason why the service cannot be called now, nil if it can be
	drafts  draftCache
	log     *requestlog.Log

	variables *variableSet

	up   *manualService // guarded by calling; nil before the first call
	sent atomic.Pointer[search.ManualSession]
	// virtual is the service that was last started in a virtual network, nil if there was none.
	virtual atomic.Pointer[networkedService]
}

// networkedService is a service and the virtual network around it, nil for the real network.
type networkedService struct {
	service service.Service
	net     *model.VirtualNetwork
}

// manualService is a running service for manual calls.
type manualService struct {
	*search.ManualSession // nil after rest
	networkedService
	inserts bool                           // the service can insert the rows of tests
	version int                            // version of the session's state for which the service was started
	connect func(model.Seq) model.Template // links the calls of a seq
	end     func()                         // removes the build
}

// needs says which features of the service a call needs.
type needs struct {
	net  bool // a virtual network
	rows bool // a service that inserts the rows of the test, if Sonde builds the service
}

// serves reports whether the service is running, was started for this version of the session's state, has a virtual
// network exactly if the call needs one, and inserts rows if the call needs it.
func (h *manualService) serves(version int, n needs) bool {
	return h != nil && h.ManualSession != nil && h.version == version && (h.net != nil) == n.net && (h.inserts || !n.rows)
}

// errGone is the error for an operation that the current spec does not have.
var errGone = errors.New("there is no such operation any more")

// errSwitched is the error for a call that waited while the user switched to another environment.
var errSwitched = errors.New("nothing was sent, because another environment was chosen meanwhile: do it again if it is for this one")

// draft returns a request of an operation, as a draft for the user.
func (m *manualCaller) draft(op model.OpID, tests []model.Test) (usecase.RequestDraft, error) {
	sent, done := m.idleSession()
	defer done()
	now := m.session.state()
	if now.spec == nil || now.spec.Operation(op) == nil {
		return usecase.RequestDraft{}, errGone
	}
	d := m.drafts.request(now, op, tests, sent)
	d.Users = userNames(now.service.Users)
	d.Test.Provenance = model.Provenance{}
	return d, nil
}

// idleSession returns the session of manual calls and keeps it idle until done is called. The session is nil if there
// is none, or if a call or a build is in progress, which may take long.
func (m *manualCaller) idleSession() (sent *search.ManualSession, done func()) {
	if !m.calling.TryLock() {
		return nil, func() {}
	}
	if m.up != nil {
		sent = m.up.ManualSession
	}
	return sent, m.calling.Unlock
}

// seenValues returns the values in responses to earlier manual requests that inputs of an operation may take.
func (m *manualCaller) seenValues(op model.OpID) []model.SeenValues {
	sent, done := m.idleSession()
	defer done()
	if sent == nil {
		return nil
	}
	return sent.SeenValues(op)
}

// sentOperations returns the operations of the requests that keep may repeat. It does not wait for a call in progress.
func (m *manualCaller) sentOperations() (ops []model.OpID, ok bool) {
	if !m.calling.TryLock() {
		return nil, false
	}
	defer m.calling.Unlock()
	if m.up != nil && m.up.ManualSession != nil {
		ops = m.up.SentOperations()
	}
	return ops, true
}

// prepare returns a test of a seq with valid values, and with links for the values that come from
// responses. It sends no requests.
func (m *manualCaller) prepare(seq model.Seq) (model.Test, error) {
	now := m.session.state()
	if now.spec == nil || slices.ContainsFunc(seq, func(op model.OpID) bool { return now.spec.Operation(op) == nil }) {
		return model.Test{}, errGone
	}
	return m.drafts.template(now, now.analysis.SeqConnector()(seq)), nil
}

// draftTemplate returns a test of a template with valid values. It sends no requests.
func (m *manualCaller) draftTemplate(t model.Template) (model.Test, error) {
	now := m.session.state()
	gone := func(s model.TemplateStep) bool { return now.spec.Operation(s.Op) == nil }
	if now.spec == nil || slices.ContainsFunc(t.Steps, gone) {
		return model.Test{}, errGone
	}
	return m.drafts.template(now, t), nil
}

// requests returns the requests of a test as they would be sent.
func (m *manualCaller) requests(t model.Test) []model.Request {
	return client.Preview(m.session.state().spec, t)
}

// calledHosts returns the hosts that the service contacted during manual calls.
func (m *manualCaller) calledHosts() []model.HostSummary {
	if h := m.sent.Load(); h != nil {
		return h.SeenHosts()
	}
	return nil
}

// send plays a test in the current state of the service.
func (m *manualCaller) send(ctx context.Context, t model.Test, o usecase.Surroundings) (sent usecase.SendResult, err error) {
	return m.sendBy(ctx, (*search.ManualSession).Send, t, o)
}

// sendBy plays a test by a method of the session.
func (m *manualCaller) sendBy(
	ctx context.Context,
	send func(*search.ManualSession, context.Context, model.Test) (search.ManualResult, error),
	t model.Test,
	o usecase.Surroundings,
) (sent usecase.SendResult, err error) {
	err = m.call(ctx, needs{o.Net, len(t.Rows) > 0}, func(ctx context.Context, h *manualService) error {
		if err := m.fill(h, t); err != nil {
			return err
		}
		t.Stubs = o.Stubs
		s, err := send(h.ManualSession, ctx, t)
		sent = h.result(s)
		if s.Stream != nil {
			sent.Stream = follow(m.leaving, s.Stream)
		}
		return err
	})
	if r, ok := requestlog.Request(t, sent.Exchanges); ok {
		m.log.Add(r)
	}
	return sent, err
}

// openWebSocket plays a test whose last call asks for a WebSocket.
func (m *manualCaller) openWebSocket(ctx context.Context, t model.Test, o usecase.Surroundings) (sent usecase.SendResult, err error) {
	return m.sendBy(ctx, (*search.ManualSession).OpenWebSocket, t, o)
}

// fill sets the variables of a test for its calls. They stay for keep, which plays the calls again.
func (m *manualCaller) fill(h *manualService, t model.Test) error {
	values, err := m.variables.valuesFor(t)
	if err == nil {
		h.SetVariables(values)
	}
	return err
}

// keep makes a test from the last request.
func (m *manualCaller) keep(ctx context.Context, o usecase.Surroundings) (sent usecase.SendResult, err error) {
	err = m.call(ctx, needs{net: o.Net}, func(ctx context.Context, h *manualService) error {
		s, err := h.KeepLast(ctx, o.Stubs)
		sent = h.result(s)
		return err
	})
	return sent, err
}

// step plays one call of a test.
func (m *manualCaller) step(ctx context.Context, t model.Test, at int, o usecase.Surroundings) (sent usecase.SendResult, err error) {
	err = m.call(ctx, needs{o.Net, len(t.Rows) > 0}, func(ctx context.Context, h *manualService) error {
		if err := m.fill(h, t); err != nil {
			return err
		}
		t.Stubs = o.Stubs
		s, err := h.SendStep(ctx, t, at)
		sent = h.result(s)
		return err
	})
	return sent, err
}

// replay plays a test from the initial state of the service.
func (m *manualCaller) replay(ctx context.Context, t model.Test, o usecase.Surroundings) (test model.Test, err error) {
	err = m.call(ctx, needs{o.Net, len(t.Rows) > 0}, func(ctx context.Context, h *manualService) error {
		if err := m.fill(h, t); err != nil {
			return err
		}
		again := t
		again.Stubs = o.Stubs
		played, err := h.Replay(ctx, again)
		test = replayed(played, t, h.net != nil)
		return err
	})
	return test, err
}

// replayed returns a test after a replay. before is the whole test, and played has the calls that the replay reached,
// with their new answers. The result has the identity of before and all its calls. If a call or a stub has changed,
// the result is a derived test.
func replayed(played, before model.Test, virtual bool) model.Test {
	t := withUnplayed(played, before)
	t.ID, t.Origin, t.Covers, t.Code, t.Lineage = before.ID, before.Origin, before.Covers, before.Code, before.Lineage
	t.Provenance = before.Provenance
	if !reflect.DeepEqual(t.Calls, before.Calls) || !reflect.DeepEqual(t.Stubs, before.Stubs) {
		t = t.Derived()
	}
	if t.Provenance.Run == "" {
		t.Provenance.Virtual = virtual
	}
	return t
}

// withUnplayed adds to a played test the calls and links of the whole test that were not reached.
func withUnplayed(played, whole model.Test) model.Test {
	n := len(played.Calls)
	played.Calls = slices.Concat(played.Calls, whole.Calls[n:])
	for _, l := range whole.Links {
		if l.To >= n && !slices.Contains(played.Links, l) {
			played.Links = append(played.Links, l)
		}
	}
	return played
}

// realise finds values for a seq. If Sonde starts the service but cannot reset it, realise stops the service
// afterwards, so that the next call gets a new one.
func (m *manualCaller) realise(ctx context.Context, seq model.Seq, o usecase.Surroundings) (test model.Test, err error) {
	err = m.call(ctx, needs{net: o.Net}, func(ctx context.Context, h *manualService) error {
		if !h.CanReset() {
			defer h.rest()
		}
		test, err = h.FillTemplate(ctx, h.connect(seq), o.Stubs...)
		test.Provenance.Virtual = h.net != nil
		return err
	})
	return test, err
}

// call calls a function that uses the service. It starts the service first if needed, in the way that n says. If the
// service is in use, call returns the error of busy.
func (m *manualCaller) call(ctx context.Context, n needs, call func(context.Context, *manualService) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(m.leaving, cancel)()
	asked := m.session.environment()
	m.calling.Lock()
	defer m.calling.Unlock()
	if err := cmp.Or(m.leaving.Err(), ctx.Err()); err != nil {
		return err
	}
	if asked != m.session.environment() {
		return errSwitched // the user agreed to call another service
	}
	if err := m.busy(); err != nil {
		return err
	}
	if !m.up.serves(m.session.state().version, n) {
		if err := m.start(ctx, n); err != nil {
			return err
		}
	}
	m.sent.Store(m.up.ManualSession)
	return call(ctx, m.up)
}

// start ends the current session of manual calls, if there is one, and begins a new one. The service is built with a
// virtual network, or such that it inserts rows, if n says so.
func (m *manualCaller) start(ctx context.Context, n needs) error {
	// The source guides the search for what the service needs to start.
	settings, now, err := m.session.settings(usecase.SearchSettings{Seed: 1, Net: n.net, WhiteBox: n.net})
	if err != nil {
		return err
	}
	m.rest()
	a := analysis.Analyze(now.spec, analysis.Options{})
	plan := settings.PlanForAnalysis(a)
	plan.InsertRows = n.rows && settings.Service.Builder != nil
	var end func()
	if n.net {
		_, end, err = settings.BuildService(ctx, &plan)
	} else {
		end, err = settings.BuildForRows(ctx, &plan)
	}
	if err != nil {
		return err
	}
	h, err := search.NewManualSession(ctx, plan, a.SeqConnector(), settings.AllowHosts...)
	if err != nil {
		end()
		return err
	}
	m.up = &manualService{
		ManualSession:    h,
		networkedService: networkedService{service: settings.Service, net: plan.Net.WithStartupStubs(h.StartupStubs())},
		inserts:          n.rows,
		version:          now.version,
		connect:          a.SeqConnector(),
		end:              end,
	}
	if plan.Net != nil {
		m.virtual.Store(&m.up.networkedService)
	}
	return nil
}

// rest stops the service if it is running. The next call starts it again. m.calling must be locked.
func (m *manualCaller) rest() { m.up.rest() }

func (h *manualService) rest() {
	if h == nil || h.ManualSession == nil {
		return
	}
	h.Close()
	h.end()
	h.ManualSession = nil
}

// result returns the result of a manual call for a screen.
func (h *manualService) result(s search.ManualResult) usecase.SendResult {
	s.Test.Provenance = model.Provenance{Virtual: h.net != nil}
	return usecase.SendResult{PlayedTest: s.PlayedTest, Faults: s.Faults, Net: h.net != nil, Hosts: s.Hosts}
}

// draftCache makes drafts for the current state of a session.
type draftCache struct {
	mu       sync.Mutex
	version  int            // version of the state for which the drafts were made
	requests *search.Drafts // drafts with templates; nil before the first request was drafted
	seqs     *search.Drafts // drafts without templates, which take long to compute; nil before the first seq
}

// request returns a request of an operation. Requests that were already sent may provide its values.
func (c *draftCache) request(now openSpec, op model.OpID, tests []model.Test, sent *search.ManualSession) usecase.RequestDraft {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.renew(now)
	if c.requests == nil {
		c.requests = search.NewDrafts(model.Plan{Spec: now.spec, Templates: now.analysis.Templates(), Users: now.service.Users})
	}
	t, ready := c.requests.Draft(op, tests, sent)
	return usecase.RequestDraft{Test: t, Ready: ready, Args: c.requests.Args(op), Bodies: c.requests.Bodies(op)}
}

// template returns a test that follows a template, with valid values.
func (c *draftCache) template(now openSpec, t model.Template) model.Test {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.renew(now)
	if c.seqs == nil {
		c.seqs = search.NewDrafts(model.Plan{Spec: now.spec, Users: now.service.Users})
	}
	return c.seqs.DraftTemplate(t)
}

// renew drops the drafts if the state has changed.
func (c *draftCache) renew(now openSpec) {
	if c.version != now.version {
		c.version, c.requests, c.seqs = now.version, nil, nil
	}
}
