package runner

import (
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/oracle"
)

// checks returns what can be asserted of the answers to a test. Without a reset that is
// less: an answer that shows what others left is only asserted to have what the document
// promises.
func (c *crew) checks(p played) []model.Check {
	var all []model.Check
	for i, r := range p.results {
		all = append(all, oracle.Checks(i, r.Exchange.Reply, c.resets && !oracle.Endless(p.contacts, i))...)
	}
	if c.resets {
		return all
	}
	return slices.DeleteFunc(all, func(k model.Check) bool { return !c.lasting(p, k) })
}

// lasting reports whether an assertion is about something that the test creates itself,
// or that the document promises.
func (c *crew) lasting(p played, k model.Check) bool {
	call, status := p.test.Calls[k.Call], p.results[k.Call].Exchange.Reply.Status
	own := slices.ContainsFunc(p.test.Links, func(l model.Link) bool { return l.To == k.Call })
	if own || status/100 != 2 || !safe(call.Op) {
		return true
	}
	op := c.plan.Spec.Operation(call.Op)
	if op == nil {
		return false
	}
	for _, r := range op.Responses {
		if r.Status == strconv.Itoa(status) {
			return slices.ContainsFunc(r.Contents, func(c model.Content) bool { return promised(c.Schema, k.Pointer) })
		}
	}
	return false
}

// promised reports whether a schema requires what a JSON pointer points at.
func promised(s *model.Schema, place string) bool {
	for _, token := range strings.Split(place, "/")[1:] {
		name := pointer.Unescape(token)
		if s == nil || !required(s, name) {
			return false
		}
		s = propertyOf(s, name)
	}
	return place != ""
}

func required(s *model.Schema, name string) bool {
	if p := s.Property(name); p != nil && p.Required || slices.Contains(s.Required, name) {
		return true
	}
	return slices.ContainsFunc(s.AllOf, func(part *model.Schema) bool { return part != nil && required(part, name) })
}
