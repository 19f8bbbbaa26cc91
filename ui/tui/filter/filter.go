// Package filter implements the language of the filters on all screens: words that are
// searched for in the names of a spec, and facts such as "method:post". It parses a typed
// text and matches rows; it draws nothing.
package filter

import (
	"slices"

	"sonde/model"
)

// Filter is a parsed filter. It caches results, so it must not be used by several
// goroutines at once. The zero value matches everything.
type Filter struct {
	index   *Index
	terms   []term
	typed   typedWords
	problem string
}

// Row is what a filter matches: operations, and what else a screen knows of them.
type Row struct {
	Operations []model.OpID
	Statuses   []string // the statuses of their answers, or those that the spec declares: "404", "5XX"
	Words      []string // other names of the row
	Values     []string // names of the value, where the row is a value
	// FactValues returns the row's values of one of the screen's own facts; nil for none.
	FactValues func(name string) []string
}

// MatchRank is how well a row matches a filter; a higher rank is better.
type MatchRank int

// The ranks of matches, ascending.
const (
	NoMatch      MatchRank = iota
	ContentMatch           // the row matches by values or schemas of its operations
	NameMatch              // the row matches by its own names and facts

	unknownRank MatchRank = -1
)

// Problem returns what is wrong with the first term that Parse left out, "" if Parse left out none.
func (f *Filter) Problem() string { return f.problem }

// IsEmpty reports whether the filter has no terms, so that everything matches.
func (f *Filter) IsEmpty() bool { return len(f.terms) == 0 }

// MentionsFact reports whether the filter has a term with a fact, such as "status".
func (f *Filter) MentionsFact(fact string) bool {
	return slices.ContainsFunc(f.terms, func(t term) bool { return t.name == fact })
}

// Match returns how well a row matches: the lowest rank that a term without negation gives it. It returns
// NoMatch if a negated term matches by name; a match of such a term by content is allowed.
func (f *Filter) Match(r Row) MatchRank {
	rank := NameMatch
	for i := range f.terms {
		t := &f.terms[i]
		if t.refinesValue {
			continue // see inValues
		}
		switch got := f.matchTerm(t, r); {
		case t.not && got == NameMatch, !t.not && got == NoMatch:
			return NoMatch
		case !t.not:
			rank = min(rank, got)
		}
	}
	return rank
}

// matchTerm returns how well a row matches a term, as if the term were not negated.
func (f *Filter) matchTerm(t *term, r Row) MatchRank {
	best := nameMatch(t.matchesRow(r))
	for _, op := range r.Operations {
		if best == NameMatch {
			break
		}
		best = max(best, f.matchOperation(t, op))
	}
	return best
}

// matchOperation returns how well an operation matches a term. It caches the rank: a spec
// has few operations, a list many rows.
func (f *Filter) matchOperation(t *term, op model.OpID) MatchRank {
	e := f.index.entry(op)
	if e == nil { // the operation is of another spec
		return nameMatch(t.isWord() && t.matchesName(string(op)))
	}
	if t.ranks[e.no] == unknownRank {
		t.ranks[e.no] = f.rankEntry(t, e)
	}
	return t.ranks[e.no]
}

func (f *Filter) rankEntry(t *term, e *entry) MatchRank {
	if t.isWord() {
		return f.rankWord(t, e)
	}
	return nameMatch(t.has != nil && t.has(f, t, e))
}

// rankWord searches an operation for a word: first its names, then its content.
func (f *Filter) rankWord(t *term, e *entry) MatchRank {
	switch {
	case f.any(t, e.names):
		return NameMatch
	case f.any(t, e.schemas), f.index.anyValue(e, func(v value) bool { return f.any(t, v.names[:]) }):
		return ContentMatch
	}
	return NoMatch
}

// inValues reports whether an operation has a value with the name that a term wants that also matches the
// terms that refine the name, as in "value:id in:path".
func (f *Filter) inValues(t *term, e *entry) bool {
	return f.index.anyValue(e, func(v value) bool {
		if !f.any(t, v.names[:]) {
			return false
		}
		for i := range f.terms {
			if more := &f.terms[i]; more.refinesValue && more.ofValue(more, v) == more.not {
				return false
			}
		}
		return true
	})
}

// any reports whether one of the texts with the given indexes matches a term.
func (f *Filter) any(t *term, texts []int32) bool {
	if t.hits == nil {
		t.hits = t.search(f.index.texts)
	}
	return slices.ContainsFunc(texts, func(i int32) bool { return t.hits[i] == isHit })
}

// Highlights returns the byte offsets of the letters in a text that match the filter,
// ascending.
func (f *Filter) Highlights(text string) []int {
	var all []int
	for i := range f.terms {
		if t := &f.terms[i]; !t.not {
			all = append(all, t.highlights(text)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func nameMatch(yes bool) MatchRank {
	if yes {
		return NameMatch
	}
	return NoMatch
}
