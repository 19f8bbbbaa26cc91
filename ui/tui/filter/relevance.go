package filter

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/model"
)

// Relevance says how well the names of an operation match the words of a filter; higher is better. The place
// of the words counts first, then how they match the segments of the path. At the same places, whole words
// count more if the name has fewer other words. A path parameter counts less than another word.
type Relevance int

// place is a kind of position of a word in the names of an operation.
type place int

// The places, ascending.
const (
	inLetters place = iota // scattered letters in a name, or only in a fact of the row
	inTag
	inSummary
	inWord        // inside a word of the ID or operationId
	atWord        // the beginning of a word of the ID or operationId
	wordOfSummary // one or several words of the summary
	wholeWord     // one or several words of the ID or operationId
	lastWord      // the last words, such as the last segments of the path
	wholeName     // the whole path, operationId or method
	allWords      // several words of the filter are in the same name; the method counts as a word of the name
	wholeID       // all words together are the complete ID, path, operationId or summary
)

// The weights of words of a name that are not in the filter: of a path parameter, and of any other word. mostOthers
// is the maximum total of these weights. Above it, more words make no difference.
const (
	otherWord      = 4
	otherParameter = 1
	mostOthers     = 50 * otherWord
)

// relevance returns the relevance of a place in a text. The parameter others is the total weight of the other words in
// the text.
func relevance(p place, others int) Relevance {
	return Relevance(p)*placeWeight + Relevance(mostOthers-min(others, mostOthers))
}

// segmentPlace says how a word matches a segment of a path. The places of several words are added.
type segmentPlace int

// The places in a segment, ascending.
const (
	inSegment    segmentPlace = iota // inside a word, or nowhere
	atInnerWord                      // the beginning of a word that is not the first one
	atSegment                        // the beginning of the segment
	wholeSegment                     // the whole segment, perhaps in the plural
)

// The weights of a place in a segment and of a place in a name. mostSegments is the maximum total of places in
// segments. Above it, more words make no difference.
const (
	segmentWeight = mostOthers + 1
	mostSegments  = 5 * wholeSegment
	placeWeight   = (Relevance(mostSegments) + 1) * segmentWeight
)

// relevanceOfSegments returns the part of the relevance that says how the typed texts match the segments of a path.
func (t typedWords) relevanceOfSegments(path text) Relevance {
	var all segmentPlace
	for _, typed := range t.texts {
		all += nearestSegment(strings.Trim(typed, "/"), path)
	}
	return Relevance(min(all, mostSegments)) * segmentWeight
}

// nearestSegment returns the best place of a word in the segments of a path. Path parameters do not count.
func nearestSegment(word string, path text) (best segmentPlace) {
	for segment := range strings.SplitSeq(path.plain, "/") {
		if word == "" || strings.HasPrefix(segment, "{") {
			continue
		}
		switch low := fold(segment); {
		case low == word || low == word+"s":
			return wholeSegment
		case strings.HasPrefix(low, word):
			best = max(best, atSegment)
		case nearest(word, text{plain: segment, low: low}) >= atWord:
			best = max(best, atInnerWord)
		}
	}
	return best
}

// Relevance returns the relevance of an operation that matches the filter by name. The relevance is highest if the
// filter is the whole ID, path, operationId or summary. If one name contains all words of the filter, their place is
// allWords. Otherwise the least relevant word counts.
//
// At equal places, the segments of the path decide. A word at the beginning of a segment counts more than a word
// inside it: rolebinding is at the beginning in /rolebindings, and inside in /clusterrolebindings. A whole segment
// counts more than a part.
//
// If the filter has no words, or only negated ones, all operations have the same relevance.
func (f *Filter) Relevance(op model.OpID) Relevance {
	e := f.index.entry(op)
	if e == nil {
		return relevance(inLetters, 0)
	}
	if len(f.typed.texts) == 0 {
		return relevance(inLetters, 0)
	}
	all := strings.Join(f.typed.texts, " ")
	isWhole := func(name int32) bool { return strings.TrimSuffix(f.index.texts[name].low, ".") == all }
	if slices.ContainsFunc(e.own, isWhole) || isWhole(e.summary) {
		return relevance(wholeID, 0)
	}
	least := relevance(wholeName, 0)
	for _, typed := range f.typed.texts {
		least = min(least, f.relevanceOf(typed, e))
	}
	if len(f.typed.texts) > 1 {
		least = max(least, f.relevanceOfAll(e))
	}
	for _, path := range e.path {
		least += f.typed.relevanceOfSegments(f.index.texts[path])
	}
	return least
}

// typedWords has the texts of a filter's words that are not negated, and the single words in these texts: a
// text in quotes may have several.
type typedWords struct{ texts, words []string }

func newTypedWords(terms []term) (typed typedWords) {
	for i := range terms {
		if t := &terms[i]; t.isWord() && !t.not {
			typed.texts = append(typed.texts, t.texts[0])
			for w := range wordsOf(t.texts[0]) {
				typed.words = append(typed.words, w)
			}
		}
	}
	return typed
}

// relevance returns the relevance of a place in a text.
func (t typedWords) relevance(p place, in text) Relevance {
	others := 0
	if p >= wordOfSummary {
		for w, weight := range wordsOf(in.plain) {
			if !slices.ContainsFunc(t.words, func(word string) bool { return strings.EqualFold(word, w) }) {
				others += weight
			}
		}
	}
	return relevance(p, others)
}

// wordsOf returns the words of a text, each with its weight. The weight counts if the word is not in the filter.
// Function words are left out.
func wordsOf(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		weight, from := otherWord, -1
		word := func(end int) bool {
			begin := from
			from = -1
			return begin < 0 || isFunctionWord(text[begin:end]) || yield(text[begin:end], weight)
		}
		for at, r := range text {
			switch {
			case !unicode.IsLetter(r) && !unicode.IsDigit(r):
				if !word(at) {
					return
				}
				switch r {
				case '{':
					weight = otherParameter
				case '}':
					weight = otherWord
				}
			case begins(text, at):
				if !word(at) {
					return
				}
				from = at
			}
		}
		word(len(text))
	}
}

// isFunctionWord reports whether a word only connects other words. Such a word says nothing about an operation.
func isFunctionWord(word string) bool {
	switch strings.ToLower(word) {
	case "a", "an", "the", "of", "to", "in", "on", "for", "from", "by", "with", "and":
		return true
	}
	return false
}

// relevanceOfAll returns the relevance of an operation with a name that contains all typed texts as whole
// words; the method need not be in the name. It returns 0 if there is no such name.
func (f *Filter) relevanceOfAll(e *entry) (best Relevance) {
	for _, name := range append([]int32{e.summary}, e.own...) {
		in := f.index.texts[name]
		if !slices.ContainsFunc(f.typed.texts, func(t string) bool { return t != e.method && nearest(t, in) < wholeWord }) {
			best = max(best, f.typed.relevance(allWords, in))
		}
	}
	return best
}

// relevanceOf returns the relevance of an operation for one typed text.
func (f *Filter) relevanceOf(typed string, e *entry) Relevance {
	if typed == e.method {
		return relevance(wholeName, 0)
	}
	none := relevance(inLetters, 0)
	best := none
	for _, name := range e.own {
		in := f.index.texts[name]
		best = max(best, f.typed.relevance(nearest(typed, in), in))
	}
	summary := f.index.texts[e.summary]
	switch at := nearest(typed, summary); {
	case at >= wholeWord:
		return max(best, f.typed.relevance(wordOfSummary, summary))
	case best > none:
		return best
	case at > inLetters:
		return relevance(inSummary, 0)
	case slices.ContainsFunc(e.tags, func(tag int32) bool { return strings.Contains(f.index.texts[tag].low, typed) }):
		return relevance(inTag, 0)
	}
	return none
}

// nearest returns the best place of a word in the ID, path, operationId or summary of an operation. It
// returns inLetters if the word does not occur.
func nearest(word string, in text) place {
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
