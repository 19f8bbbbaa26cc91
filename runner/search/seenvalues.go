package search

import (
	"fmt"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
	"sonde/runner/search/pool"
)

// seenValues has the values in the answers of a manual session. The zero value is empty.
type seenValues struct {
	matcher *match.Matcher // nil before the first question, because a matcher of a large spec takes long to make
	values  *pool.Pool     // nil if the answers must be read again
	read    int            // number of the session's sent calls whose answers are in values
}

// SeenValues returns the values in the answers since the last reset or restart of the service that inputs of an
// operation may take: an input and a value belong together if package match decides that they are the same. Inputs
// without such values are left out.
func (s *ManualSession) SeenValues(op model.OpID) (all []model.SeenValues) {
	s.seen.update(s.bed.plan.Spec, s.sent)
	for _, in := range s.seen.values.Inputs(op) {
		seen := model.SeenValues{In: in.In, Name: in.Name}
		for _, token := range in.Path {
			seen.Pointer += "/" + pointer.Escape(token)
		}
		for _, v := range s.seen.values.Newest(in) {
			seen.Values = append(seen.Values, fmt.Sprint(v))
		}
		all = append(all, seen)
	}
	return all
}

// update reads the answers that were not read yet.
func (s *seenValues) update(spec *model.Spec, sent []sentCall) {
	if s.matcher == nil {
		s.matcher = match.New(spec.Operations, match.DefaultMode, spec.Corrections...)
	}
	if s.values == nil {
		s.values, s.read = pool.New(spec, s.matcher), 0
	}
	for _, c := range sent[s.read:] {
		s.values.Observe(c.call.Op, c.reply)
	}
	s.read = len(sent)
}

// forgetSent forgets the calls that were sent, because the service was reset or restarted.
func (s *ManualSession) forgetSent() { s.sent, s.seen.values = nil, nil }
