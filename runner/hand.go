package runner

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/shrink"
)

// Hand sends what a person asks for to one copy of the service, which stays as the
// requests leave it. It is for one goroutine at a time. Close it when it is no longer
// needed. Seen may be called from any goroutine.
type Hand struct {
	*Invoker
	sent  []answer // since the service was in its first state, as far as that is known
	steps []answer // of the test that is played step by step

	mu    sync.Mutex
	hosts hosts
	now   model.Test // that is played
}

// answer is a call that was sent, and what came.
type answer struct {
	call  model.Call // with what links carried
	reply model.Reply
}

// Sent is what came of a test that was sent by hand.
type Sent struct {
	// Played has an exchange for each call that was answered, or not answered; the
	// test has the stubs that answered.
	model.Played
	// Faults are what is wrong with the answers.
	Faults []model.Fault
	// Hosts are those to which the service turned so far, in the order in which it did.
	Hosts []model.HostSeen
}

// NewHand is NewInvoker for a person, whose requests nothing limits.
func NewHand(ctx context.Context, p model.Plan, template func(model.Seq) model.Template, hosts ...string) (*Hand, error) {
	p.Limits, p.Probes, p.Workers = model.Limits{}, nil, 1
	v, err := NewInvoker(ctx, p, template, Attempts, hosts...)
	if err != nil {
		return nil, err
	}
	for _, c := range v.crew.callers {
		c.standing = nil // the service stays as the requests leave it
	}
	v.door.first = 0
	h := &Hand{Invoker: v}
	if p.Net != nil {
		h.hosts.always = p.Net.Stubs
	}
	return h, nil
}

// Resets reports whether somebody knows how to bring the service into its first state.
func (h *Hand) Resets() bool { return h.crew.resets }

// Send plays a test on the service as it is. The error says why there is nothing to
// tell: the context's, a *client.LoginError or an *Unreachable; what was seen of
// hosts is there all the same.
func (h *Hand) Send(ctx context.Context, t model.Test) (Sent, error) {
	h.mu.Lock()
	h.now = t
	h.mu.Unlock()
	return h.told(t, h.crew.goOn(ctx, t))
}

// Seen are the hosts to which the service turned so far, also in a test that is being
// played.
func (h *Hand) Seen() []model.HostSeen {
	h.mu.Lock()
	defer h.mu.Unlock()
	seen := h.hosts.clone()
	seen.see(h.now, h.crew.first().soFar())
	return seen.shown()
}

// told takes note of a test that was played.
func (h *Hand) told(t model.Test, p played) (Sent, error) {
	s := Sent{Hosts: h.met(t, p)}
	if p.restarts > 0 {
		h.sent = nil
	}
	if len(p.results) == 0 {
		return s, p.err
	}
	h.note(p)
	s.Faults = slices.DeleteFunc(h.crew.wrong(p), func(f model.Fault) bool { return !h.crew.book.judge.On(f.Oracle) })
	s.Test = p.test
	s.Test.Calls, s.Test.Stubs = p.test.Calls[:len(p.results)], inForce(t.Stubs, p.contacts)
	for _, r := range p.results {
		s.Exchanges = append(s.Exchanges, r.Exchange)
	}
	return s, p.err
}

// met takes note of the hosts of a test that was played.
func (h *Hand) met(t model.Test, p played) []model.HostSeen {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hosts.see(t, p.start)
	h.hosts.see(t, p.contacts)
	return h.hosts.shown()
}

// note keeps what was answered.
func (h *Hand) note(p played) {
	first := len(h.sent)
	for i, r := range p.results {
		call := p.test.Calls[i]
		for _, l := range p.test.Links {
			if l.To == i {
				from := h.sent[first+l.From]
				call, _ = client.Fill(h.crew.plan.Spec, l, from.call, from.reply, call)
			}
		}
		h.sent = append(h.sent, answer{call, r.Exchange.Reply})
	}
}

// inForce are the stubs of a test that answered something in it.
func inForce(stubs []model.Stub, contacts []model.Contact) (all []model.Stub) {
	for i, s := range stubs {
		if slices.ContainsFunc(contacts, func(c model.Contact) bool { return c.Stub == i }) {
			all = append(all, s)
		}
	}
	return all
}

// Realise is the Invoker's, the same each time.
func (h *Hand) Realise(ctx context.Context, t model.Template, stubs ...model.Stub) (model.Test, error) {
	h.sent, h.chance = nil, rand.New(rand.NewPCG(h.crew.plan.Seed, 0))
	return h.Invoker.Realise(ctx, t, stubs...)
}

// keepQuestions is how often it is tried to do with fewer of the requests before one.
const keepQuestions = 16

// Keep makes the last request a test of its own, with those before it that it needs:
// it is played from the service's first state, first with those whose answers it takes
// something from, and where it is answered otherwise then with others, too. Sent tells
// of the test as it was played in the end; it is played once more to see what holds.
func (h *Hand) Keep(ctx context.Context, stubs []model.Stub) (Sent, error) {
	k := keeper{Hand: h, ctx: ctx, all: h.whole(stubs)}
	last := len(k.all.Calls) - 1
	slim := needed(k.all, last)
	if !k.holds(slim[:len(slim)-1]) && len(slim) < len(k.all.Calls) && k.holds(numbers(last)) {
		shrink.Subset(&shrink.Limit{Left: keepQuestions}, last, k.holds)
	}
	if k.err == nil {
		k.err = h.steady(ctx, &k.found.Test)
	}
	return k.found, k.err
}

// keeper looks for the fewest requests before the last that it needs.
type keeper struct {
	*Hand
	ctx   context.Context
	all   model.Test
	found Sent // the best so far
	err   error
}

// holds reports whether the last request is answered as it was, behind some of the
// others.
func (k *keeper) holds(before []int) bool {
	if k.err != nil {
		return false
	}
	last := len(k.all.Calls) - 1
	s, err := k.again(k.ctx, only(k.all, append(slices.Clone(before), last)))
	n := len(before)
	ok := err == nil && len(s.Test.Calls) > n && s.Test.Calls[n].Status == k.all.Calls[last].Status
	k.err = err
	if ok || k.found.Test.Calls == nil {
		k.found = s
	}
	return ok
}

// Replay plays a test from the service's first state, twice, and returns it with the
// answers that came and what holds of them. It has all its stubs, asked or not.
func (h *Hand) Replay(ctx context.Context, t model.Test) (model.Test, error) {
	s, err := h.again(ctx, t)
	s.Test.Stubs = t.Stubs
	if err == nil {
		err = h.steady(ctx, &s.Test)
	}
	return s.Test, err
}

// steady plays a test once more, and keeps of what it asserts what holds.
func (h *Hand) steady(ctx context.Context, t *model.Test) error {
	own := *t
	own.Checks = nil
	h.sent = nil
	p := h.crew.play(ctx, own, math.MaxInt)
	_, err := h.told(own, p)
	if err == nil {
		t.Flaky = otherWay(*t, p.results)
		t.Checks, _ = steady(*t, h.crew.checks(p), nil)
	}
	return err
}

// whole is all that was sent, with what ties it together: a value comes from the first
// answer that has it.
func (h *Hand) whole(stubs []model.Stub) model.Test {
	t := model.Test{Origin: model.ByHand, Stubs: stubs}
	for i, s := range h.sent {
		t.Calls = append(t.Calls, s.call)
		for j := range i {
			t.Links = h.tie(t.Links, j, i)
		}
	}
	return t
}

// tie adds what a call took from an earlier one to links, unless it took that from
// another.
func (h *Hand) tie(links []model.Link, from, to int) []model.Link {
	a, b := h.sent[from], h.sent[to]
	if a.reply.Status/100 != 2 {
		return links
	}
	for _, l := range h.template(model.Seq{a.call.Op, b.call.Op}).Links {
		taken := slices.ContainsFunc(links, func(k model.Link) bool { return k.To == to && k.In == l.In && k.Name == l.Name })
		if closed, ok := client.Holds(h.crew.plan.Spec, l, a.call, a.reply, b.call); ok && !taken {
			closed.From, closed.To = from, to
			links = append(links, closed)
		}
	}
	return links
}

// again plays a test from the service's first state.
func (h *Hand) again(ctx context.Context, t model.Test) (Sent, error) {
	h.sent = nil
	p := h.crew.play(ctx, t, math.MaxInt)
	s, err := h.told(t, p)
	s.Test.Checks = h.crew.checks(p)
	return s, err
}
