package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// FindWord returns where a text has a word, as the offsets of its letters' bytes:
// as a whole, or else its letters in that order, beginning where a word of the
// text does and not too scattered. It returns nil where the text has it neither
// way. Case makes no difference.
func FindWord(word, text string) []int {
	word = fold(word)
	low := fold(text)
	if at := whole(word, low); at != nil {
		return at
	}
	return scattered(word, text, low)
}

// scattered returns where a text has the letters of a folded word; low is the
// text folded.
func scattered(word, text, low string) []int {
	if !inOrder(word, low) || strings.ContainsRune(text, 0) { // fuzzy takes that for the end
		return nil
	}
	found := fuzzy.FindNoSort(word, []string{text})
	if len(found) == 0 || !close(found[0].MatchedIndexes, text) {
		return nil
	}
	return found[0].MatchedIndexes
}

// inOrder reports whether a text has all letters of a word in their order: most
// texts don't, and fuzzy is slow.
func inOrder(word, text string) bool {
	for _, r := range word {
		at := strings.IndexRune(text, r)
		if at < 0 {
			return false
		}
		text = text[at+1:]
	}
	return word != ""
}

// whole returns where a text has a word as it is, both folded.
func whole(word, text string) []int {
	at := strings.Index(text, word)
	if at < 0 || word == "" {
		return nil
	}
	var out []int
	for i := range word {
		out = append(out, at+i)
	}
	return out
}

// fold is the text in lower case where that keeps the place of each letter.
func fold(text string) string {
	if low := strings.ToLower(text); len(low) == len(text) {
		return low
	}
	return text
}

// close reports whether letters found are what a person may have meant: some of
// each word from its beginning, two side by side on average.
func close(at []int, text string) bool {
	runs := 1
	for i := 1; i < len(at); i++ {
		_, size := utf8.DecodeRuneInString(text[at[i-1]:])
		after := at[i-1] + size
		if after == at[i] {
			continue
		}
		runs++
		if !begins(text, at[i]) && !sameWord(text[after:at[i]], text[after-size:]) {
			return false
		}
	}
	return begins(text, at[0]) && 2*runs <= len(at)+1
}

// sameWord reports whether no word begins in what lies between two letters; from
// is the text from the first of them on.
func sameWord(between, from string) bool {
	_, size := utf8.DecodeRuneInString(from)
	for i, r := range between {
		if begins(from, size+i) || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// begins reports whether a word begins at an offset, also within a name such as
// cartItem.
func begins(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	here, _ := utf8.DecodeRuneInString(text[at:])
	switch {
	case at == 0, !unicode.IsLetter(before) && !unicode.IsDigit(before):
		return true
	}
	return unicode.IsUpper(here) && !unicode.IsUpper(before)
}
