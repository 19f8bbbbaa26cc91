package filter

import (
	"slices"
	"strings"
	"unicode"
)

// term is a word or a fact in a filter.
type term struct {
	fact                  // the zero fact for a word
	texts        []string // the folded texts; at least one of them must match
	not          bool
	exact        bool // the text was in quotes, so that scattered letters do not match
	refinesValue bool // the term restricts the values that other terms name

	// The following fields are caches.
	hits    []hit           // index: text of the spec's index; nil until needed
	shorter []hit           // the hits of an earlier term whose text is a prefix of this term's text; nil for none
	ranks   []MatchRank     // index: operation of the spec's index; value: its rank, or unknownRank
	known   map[string]bool // key: name of a row; value: whether the name matches; many rows have the same names
}

// hit says whether a text matches a term.
type hit byte

const (
	unknownHit hit = iota // the text was not searched yet
	noHit                 // no match; a longer word that begins with this word does not match, either
	hasLetters            // no match, but the text has the letters of the word in order
	isHit
)

// Parse parses a filter. A row must match all terms; function words are ignored if there are other terms.
// Terms are words, and facts such as "status:5xx,404". "!" negates a term, and quotes enclose a word with
// spaces. more has the names of the screen's own facts. Invalid terms are left out; see Problem. index may be
// nil.
func Parse(text string, index *Index, more ...string) *Filter {
	f := &Filter{index: index}
	hasValue := false // a term refers to a value
	for _, token := range split(text) {
		t, problem := parseTerm(token, more)
		switch {
		case problem != "" && f.problem == "":
			f.problem = problem
		case problem == "" && len(t.texts) > 0:
			t.ranks, t.known = index.unknownRanks(), map[string]bool{}
			f.terms = append(f.terms, t)
			hasValue = hasValue || t.name == "value" && !t.not
		}
	}
	f.dropFunctionWords()
	for i := range f.terms {
		f.terms[i].refinesValue = hasValue && f.terms[i].ofValue != nil
	}
	f.typed = newTypedWords(f.terms)
	return f
}

// dropFunctionWords removes function words, such as "an" and "of" in "create an eviction of a pod", because
// the summary of the wanted operation may lack them. It removes nothing if all terms are function words.
func (f *Filter) dropFunctionWords() {
	drops := func(t term) bool { return t.isWord() && !t.not && !t.exact && isFunctionWord(t.texts[0]) }
	if rest := slices.DeleteFunc(slices.Clone(f.terms), drops); len(rest) > 0 {
		f.terms = rest
	}
}

// Retype parses the changed text of a filter, for the same index. It is faster than Parse, because it keeps the
// results of unchanged terms. If the user has extended a term, only texts in which the shorter term may match are
// searched.
func (f *Filter) Retype(text string, more ...string) *Filter {
	next := Parse(text, f.index, more...)
	for i := range next.terms {
		next.terms[i].reuse(f.terms)
	}
	return next
}

// reuse takes over cached results of earlier terms for the same index. It takes the results of a term with the same
// text. From a term whose text is a prefix, it takes only the hits.
func (t *term) reuse(earlier []term) {
	for i := range earlier {
		old := &earlier[i]
		if old.name != t.name || old.exact != t.exact || len(old.texts) != 1 || len(t.texts) != 1 {
			continue
		}
		switch before, now := old.texts[0], t.texts[0]; {
		case before == now:
			t.hits, t.shorter = old.hits, old.shorter
			if t.isWord() { // the rank for a fact may depend on other terms
				t.ranks, t.known = old.ranks, old.known
			}
			return
		case strings.HasPrefix(now, before) && old.hits != nil:
			t.shorter = old.hits
		case strings.HasPrefix(now, before) && t.shorter == nil:
			t.shorter = old.shorter
		}
	}
}

// search reports whether the text with index i matches the term, does not match it, or only has the letters of the
// term's text in order.
func (t *term) search(text text, i int32) hit {
	switch {
	case t.shorter != nil && t.shorter[i] == noHit:
		return noHit
	case !t.isWord():
		if t.matchesText(text) {
			return isHit
		}
		return noHit
	case !bytesInOrder(t.texts[0], text.low):
		return noHit
	case t.matchesText(text):
		return isHit
	}
	return hasLetters
}

// split splits a text at spaces, except spaces in quotes.
func split(text string) []string {
	quoted := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return unicode.IsSpace(r) && !quoted
	})
}

// parseTerm parses one term. problem is an error text, "" if the term is valid. A term without texts, such as
// "!", has no effect.
func parseTerm(token string, more []string) (t term, problem string) {
	token, t.not = strings.CutPrefix(token, "!")
	name, text, colon := strings.Cut(token, ":")
	if colon && onlyLetters(name) {
		return parseFact(t, strings.ToLower(name), text, more)
	}
	alone, known := factNamed(strings.ToLower(token), nil)
	text = unquoted(token)
	switch {
	case known && alone.takes == "":
		t.fact, t.texts = alone, []string{""}
	case text != "":
		t.texts, t.exact = []string{fold(text)}, text != token
	}
	return t, ""
}

// parseFact parses the text after the colon of a fact.
func parseFact(t term, name, text string, more []string) (term, string) {
	kind, known := factNamed(name, more)
	if !known {
		return t, unknownFact(name, more)
	}
	t.fact = kind
	if bare := unquoted(text); bare != text && bare != "" {
		t.texts, t.exact = []string{fold(bare)}, true
	} else {
		t.texts = strings.FieldsFunc(fold(text), func(r rune) bool { return r == ',' || r == '"' })
	}
	return t, kind.problem(t.texts)
}

func onlyLetters(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}

func unquoted(text string) string { return strings.ReplaceAll(text, `"`, "") }

// isWord reports whether the term is a word, not a fact.
func (t *term) isWord() bool { return t.name == "" }

// matchesRow reports whether a row itself matches, regardless of its operations.
func (t *term) matchesRow(r Row) bool {
	switch t.name {
	case "":
		isStatus := len(t.texts[0]) == 3 && t.matchesStatuses(r.Statuses)
		return t.matchesAny(r.Words) || t.matchesAny(r.Values) || isStatus
	case "status":
		return t.matchesStatuses(r.Statuses)
	case "value":
		return t.matchesAny(r.Values)
	}
	return r.FactValues != nil && t.matchesAny(r.FactValues(t.name))
}

func (t *term) matchesAny(names []string) bool { return slices.ContainsFunc(names, t.matchesName) }

// matchesName reports whether a name of a row matches.
func (t *term) matchesName(name string) bool {
	matches, known := t.known[name]
	if !known {
		matches = t.matchesText(newText(name, false))
		t.known[name] = matches
	}
	return matches
}

// matchesStatuses reports whether one of the statuses matches.
func (t *term) matchesStatuses(statuses []string) bool {
	return t.anyText(func(want string) bool {
		return isStatus(want) && slices.ContainsFunc(statuses, func(s string) bool {
			return matchesStatus(want, strings.ToLower(s))
		})
	})
}

// matchesText reports whether a text matches. Prose is not searched for scattered letters, because it
// contains the letters of almost every word.
func (t *term) matchesText(text text) bool {
	return t.anyText(func(want string) bool {
		switch {
		case t.count:
			return matchesCount(want, text.low)
		case strings.Contains(text.low, want):
			return true
		case t.name == "value" && !t.exact:
			return strings.Contains(text.joined, joined(want))
		}
		return t.isWord() && !t.exact && !text.prose &&
			mayBeScattered(want, text) && findScattered(want, text.plain) != nil
	})
}

// anyText reports whether matches returns true for one of the wanted texts.
func (t *term) anyText(matches func(want string) bool) bool {
	return slices.ContainsFunc(t.texts, matches)
}

// highlights returns the byte offsets of the letters in a text that match.
func (t *term) highlights(text string) (all []int) {
	for _, want := range t.texts {
		switch {
		case t.isWord() && !t.exact:
			all = append(all, FindWord(want, text)...)
		case t.isWord(), t.shown:
			all = append(all, findWhole(want, fold(text))...)
		}
	}
	return all
}
