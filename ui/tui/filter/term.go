package filter

import (
	"slices"
	"strings"
	"unicode"

	"sonde/model"
)

// term is a word or a fact of a filter.
type term struct {
	fact           // the zero fact for a word
	texts []string // of which one must fit, folded
	not   bool
	exact bool // in quotes: nothing but that
	tells bool // more of the values that other terms name

	hits  []bool // by the index's texts; nil before anybody asked
	ranks map[model.OpID]MatchRank
	known map[string]bool // names of rows, which many rows have
}

// Parse reads a filter. Its terms must all fit: words, facts such as
// "status:5xx,404", and both with "!" before them, which must not. What is in
// quotes is one word. More are the names of the screen's own facts. What is not
// understood is left out: see Wrong.
func Parse(text string, index *Index, more ...string) *Filter {
	f := &Filter{index: index}
	named := false // some value is
	for _, token := range split(text) {
		t, wrong := read(token, more)
		switch {
		case wrong != "" && f.wrong == "":
			f.wrong = wrong
		case wrong == "" && len(t.texts) > 0:
			t.ranks, t.known = map[model.OpID]MatchRank{}, map[string]bool{}
			f.terms = append(f.terms, t)
			named = named || t.name == "value" && !t.not
		}
	}
	for i := range f.terms {
		f.terms[i].tells = named && f.terms[i].ofValue != nil
	}
	return f
}

// split cuts a text at its blanks, those in quotes apart.
func split(text string) []string {
	quoted := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return unicode.IsSpace(r) && !quoted
	})
}

// read reads one term, and says what is wrong with it. A term without texts asks
// for nothing.
func read(token string, more []string) (t term, wrong string) {
	token, t.not = strings.CutPrefix(token, "!")
	name, text, colon := strings.Cut(token, ":")
	if colon && letters(name) {
		return readFact(t, strings.ToLower(name), text, more)
	}
	if alone, known := factNamed(strings.ToLower(token), nil); known && alone.takes == "" {
		t.fact, t.texts = alone, []string{""}
	} else if text = unquoted(token); text != "" {
		t.texts, t.exact = []string{fold(text)}, text != token
	}
	return t, ""
}

func readFact(t term, name, text string, more []string) (term, string) {
	kind, known := factNamed(name, more)
	if !known {
		return t, unknown(name, more)
	}
	t.fact = kind
	if bare := unquoted(text); bare != text && bare != "" {
		t.texts, t.exact = []string{fold(bare)}, true
	} else {
		t.texts = strings.FieldsFunc(fold(text), func(r rune) bool { return r == ',' || r == '"' })
	}
	return t, kind.check(t.texts)
}

func letters(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}

func unquoted(text string) string { return strings.ReplaceAll(text, `"`, "") }

// word tells that the term is no fact.
func (t *term) word() bool { return t.name == "" }

// ofRow reports whether a row has what the term says, whatever its operations are.
func (t *term) ofRow(r Row) bool {
	switch t.name {
	case "":
		return t.isAny(r.Words) || t.isAny(r.Values) || len(t.texts[0]) == 3 && t.answered(r.Statuses)
	case "status":
		return t.answered(r.Statuses)
	case "value":
		return t.isAny(r.Values)
	}
	return r.FactValues != nil && t.isAny(r.FactValues(t.name))
}

func (t *term) isAny(texts []string) bool { return slices.ContainsFunc(texts, t.is) }

// is reports whether a text is what the term looks for.
func (t *term) is(name string) bool {
	is, known := t.known[name]
	if !known {
		is = t.in(newText(name, false))
		t.known[name] = is
	}
	return is
}

// answered reports whether the term means one of some statuses.
func (t *term) answered(statuses []string) bool {
	return t.one(func(want string) bool {
		return isStatus(want) && slices.ContainsFunc(statuses, func(s string) bool { return means(want, strings.ToLower(s)) })
	})
}

// in reports whether a text has what the term looks for. Prose has the letters of
// almost every word in some order.
func (t *term) in(text text) bool {
	return t.one(func(want string) bool {
		switch {
		case t.count:
			return amounts(want, text.low)
		case strings.Contains(text.low, want):
			return true
		case t.name == "value" && !t.exact:
			return strings.Contains(text.joined, joined(want))
		}
		return t.word() && !t.exact && !text.prose && scattered(want, text.plain, text.low) != nil
	})
}

func (t *term) one(is func(want string) bool) bool { return slices.ContainsFunc(t.texts, is) }

// marks returns the letters of a text that the term looks for.
func (t *term) marks(text string) (all []int) {
	for _, want := range t.texts {
		switch {
		case t.word() && !t.exact:
			all = append(all, FindWord(want, text)...)
		case t.word(), t.shown:
			all = append(all, whole(want, fold(text))...)
		}
	}
	return all
}
