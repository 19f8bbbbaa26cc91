package filter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/model"
)

// Relevance is how near the names of an operation are to the words of a filter; a higher one is nearer. It orders the
// operations that match by name.
type Relevance int

// The relevance of a word is that of the best of these places. The relevance of a filter is that of its least relevant word.
const (
	inLetters Relevance = iota // letters that are scattered in a name, or in nothing but a fact of the row
	inTag
	inSummary
	inWord    // inside a word of the ID or operationId
	atWord    // the beginning of a word there
	wholeWord // a word, or several
	lastWord  // words at the end, such as the last segments of the path
	wholeName // the path or operationId, or the method
	wholeID   // all words together are the operation's ID, path, operationId or summary
)

// Relevance returns the relevance of an operation that matches the filter by name. It is the same for all operations if
// the filter has no words, or none that must match.
func (f *Filter) Relevance(op model.OpID) Relevance {
	e := f.index.entry(op)
	if e == nil {
		return inLetters
	}
	least, words := wholeID, make([]string, 0, len(f.terms))
	for i := range f.terms {
		if t := &f.terms[i]; t.isWord() && !t.not {
			least = min(least, f.relevanceOf(t.texts[0], e))
			words = append(words, t.texts[0])
		}
	}
	if len(words) == 0 {
		return inLetters
	}
	all := strings.Join(words, " ")
	isWhole := func(name int32) bool { return strings.TrimSuffix(f.index.texts[name].low, ".") == all }
	if slices.ContainsFunc(e.own, isWhole) || isWhole(e.summary) {
		return wholeID
	}
	return min(least, wholeName)
}

// relevanceOf returns the relevance of an operation for a word.
func (f *Filter) relevanceOf(word string, e *entry) Relevance {
	best := inLetters
	if word == e.method {
		best = wholeName
	}
	for _, name := range e.own {
		best = max(best, nearest(word, f.index.texts[name]))
	}
	has := func(name int32) bool { return strings.Contains(f.index.texts[name].low, word) }
	switch {
	case best > inLetters:
		return best
	case has(e.summary):
		return inSummary
	case slices.ContainsFunc(e.tags, has):
		return inTag
	}
	return inLetters
}

// nearest returns the relevance of the best occurrence of a word in the ID, path or operationId of an operation, inLetters
// if the word does not occur.
func nearest(word string, in text) Relevance {
	if in.low == word {
		return wholeName
	}
	best := inLetters
	for from := 0; from <= len(in.low); {
		at := strings.Index(in.low[from:], word)
		if at < 0 {
			break
		}
		at += from
		end := at + len(word)
		switch starts := borders(in.plain, at); {
		case starts && end == len(in.plain):
			best = max(best, lastWord)
		case starts && borders(in.plain, end):
			best = max(best, wholeWord)
		case starts:
			best = max(best, atWord)
		default:
			best = max(best, inWord)
		}
		_, size := utf8.DecodeRuneInString(in.low[at:])
		from = at + max(1, size)
	}
	return best
}

// borders reports whether a word of a text begins or ends at an offset.
func borders(text string, at int) bool {
	if at <= 0 || at >= len(text) || begins(text, at) {
		return true
	}
	here, _ := utf8.DecodeRuneInString(text[at:])
	return !unicode.IsLetter(here) && !unicode.IsDigit(here)
}
