package generate

import (
	"fmt"
	"slices"
	"time"

	"sonde/model"
)

// wanted assigns phases to the outward calls of the call under test: calls that overlapped, in this
// or another recording of the operation, are in one phase.
func (m *maker) wanted(of func(*recordedCall) model.ExpectedCall) {
	phase, until := -1, time.Time{}
	var now []*recordedCall // calls of the current phase
	for _, s := range m.x.sent {
		if phase < 0 || !s.At.Before(until) && !m.overlap(now, s) {
			phase, now = phase+1, nil
		}
		now = append(now, s)
		if s.EndTime().After(until) {
			until = s.EndTime()
		}
		w := of(s)
		w.Phase = phase
		m.test.Mock.ExpectedCalls = append(m.test.Mock.ExpectedCalls, w)
	}
}

// kind identifies an outward call regardless of its operation, because two operations of a host may
// not be distinguishable.
func (s *recordedCall) kind() string {
	return fmt.Sprint(s.Protocol, s.Host, s.Request.Method, len(s.path))
}

// overlap reports whether a call was made while those of a phase were in flight, or before them, in
// some recording of the operation.
func (m *maker) overlap(phase []*recordedCall, s *recordedCall) bool {
	return slices.ContainsFunc(phase, func(o *recordedCall) bool { return m.anyOrder[m.x.op.ID][pair{o.kind(), s.kind()}] })
}

// pair is the kinds of two calls that come in any order.
type pair struct{ a, b string }

// frees records which outward calls of an exchange overlapped.
func (p *recordingIndex) frees(s *recordedExchange) {
	free := p.anyOrder[s.op.ID]
	if free == nil {
		free = map[pair]bool{}
		p.anyOrder[s.op.ID] = free
	}
	for i, a := range s.sent[:min(len(s.sent), 100)] {
		for _, b := range s.sent[i+1 : min(len(s.sent), 100)] {
			if a.kind() != b.kind() && b.At.Before(a.EndTime()) {
				free[pair{a.kind(), b.kind()}], free[pair{b.kind(), a.kind()}] = true, true
			}
		}
	}
}
