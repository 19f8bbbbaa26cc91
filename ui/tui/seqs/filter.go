package seqs

import (
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// only restricts the list to one origin.
type only int

const (
	onlyAll only = iota
	onlySearch
	onlyDistilled
	onlyByHand
	onlyPicked
	onlys
)

func (o only) String() string {
	return [onlys]string{"all", "search", "distilled", "by hand", "picked"}[o]
}

func (o only) has(r *row) bool {
	switch o {
	case onlySearch:
		return r.Origin == model.Searched
	case onlyDistilled:
		return r.Origin == model.Distilled
	case onlyByHand:
		return r.Origin == model.ByHand
	case onlyPicked:
		return r.picked
	}
	return true
}

// filter is what a person typed: words that must all fit, those after "!" must
// not. A word fits an operation or a host outside that contains it, a status ("404",
// "5xx"), or an origin.
type filter struct {
	terms []term
	only  only
}

type term struct {
	text string
	not  bool
	ops  map[model.OpID]bool // answers so far: a spec has few operations, a list many rows
}

func newFilter(text string, o only) filter {
	f := filter{only: o}
	for _, word := range strings.Fields(strings.ToLower(text)) {
		bare, not := strings.CutPrefix(word, "!")
		if bare != "" {
			f.terms = append(f.terms, term{text: bare, not: not, ops: map[model.OpID]bool{}})
		}
	}
	return f
}

func (f filter) fits(r *row) bool {
	if !f.only.has(r) {
		return false
	}
	for _, t := range f.terms {
		if t.fits(r) == t.not {
			return false
		}
	}
	return true
}

func (t term) fits(r *row) bool {
	for _, op := range r.Seq {
		if t.inOp(op) {
			return true
		}
	}
	if r.Test != nil {
		for _, c := range r.Test.Calls {
			if t.isStatus(c.Status) {
				return true
			}
		}
	}
	if slices.ContainsFunc(slices.Concat(r.Stubs, own(r.Test)), t.isHost) {
		return true
	}
	return len(t.text) > 2 && strings.HasPrefix(r.origin(), t.text)
}

func (t term) inOp(op model.OpID) bool {
	fits, known := t.ops[op]
	if !known {
		fits = strings.Contains(strings.ToLower(string(op)), t.text)
		t.ops[op] = fits
	}
	return fits
}

func (t term) isHost(s model.Stub) bool { return strings.Contains(strings.ToLower(s.Host), t.text) }

func (t term) isStatus(status int) bool {
	if len(t.text) != 3 || status == 0 {
		return false
	}
	return t.text == strconv.Itoa(status) || t.text[0] == byte('0'+status/100%10) && t.text[1:] == "xx"
}
