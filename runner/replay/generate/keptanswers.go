package generate

import (
	"slices"

	"sonde/model"
)

// maxLaterExchanges is the maximum number of later exchanges that isKeptLater examines.
const maxLaterExchanges = 1000

// keptAnswers returns stubs for what the service looks up once and then keeps, as in a cache. When a test begins, the
// service has kept nothing. In the test, it may therefore make a lookup that it did not make in the recorded exchange.
//
// keptAnswers compares the exchange with the lookup to later exchanges of the same operation and status. If a later
// request has the same values that the lookup sent to the host, but its exchange has no lookup, the service has kept
// the answer.
func (r *recordingIndex) keptAnswers() (all []backgroundStub) {
	type opKey struct {
		op     model.OpID
		status int
	}
	later := map[opKey][]*recordedExchange{} // those after x, the nearest last
	found := map[string]backgroundStub{}     // stub of a lookup, by the content of the lookup
	var order []string
	for _, x := range slices.Backward(r.exchanges) {
		if x.op == nil {
			continue
		}
		key := opKey{x.op.ID, x.Reply.Status}
		for _, call := range x.outward {
			if !isLookup(call) {
				continue
			}
			content := callKind(call.OutwardCall) + "\n" + contentOf(call.OutwardCall)
			if x.isKeptLater(call, later[key]) {
				if _, known := found[content]; !known {
					order = append(order, content)
				}
				found[content] = backgroundKind{calls: []model.OutwardCall{call.OutwardCall}}.
					stub(exactMatch(call.OutwardCall), r.background.ready)
			}
		}
		later[key] = append(later[key], x)
	}
	for _, content := range slices.Backward(order) {
		if stub := found[content]; len(all) < maxBackgroundStubs && stub.Validate() == nil {
			stub.polls = false
			all = append(all, stub)
		}
	}
	return all
}

// isLookup reports whether a call only asks a host for something, without a change at the host, and got an answer.
func isLookup(o *outwardCall) bool {
	return o.Protocol == model.HTTP && o.Request.Method == "GET" && o.Err == nil &&
		o.Reply.Status >= 200 && o.Reply.Status < 300 && !o.Reply.Truncated
}

// isKeptLater reports whether the service kept the answer to a call of the exchange. later are exchanges of the
// same operation and status that came after it, in reverse order.
func (r *recordedExchange) isKeptLater(call *outwardCall, later []*recordedExchange) bool {
	var sent []leaf // the values of the request that the service sent to the host
	for _, l := range r.requestValues {
		text := l.text()
		if len(text) >= 3 && slices.ContainsFunc(call.request.leaves, func(o leaf) bool {
			return (o.in == model.InPath || o.in == model.InQuery) && o.text() == text
		}) {
			sent = append(sent, l)
		}
	}
	if len(sent) == 0 {
		return false
	}
	kind := callKind(call.OutwardCall)
	compared := 0
	for _, y := range slices.Backward(later) {
		if compared++; compared > maxLaterExchanges {
			return false
		}
		if y.sends(sent) && !slices.ContainsFunc(y.outward, func(o *outwardCall) bool { return callKind(o.OutwardCall) == kind }) {
			return true
		}
	}
	return false
}

// sends reports whether the request of the exchange has the values.
func (r *recordedExchange) sends(values []leaf) bool {
	return !slices.ContainsFunc(values, func(v leaf) bool {
		return !slices.ContainsFunc(r.requestValues, func(l leaf) bool {
			return l.in == v.in && l.name == v.name && l.text() == v.text()
		})
	})
}
