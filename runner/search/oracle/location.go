package oracle

import (
	"fmt"
	"net/url"

	"sonde/model"
)

// examineDestination checks a GET of the URL in the Location of an earlier answer that reported a creation: the GET
// must find the resource. The earlier answer must be a 201, because only a 201 promises that the resource exists. The
// user of the GET must be the user who created the resource. There must be no other write in between, which may have
// removed the resource.
func (e *examination) examineDestination(i int) {
	status := e.exchanges[i].Reply.Status
	if status != missingStatus && status != goneStatus {
		return
	}
	for k := i - 1; k >= 0; k-- {
		op, answered := e.op(k), e.exchanges[k].Reply.Status
		switch {
		case op == nil || e.ok(k) && e.path(k) == e.path(i):
			return // the resource was found there before
		case !writes(op) || answered/100 == 4:
			continue
		case answered == created && e.test.Calls[k].User == e.test.Calls[i].User && e.locationLeadsTo(k, i):
			e.add(Finding{
				Oracle: danglingLocation, Call: i, Signature: string(op.ID), Compared: []int{k},
				Expected: fmt.Sprintf("what call %d created, as its Location leads here", k+1),
				Actual:   fmt.Sprintf("%d at %s", status, model.Printable(e.path(i), 200)),
			})
		}
		return
	}
}

// locationLeadsTo reports whether the Location of an answer is the URL of a later request. It returns false
// if the request may not reach its operation, or lacks credentials that the operation requires.
func (p *playedTest) locationLeadsTo(from, to int) bool {
	x, next := p.exchanges[from], p.exchanges[to]
	if p.op(to).Secured && p.test.Calls[to].User == "" || !p.op(to).addressed(next.Request.URL) {
		return false
	}
	at, ok := LocationURL(x)
	want, err := url.Parse(next.Base + next.Request.URL)
	return ok && err == nil && at.Host == want.Host && at.EscapedPath() == want.EscapedPath() && at.RawQuery == want.RawQuery
}

// LocationURL returns the URL of an answer's Location, and false if the Location is missing or invalid.
func LocationURL(x model.Exchange) (*url.URL, bool) {
	text := firstValue(x.Reply.Header, "Location")
	from, err := url.Parse(x.Base + x.Request.URL)
	if err != nil || !isReference(text) {
		return nil, false
	}
	to, err := from.Parse(text)
	return to, err == nil
}
