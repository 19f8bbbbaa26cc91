// Package filter implements the filter language of all screens: words that are searched for in the names of
// a spec, and facts such as "method:post". It parses text and matches rows. It draws nothing.
package filter

import (
	"slices"

	"sonde/model"
)

// Filter is a parsed filter. It caches results, so it must not be used by several goroutines at once. The
// zero value matches all rows.
type Filter struct {
	index   *Index
	terms   []term
	typed   typedWords
	problem string
}

// Row is a row to match: its operations, and other names and facts of the row.
type Row struct {
	Operations []model.OpID
	Statuses   []string // the statuses that the operations answered, or the statuses that the spec declares: "404", "5XX"
	Words      []string // other names of the row
	Values     []string // names of the value, if the row is a value
	// FactValues returns the row's values for a fact of the screen, or nil for none.
	FactValues func(name string) []string
	// WithDescriptions is true if a word that is in no name and no value is also searched for in the descriptions of
	// the operations.
	WithDescriptions bool
}

// MatchRank is how well a row matches a filter; a higher rank is better.
type MatchRank int

// The ranks of matches, ascending.
const (
	NoMatch          MatchRank = iota
	DescriptionMatch           // the row matches by the descriptions of its operations
	ContentMatch               // the row matches by values or schemas of its operations
	NameMatch                  // the row matches by its own names and facts

	unknownRank MatchRank = -1
)

// Problem returns an error text for the first term that Parse left out, "" if there is none.
func (f *Filter) Problem() string { return f.problem }

// IsEmpty reports whether the filter has no terms, so that it matches all rows.
func (f *Filter) IsEmpty() bool { return len(f.terms) == 0 }

// MentionsFact reports whether the filter has a term with a fact, such as "status".
func (f *Filter) MentionsFact(fact string) bool {
	return slices.ContainsFunc(f.terms, func(t term) bool { return t.name == fact })
}

// Match returns how well a row matches: the lowest rank of all terms without negation. It returns NoMatch
// if a negated term matches by name. Matches of negated terms by content are ignored.
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

// matchTerm returns how well a row matches a term, ignoring its negation.
func (f *Filter) matchTerm(t *term, r Row) MatchRank {
	best := nameMatch(t.matchesRow(r))
	for _, op := range r.Operations {
		if best == NameMatch {
			break
		}
		best = max(best, f.matchOperation(t, op))
	}
	describes := func(op model.OpID) bool { return f.isDescribed(t, op) }
	if best == NoMatch && r.WithDescriptions && slices.ContainsFunc(r.Operations, describes) {
		return DescriptionMatch
	}
	return best
}

// isDescribed reports whether the description of an operation has a word.
func (f *Filter) isDescribed(t *term, op model.OpID) bool {
	e := f.index.entry(op)
	return e != nil && t.isWord() && f.isHit(t, e.description)
}

// matchOperation returns how well an operation matches a term. It caches the rank, because a list may have
// many rows for the few operations of a spec.
func (f *Filter) matchOperation(t *term, op model.OpID) MatchRank {
	e := f.index.entry(op)
	if e == nil { // the operation is from another spec
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

// inValues reports whether an operation has a value that matches a term. The value must also match the terms that
// refine this term, as in "value:id in:path".
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

// any reports whether one of the texts with the given indices matches a term.
func (f *Filter) any(t *term, texts []int32) bool {
	return slices.ContainsFunc(texts, func(i int32) bool { return f.isHit(t, i) })
}

// isHit reports whether the text with the given index matches a term. It caches the hit.
func (f *Filter) isHit(t *term, i int32) bool {
	if t.hits == nil {
		t.hits = make([]hit, len(f.index.texts))
	}
	if t.hits[i] == unknownHit {
		t.hits[i] = t.search(f.index.texts[i], i)
	}
	return t.hits[i] == isHit
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
