package client

import (
	"context"
	"errors"
	"strings"
	"time"

	"sonde/model"
)

// CallResult is the result of one call of a played test.
type CallResult struct {
	Exchange model.Exchange
	// Linked is true if each link to the call had a value, and the call had an input for the value.
	Linked bool
}

// PlayTest plays the calls of a test in order, and returns a result for each call that was sent or blocked. The
// returned test has the statuses of the answers. It has only the links that were applied, each with the place of its
// value.
//
// PlayTest stops early in each of these cases:
//   - A call fails on which later calls depend (the EvoMaster paper, section 5.2.9). A status other than 2xx is a failure,
//     except for 3xx if the test continues after redirects.
//   - A call is blocked or gets no answer, or the context ends during the pause of the test.
//   - The test's limit of refusals (Patience) is reached.
//   - The budget is used up.
//   - An operation is not in the spec.
//
// The remaining calls are not sent and have no result.
func (c *Client) PlayTest(ctx context.Context, spec *model.Spec, t model.Test) (model.Test, []CallResult) {
	s := c.acquireSender(ctx)
	defer s.close()
	n := len(t.Calls)
	p := play{sender: s, spec: spec, links: t.Links, results: make([]CallResult, 0, n), sent: make([]model.Call, 0, n)}
	p.test = t
	p.test.Calls = append([]model.Call(nil), t.Calls...)
	p.test.Links, p.test.Patience = nil, 0
	p.refused = refusals{most: t.Patience}
	for i := range p.test.Calls {
		if !p.call(i) {
			break
		}
	}
	return p.test, p.results
}

// play is the state of PlayTest.
type play struct {
	sender  *sender
	spec    *model.Spec
	test    model.Test
	links   []model.Link
	results []CallResult
	sent    []model.Call // the calls so far, with the values of their links
	refused refusals
}

// call sends one call and reports whether to continue with the next.
func (p *play) call(i int) bool {
	op := p.spec.Operation(p.test.Calls[i].Op)
	if op == nil {
		return false
	}
	if !p.wait(i) {
		return false
	}
	call, links, linked := p.fillCall(i)
	call, login := p.sender.fillLogin(call)
	if p.sender.beforeCall != nil {
		p.sender.beforeCall(i)
	}
	p.sender.observed.begin(i, len(p.test.Calls))
	x := p.sender.sendUnlessBlocked(call.User, bind(op, call))
	if login != nil {
		x = maskIssued(x, login)
	}
	if errors.Is(x.Err, ErrBudget) {
		return false
	}
	if p.sender.afterCall != nil {
		p.sender.afterCall(i)
	}
	p.test.Links = append(p.test.Links, links...)
	p.results, p.sent = append(p.results, CallResult{x, linked}), append(p.sent, call)
	p.test.Calls[i].Status = x.Reply.Status
	return x.Err == nil && (p.succeeded(x.Reply.Status) || !p.needed(i)) && !p.refused.enough(op.ID, x.Reply.Status)
}

// wait waits before call i for the Pause of the test, if the test has one. It returns false if the context ends first.
func (p *play) wait(i int) bool {
	if !p.test.PausesBefore(i) {
		return true
	}
	timer := time.NewTimer(p.test.Pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-p.sender.parent.Done():
		return false
	}
}

// fillCall returns a call with the values of the links to it, and the links that were applied, each
// with the place of its value. linked is the value for CallResult.Linked.
func (p *play) fillCall(i int) (call model.Call, links []model.Link, linked bool) {
	call, linked = FillVariables(p.test.Calls[i], p.sender.variables), true
	for _, l := range p.links {
		if l.To != i || l.From >= i {
			continue
		}
		filled, closed, ok := p.applyLink(l, call)
		if !ok {
			linked = false
			continue
		}
		call = filled
		links = append(links, closed)
	}
	return call, links, linked
}

// applyLink returns a call with the value of a link. The returned link names the place from which
// the value was taken, even if l is an open link. applyLink returns false if the link has no value,
// or the call has no input for the value.
func (p *play) applyLink(l model.Link, call model.Call) (model.Call, model.Link, bool) {
	from := p.sent[l.From]
	closed, value, ok := linkSource{
		from:  p.spec.Operation(from.Op),
		call:  from,
		reply: p.results[l.From].Exchange.Reply,
		to:    p.spec.Operation(call.Op),
	}.resolve(l)
	if !ok {
		return call, l, false
	}
	call, ok = put(call, p.test.Calls[l.To], closed, value)
	return call, closed, ok
}

// succeeded reports whether a call with this status counts as a success, so that the calls that depend on it are
// sent.
func (p *play) succeeded(status int) bool {
	return status/100 == 2 || status/100 == 3 && p.test.AfterRedirect
}

// needed reports whether later calls depend on the success of a call, because a link that is not
// optional starts at the call. A link that repeats a parameter counts only if the call is a PUT or
// POST, which may create a resource with this parameter.
func (p *play) needed(i int) bool {
	method, _, _ := strings.Cut(string(p.test.Calls[i].Op), " ")
	for _, l := range p.links {
		if l.From == i && !l.Optional && (l.Param == "" || method == "PUT" || method == "POST") {
			return true
		}
	}
	return false
}

// refusals counts for each operation of a test how many of its last answers had the same status.
type refusals struct {
	most int // the number of refusals in a row of one operation that ends the test; 0 means no limit
	last map[model.OpID]refusal
}

// refusal is a status, and the number of answers in a row with this status.
type refusal struct{ status, times int }

// enough records an answer, and reports whether the last r.most answers of the operation had the same
// final status.
func (r *refusals) enough(op model.OpID, status int) bool {
	if r.most == 0 {
		return false
	}
	if r.last == nil {
		r.last = map[model.OpID]refusal{}
	}
	times := 1
	if last := r.last[op]; last.status == status {
		times = last.times + 1
	}
	r.last[op] = refusal{status, times}
	return times >= r.most && final(status)
}

// final reports whether a status means that the call would be refused with other values, too: because a
// resource does not exist or is in the wrong state, because the user has no permission, or because the
// service fails. A 400 or 422 is not final.
func final(status int) bool {
	return status/100 == 5 || status/100 == 4 && status != 400 && status != 422
}
