// Package filter is the language of all filters: words that are looked for in
// what a spec names, and facts such as "method:post". It reads what was typed
// and tells which rows fit; it draws nothing.
package filter

import (
	"slices"

	"sonde/model"
)

// Filter is what was typed, ready to be asked. It remembers its answers and
// belongs to one goroutine. The zero value lets everything through.
type Filter struct {
	index *Index
	terms []term
	wrong string
}

// Row is what a filter looks at: operations, and what else is known of them
// together.
type Row struct {
	Operations []model.OpID
	Statuses   []string // that they answered or declare: "404", "5XX"
	Words      []string // what the row is called besides
	Values     []string // names of the value that the row is
	// FactValues returns what the row has of a fact of the screen's own.
	FactValues func(name string) []string
}

// MatchRank is how a row fits.
type MatchRank int

// From not at all to best.
const (
	NoMatch      MatchRank = iota
	ContentMatch           // by what its operations take, emit or consist of
	NameMatch              // by its own names and facts
)

// Problem says what of the filter is not understood, and was left out; "" for
// nothing.
func (f *Filter) Problem() string { return f.wrong }

// IsEmpty tells that everything fits.
func (f *Filter) IsEmpty() bool { return len(f.terms) == 0 }

// MentionsFact reports whether the filter asks for a fact, such as "status".
func (f *Filter) MentionsFact(fact string) bool {
	return slices.ContainsFunc(f.terms, func(t term) bool { return t.name == fact })
}

// Match tells how a row fits: as its worst term does. What is not wanted must not
// be in its names; that some value of it is called so does no harm.
func (f *Filter) Match(r Row) MatchRank {
	rank := NameMatch
	for i := range f.terms {
		t := &f.terms[i]
		if t.tells {
			continue // see inValues
		}
		switch got := f.fit(t, r); {
		case t.not && got == NameMatch, !t.not && got == NoMatch:
			return NoMatch
		case !t.not:
			rank = min(rank, got)
		}
	}
	return rank
}

// fit tells how a row has what a term says.
func (f *Filter) fit(t *term, r Row) MatchRank {
	best := named(t.ofRow(r))
	for _, op := range r.Operations {
		if best == NameMatch {
			break
		}
		best = max(best, f.inOperation(t, op))
	}
	return best
}

// inOperation remembers: a spec has few operations, a list many rows.
func (f *Filter) inOperation(t *term, op model.OpID) MatchRank {
	rank, known := t.ranks[op]
	if !known {
		rank = f.judge(t, op)
		t.ranks[op] = rank
	}
	return rank
}

func (f *Filter) judge(t *term, op model.OpID) MatchRank {
	switch e := f.index.entry(op); {
	case e == nil: // of another spec
		return named(t.word() && t.is(string(op)))
	case t.word():
		return f.word(t, e)
	default:
		return named(t.has != nil && t.has(f, t, e))
	}
}

// word looks for a word: first in the names of the operation.
func (f *Filter) word(t *term, e *entry) MatchRank {
	switch {
	case f.any(t, e.names):
		return NameMatch
	case f.any(t, e.schemas), slices.ContainsFunc(e.values, func(v value) bool { return f.any(t, v.names) }):
		return ContentMatch
	}
	return NoMatch
}

// inValues reports whether an operation has a value of that name which is as the
// terms say that tell more of it.
func (f *Filter) inValues(t *term, e *entry) bool {
	return slices.ContainsFunc(e.values, func(v value) bool {
		if !f.any(t, v.names) {
			return false
		}
		for i := range f.terms {
			if more := &f.terms[i]; more.tells && more.ofValue(more, v) == more.not {
				return false
			}
		}
		return true
	})
}

// any reports whether one of the index's texts has what the term says.
func (f *Filter) any(t *term, texts []int) bool {
	if t.hits == nil {
		t.hits = make([]bool, len(f.index.texts))
		for i, text := range f.index.texts {
			t.hits[i] = t.in(text)
		}
	}
	return slices.ContainsFunc(texts, func(i int) bool { return t.hits[i] })
}

// Highlights returns the letters of a text that the filter looked for, as the offsets
// of their bytes, ascending.
func (f *Filter) Highlights(text string) []int {
	var all []int
	for i := range f.terms {
		if t := &f.terms[i]; !t.not {
			all = append(all, t.marks(text)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func named(yes bool) MatchRank {
	if yes {
		return NameMatch
	}
	return NoMatch
}
