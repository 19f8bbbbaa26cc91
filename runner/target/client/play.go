package client

import (
	"context"
	"errors"
	"strings"

	"sonde/model"
)

// CallResult is the result of one call of a played test.
type CallResult struct {
	Exchange model.Exchange
	// Linked is true if every link into the call had a value.
	Linked bool
}

// PlayTest plays the calls of a test in order. It returns the test with the statuses of the answers
// and with the links that carried a value, closed; and a result for each call that was sent. It
// stops early when a call fails that others depend on (the EvoMaster paper, section 5.2.9), when
// there is no answer, when the test's limit of refusals is reached, and when the budget is used
// up; the remaining calls have no status and no result.
func (c *Client) PlayTest(ctx context.Context, spec *model.Spec, t model.Test) (model.Test, []CallResult) {
	w := c.acquireSender(ctx)
	defer w.close()
	n := len(t.Calls)
	p := play{way: w, spec: spec, links: t.Links, results: make([]CallResult, 0, n), sent: make([]model.Call, 0, n)}
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

type play struct {
	way     *sender
	spec    *model.Spec
	test    model.Test
	links   []model.Link
	results []CallResult
	sent    []model.Call // with the values of their links
	refused refusals
}

// call makes one call and reports whether the play continues.
func (p *play) call(i int) bool {
	op := p.spec.Operation(p.test.Calls[i].Op)
	if op == nil {
		return false
	}
	call, links, linked := p.fill(i)
	if p.way.beforeCall != nil {
		p.way.beforeCall(i)
	}
	x := p.way.make(call.User, bind(op, call))
	if errors.Is(x.Err, ErrBudget) {
		return false
	}
	if p.way.afterCall != nil {
		p.way.afterCall(i)
	}
	p.test.Links = append(p.test.Links, links...)
	p.results, p.sent = append(p.results, CallResult{x, linked}), append(p.sent, call)
	p.test.Calls[i].Status = x.Reply.Status
	return x.Err == nil && (x.Reply.Status/100 == 2 || !p.needed(i)) && !p.refused.enough(op.ID, x.Reply.Status)
}

// fill gives a call the values that earlier answers have for it, and returns the links that had
// one, closed. linked is true if all had one.
func (p *play) fill(i int) (call model.Call, links []model.Link, linked bool) {
	call, linked = p.test.Calls[i], true
	for _, l := range p.links {
		if l.To != i || l.From >= i {
			continue
		}
		filled, closed, ok := p.carry(l, call)
		if !ok {
			linked = false
			continue
		}
		call = filled
		links = append(links, closed)
	}
	return call, links, linked
}

func (p *play) carry(l model.Link, call model.Call) (model.Call, model.Link, bool) {
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

// needed reports whether later calls depend on what a call creates. An optional link does not
// count, and one that repeats a parameter of the call counts only if the call creates a resource
// under that name.
func (p *play) needed(i int) bool {
	method, _, _ := strings.Cut(string(p.test.Calls[i].Op), " ")
	for _, l := range p.links {
		if l.From == i && !l.Optional && (l.Param == "" || method == "PUT" || method == "POST") {
			return true
		}
	}
	return false
}

// refusals counts the refusals in a row of each operation of a test.
type refusals struct {
	most int // of one operation; 0 is no limit
	last map[model.OpID]refusal
}

type refusal struct{ status, times int }

// enough records an answer, and reports whether the operation has been refused too often.
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

// final reports whether a status refuses a call whatever its values are: the resource does not
// exist, the user may not call it, or it is in the wrong state.
func final(status int) bool {
	return status/100 == 5 || status/100 == 4 && status != 400 && status != 422
}
