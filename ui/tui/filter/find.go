package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// FindWord searches a text for a word, ignoring case. It returns the byte offsets of the word's letters. If
// the text does not contain the word as a whole, FindWord looks for its letters in order: the first must
// begin a word, and they must not be too scattered. It returns nil if there is no match.
func FindWord(word, text string) []int {
	if word == "" || !inOrder(word, text) {
		return nil
	}
	word = fold(word)
	if at := findWhole(word, fold(text)); at != nil {
		return at
	}
	return findScattered(word, text)
}

// maxScattered is the maximum length of a word, in bytes, whose letters may be scattered. The scores of
// package fuzzy overflow for words of more than 40 adjacent letters.
const maxScattered = 32

// findScattered searches a text for the letters of a word in order, and returns their offsets. The word must be
// folded to lower case. findScattered returns nil if the letters are too scattered, or if the word is longer than
// maxScattered. It is slow.
func findScattered(word, text string) []int {
	if len(word) > maxScattered || strings.ContainsRune(text, 0) { // package fuzzy stops at a zero byte
		return nil
	}
	found := fuzzy.FindNoSort(word, []string{text})
	if len(found) == 0 || !isClose(found[0].MatchedIndexes, text) {
		return nil
	}
	return found[0].MatchedIndexes
}

// inOrder reports whether a text has all letters of a word in order, ignoring case. It is a fast check
// without allocations, which most texts fail.
func inOrder(word, text string) bool {
	want, size := utf8.DecodeRuneInString(word)
	for _, r := range text {
		if size == 0 {
			break
		}
		if unicode.ToLower(r) == unicode.ToLower(want) {
			word = word[size:]
			want, size = utf8.DecodeRuneInString(word)
		}
	}
	return size == 0
}

// bytesInOrder reports whether a folded text has all bytes of a folded word in order. It is faster than
// inOrder, and is true whenever inOrder is.
func bytesInOrder(word, text string) bool {
	for i := range len(word) {
		at := strings.IndexByte(text, word[i])
		if at < 0 {
			return false
		}
		text = text[at+1:]
	}
	return true
}

// mayBeScattered reports whether findScattered may find a folded word in a text that does not contain it as a
// whole. It is a fast check: the word must have at least three letters, and its first letter must begin a
// word of the text.
func mayBeScattered(word string, in text) bool {
	if utf8.RuneCountInString(word) < 3 {
		return false
	}
	for from := 0; ; {
		at := strings.IndexByte(in.low[from:], word[0])
		switch {
		case at < 0:
			return false
		case begins(in.plain, from+at):
			return bytesInOrder(word[1:], in.low[from+at+1:])
		}
		from += at + 1
	}
}

// findWhole returns the offsets of the letters of a folded word, at its first occurrence in a folded text. It returns
// nil if the word does not occur.
func findWhole(word, text string) []int {
	at := strings.Index(text, word)
	if at < 0 {
		return nil
	}
	var out []int
	for i := range word {
		out = append(out, at+i)
	}
	return out
}

// fold returns a text in lower case, unless this would change the offsets of letters.
func fold(text string) string {
	if low := strings.ToLower(text); len(low) == len(text) {
		return low
	}
	return text
}

// isClose reports whether the found letters are close enough to be a useful match. The first letter must
// begin a word. Each later run of adjacent letters must begin a word, or be in the same word as the run
// before it. The mean length of a run must be at least about two letters.
func isClose(at []int, text string) bool {
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

// sameWord reports whether no word begins between two letters. The first argument is the text between the letters, and
// the second is the text from the first letter to the end.
func sameWord(between, from string) bool {
	_, size := utf8.DecodeRuneInString(from)
	for i, r := range between {
		if begins(from, size+i) || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// begins reports whether a word begins at an offset. The text cartItem has two words.
func begins(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	here, _ := utf8.DecodeRuneInString(text[at:])
	switch {
	case at == 0, !unicode.IsLetter(before) && !unicode.IsDigit(before):
		return true
	}
	return unicode.IsUpper(here) && !unicode.IsUpper(before)
}
