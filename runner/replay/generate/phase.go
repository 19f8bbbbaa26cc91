package generate

import (
	"fmt"
	"slices"
	"time"

	"sonde/model"
)

// addExpectedCalls adds the expected outward calls of the exchange under test, in phases. Calls are in the same phase
// if they overlapped in time, in this exchange or in another exchange of the operation.
func (b *testBuilder) addExpectedCalls(of func(*outwardCall) model.ExpectedCall) {
	phase, until := -1, time.Time{}
	var calls []*outwardCall // calls of the current phase
	for _, call := range b.exchange.outward {
		if phase < 0 || !call.At.Before(until) && !b.overlapped(calls, call) {
			phase, calls = phase+1, nil
		}
		calls = append(calls, call)
		if call.EndTime().After(until) {
			until = call.EndTime()
		}
		w := of(call)
		w.Phase = phase
		b.test.Mock.ExpectedCalls = append(b.test.Mock.ExpectedCalls, w)
	}
}

// kind returns a text that is equal for calls that may be to the same operation of a host.
func (o *outwardCall) kind() string {
	if o.Protocol.IsDatabase() {
		return callKind(o.OutwardCall)
	}
	return fmt.Sprint(o.Protocol, o.Host, o.Request.Method, len(o.path))
}

// overlapped reports whether a call overlapped with a call of the phase, in some exchange of the
// operation.
func (b *testBuilder) overlapped(phase []*outwardCall, call *outwardCall) bool {
	overlaps := b.overlaps[b.exchange.op.ID]
	return slices.ContainsFunc(phase, func(o *outwardCall) bool { return overlaps[kindPair{o.kind(), call.kind()}] })
}

// kindPair has the kinds of two calls that overlapped.
type kindPair struct{ a, b string }

// addOverlaps records which kinds of the first 100 outward calls of an exchange overlapped in time.
func (r *recordingIndex) addOverlaps(x *recordedExchange) {
	free := r.overlaps[x.op.ID]
	if free == nil {
		free = map[kindPair]bool{}
		r.overlaps[x.op.ID] = free
	}
	for i, a := range x.outward[:min(len(x.outward), 100)] {
		for _, b := range x.outward[i+1 : min(len(x.outward), 100)] {
			if a.kind() != b.kind() && b.At.Before(a.EndTime()) {
				free[kindPair{a.kind(), b.kind()}], free[kindPair{b.kind(), a.kind()}] = true, true
			}
		}
	}
}
