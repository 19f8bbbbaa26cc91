package search

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"sonde/model"
	"sonde/runner/search/shrink"
	"sonde/runner/target/client"
)

// ManualSession sends requests by hand to one copy of the service, without a reset between them. Methods that reset
// the service say so. A session must be used by one goroutine at a time, but any goroutine may call SeenHosts.
// Callers must close the session.
type ManualSession struct {
	invoker *Invoker
	bed     *testbed
	sent    []sentCall // calls since the last reset or restart
	steps   []sentCall // calls sent by SendStep for the current test
	seen    seenValues

	mu    sync.Mutex // guards hosts
	hosts hostRegistry
}

// sentCall is a call that was sent, and its answer.
type sentCall struct {
	call  model.Call // the call with the values that links supplied
	reply model.Reply
}

// ManualResult is the result of a test that was sent by hand.
type ManualResult struct {
	// PlayedTest has an exchange for each call that was sent. Its test has the stubs that answered.
	model.PlayedTest
	// Faults are the faults that the oracles found in the answers.
	Faults []model.Fault
	// Hosts are the hosts that the service has contacted so far, in the order of the first contacts.
	Hosts []model.HostSummary
	// Stream is the stream that the last call opened, nil for none. The caller must close it.
	Stream client.Stream
}

// NewManualSession checks the plan, and starts the service or checks that it answers, as NewInvoker does. The limits of
// the plan do not apply.
func NewManualSession(
	ctx context.Context,
	p model.Plan,
	template func(model.Seq) model.Template,
	hosts ...string,
) (*ManualSession, error) {
	p.Limits, p.Workers = model.Limits{}, 1
	i, err := NewInvoker(ctx, p, template, DefaultTries, hosts...)
	if err != nil {
		return nil, err
	}
	for _, c := range i.bed.pool.workers {
		c.users = nil // a user monitor would send requests that change the service
	}
	i.bed.code.stop() // only the start of the service needed coverage
	i.access.first = 0
	s := &ManualSession{invoker: i, bed: i.bed}
	if p.Net != nil {
		s.hosts.runStubs = slices.Concat(p.Net.Stubs, i.bed.startup.Stubs)
	}
	i.observe = func(t model.Test, p played) { s.recordHosts(t, p) }
	return s, nil
}

// Close stops the service if the session started it, and closes idle connections.
func (s *ManualSession) Close() { s.invoker.Close() }

// StartupStubs returns the stubs with which the service started, apart from those of the user.
func (s *ManualSession) StartupStubs() []model.Stub { return s.bed.startup.Stubs }

// CanReset reports whether the service can be brought back to its first state.
func (s *ManualSession) CanReset() bool { return s.bed.pool.resets }

// SetVariables sets the values of ${NAME} in the calls of the tests that are played from now on. Tests in results keep
// ${NAME}.
func (s *ManualSession) SetVariables(v client.Variables) {
	for _, w := range s.bed.pool.workers {
		w.variables = v
	}
}

// Send plays a test on the service as it is. The error is the context's error, a *client.LoginError or an
// *UnreachableError. The result has its Hosts even with an error. If the last answer is a stream of server-sent events,
// the result has the stream.
func (s *ManualSession) Send(ctx context.Context, t model.Test) (ManualResult, error) {
	return s.sendObserved(ctx, t, false)
}

// OpenWebSocket is like Send, but the last call asks the service for a WebSocket. The result has it as its stream, unless
// the service refuses.
func (s *ManualSession) OpenWebSocket(ctx context.Context, t model.Test) (ManualResult, error) {
	return s.sendObserved(ctx, t, true)
}

func (s *ManualSession) sendObserved(ctx context.Context, t model.Test, webSocket bool) (ManualResult, error) {
	observed, o := client.Observe(ctx, webSocket)
	result, err := s.recordPlayed(t, s.bed.pool.playOn(observed, t))
	result.Stream = o.Stream()
	if result.Stream != nil && len(result.Exchanges) == 0 {
		result.Stream.Close()
		result.Stream = nil
	}
	return result, err
}

// SeenHosts returns the hosts that the service has contacted so far, also during the test that is being played.
func (s *ManualSession) SeenHosts() []model.HostSummary {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.hosts.clone()
	seen.observe(s.bed.pool.first().contactsSoFar())
	return seen.snapshot()
}

// recordPlayed notes the calls and the contacts of a test that was played, and returns the result.
func (s *ManualSession) recordPlayed(t model.Test, p played) (ManualResult, error) {
	result := ManualResult{Hosts: s.recordHosts(t, p)}
	if p.restarts > 0 {
		s.forgetSent()
	}
	if len(p.results) == 0 {
		return result, p.err
	}
	s.recordAnswers(p)
	disabled := func(f model.Fault) bool { return !s.bed.judge.faults.enabled(f.Oracle) }
	result.Faults = slices.DeleteFunc(s.bed.judge.faultsOf(p), disabled)
	result.Test = p.test
	result.Test.Calls, result.Test.Stubs = p.test.Calls[:len(p.results)], usedStubs(t.Stubs, p.contacts)
	for _, r := range p.results {
		result.Exchanges = append(result.Exchanges, r.Exchange)
	}
	return result, p.err
}

// recordHosts notes the contacts of a test that was played, and returns all hosts so far.
func (s *ManualSession) recordHosts(t model.Test, p played) []model.HostSummary {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hosts.observe(model.Test{}, p.startContacts) // only stubs of the whole run answer before the first test
	s.hosts.observe(t, p.contacts)
	return s.hosts.snapshot()
}

// recordAnswers keeps calls and answers for later links.
func (s *ManualSession) recordAnswers(p played) {
	first := len(s.sent)
	for i, r := range p.results {
		call := p.test.Calls[i]
		for _, l := range p.test.Links {
			if l.To == i {
				from := s.sent[first+l.From]
				call, _ = client.ApplyLink(s.bed.plan.Spec, l, from.call, from.reply, call)
			}
		}
		s.sent = append(s.sent, sentCall{call, r.Exchange.Reply})
	}
}

// FillTemplate is like Invoker.FillTemplate, but tries the same random values each time it is called.
func (s *ManualSession) FillTemplate(ctx context.Context, t model.Template, stubs ...model.Stub) (model.Test, error) {
	s.forgetSent()
	s.invoker.chance = rand.New(rand.NewPCG(s.bed.plan.Seed, 0))
	return s.invoker.FillTemplate(ctx, t, stubs...)
}

// maxKeepTries bounds the attempts of KeepLast to leave out requests.
const maxKeepTries = 16

// SentOperations returns the operations of the calls since the last reset or restart, of which KeepLast repeats some.
func (s *ManualSession) SentOperations() (ops []model.OpID) {
	for _, sent := range s.sent {
		if !slices.Contains(ops, sent.call.Op) {
			ops = append(ops, sent.call.Op)
		}
	}
	return ops
}

// KeepLast makes a test of the last request, with the earlier requests that it needs. It plays candidate tests on the
// service in its first state, and looks for one in which the last request gets the same status as before. The first
// candidate has only those earlier requests whose values the last request uses. If that fails, KeepLast tries all
// earlier requests, and then leaves out more and more of them. Finally it plays the chosen test again to find the
// checks that hold, and returns the result.
func (s *ManualSession) KeepLast(ctx context.Context, stubs []model.Stub) (ManualResult, error) {
	k := isolation{session: s, ctx: ctx, allSent: s.allSent(stubs)}
	last := len(k.allSent.Calls) - 1
	slim := neededCalls(k.allSent, last)
	if !k.holds(slim[:len(slim)-1]) && len(slim) < len(k.allSent.Calls) && k.holds(indexes(last)) {
		shrink.Subset(&shrink.Limit{Remaining: maxKeepTries}, last, k.holds)
	}
	if k.err == nil {
		k.err = s.replayChecks(ctx, &k.best.Test)
	}
	return k.best, k.err
}

// isolation looks for the fewest earlier requests that the last request needs.
type isolation struct {
	session *ManualSession
	ctx     context.Context
	allSent model.Test
	best    ManualResult // the result of the best candidate so far
	err     error
}

// holds reports whether the last request gets the same status as before if only some earlier requests precede it.
// before has the indexes of these requests.
func (i *isolation) holds(before []int) bool {
	if i.err != nil {
		return false
	}
	last := len(i.allSent.Calls) - 1
	s, err := i.session.playFresh(i.ctx, withCalls(i.allSent, append(slices.Clone(before), last)))
	n := len(before)
	ok := err == nil && len(s.Test.Calls) > n && s.Test.Calls[n].Status == i.allSent.Calls[last].Status
	i.err = err
	if ok || i.best.Test.Calls == nil {
		i.best = s
	}
	return ok
}

// Replay plays a test twice, each time on the service in its first state, and returns the test with the new
// statuses and the checks that hold. The test has all of its stubs, whether they were used or not.
func (s *ManualSession) Replay(ctx context.Context, t model.Test) (model.Test, error) {
	result, err := s.playFresh(ctx, t)
	result.Test.Stubs = t.Stubs
	if err == nil {
		err = s.replayChecks(ctx, &result.Test)
	}
	return result.Test, err
}

// replayChecks plays a test once more and keeps only the checks that hold again. If a status differs, it notes the
// first such status in Flaky.
func (s *ManualSession) replayChecks(ctx context.Context, t *model.Test) error {
	own := *t
	own.Checks = nil
	s.forgetSent()
	p := s.bed.pool.play(ctx, own, math.MaxInt)
	_, err := s.recordPlayed(own, p)
	if err == nil {
		t.Flaky = divergence(*t, p.results)
		t.Checks, _ = stableChecks(*t, s.bed.judge.checks(p), nil)
	}
	return err
}

// allSent returns all sent requests as one test, with links. A value is linked to the first answer that contains it.
func (s *ManualSession) allSent(stubs []model.Stub) model.Test {
	t := model.Test{Origin: model.OriginManual, Stubs: stubs}
	for i, sent := range s.sent {
		t.Calls = append(t.Calls, sent.call)
		for j := range i {
			t.Links = s.addLinks(t.Links, j, i)
		}
	}
	return t
}

// addLinks adds a link for each value that call j takes from call i, except for inputs that are linked already.
func (s *ManualSession) addLinks(links []model.Link, i, j int) []model.Link {
	a, b := s.sent[i], s.sent[j]
	if a.reply.Status/100 != 2 {
		return links
	}
	for _, l := range s.invoker.template(model.Seq{a.call.Op, b.call.Op}).Links {
		taken := slices.ContainsFunc(links, func(k model.Link) bool { return k.To == j && k.In == l.In && k.Name == l.Name })
		if closed, ok := client.LinkHolds(s.bed.plan.Spec, l, a.call, a.reply, b.call); ok && !taken {
			closed.From, closed.To = i, j
			links = append(links, closed)
		}
	}
	return links
}

// playFresh plays a test on the service in its first state, and returns the result with the checks of its test.
func (s *ManualSession) playFresh(ctx context.Context, t model.Test) (ManualResult, error) {
	s.forgetSent()
	p := s.bed.pool.play(ctx, t, math.MaxInt)
	result, err := s.recordPlayed(t, p)
	result.Test.Checks = s.bed.judge.checks(p)
	return result, err
}

// ErrStepOrder is the error of SendStep for a call that does not follow the previous step.
var ErrStepOrder = errors.New("the service was called or restarted in between: begin with the first call again")

// SendStep plays one call of a test; at is the index of the call. It plays the first call on the service in its first
// state, and each later call on the service as the previous step left it. Links take values from the answers of the
// earlier steps. Stubs start anew with each step. The Test of the result has only this call, as it was sent. The
// errors are those of Send, a *sut.ResetError and ErrStepOrder.
func (s *ManualSession) SendStep(ctx context.Context, t model.Test, at int) (ManualResult, error) {
	if at == 0 {
		s.steps = nil
	}
	if at != len(s.steps) || at >= len(t.Calls) {
		return ManualResult{}, ErrStepOrder
	}
	one := s.oneCall(t, at)
	var p played
	if at == 0 {
		s.forgetSent()
		p = s.bed.pool.play(ctx, one, math.MaxInt)
	} else {
		p = s.bed.pool.playOn(ctx, one)
	}
	result, err := s.recordPlayed(one, p)
	if len(p.results) > 0 {
		s.steps = append(s.steps, sentCall{one.Calls[0], p.results[0].Exchange.Reply})
	}
	return result, err
}

// oneCall returns a test of one call, with the values that links supply.
func (s *ManualSession) oneCall(t model.Test, at int) model.Test {
	call := t.Calls[at]
	for _, l := range t.Links {
		if l.To == at && l.From < at {
			call, _ = client.ApplyLink(s.bed.plan.Spec, l, s.steps[l.From].call, s.steps[l.From].reply, call)
		}
	}
	one := model.Test{ID: t.ID, Origin: t.Origin, Calls: []model.Call{call}, Stubs: t.Stubs}
	if at == 0 {
		one.Rows = t.Rows // they stay for the later steps
	}
	return one
}

// fillLink sets the input of call into which the link l leads. from is the operation that supplies the value.
// fillLink takes the value from the newest successful request of this operation that has one. It returns false if no
// such request was sent, or if s is nil.
func (s *ManualSession) fillLink(l model.Link, from model.OpID, call model.Call) (model.Call, bool) {
	if s == nil {
		return call, false
	}
	for _, sent := range slices.Backward(s.sent) {
		if sent.call.Op == from && sent.reply.Status/100 == 2 {
			if filled, ok := client.ApplyLink(s.bed.plan.Spec, l, sent.call, sent.reply, call); ok {
				return filled, true
			}
		}
	}
	return call, false
}
