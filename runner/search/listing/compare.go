package listing

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Compare returns the order of two values: negative if a comes before b in an ascending list, positive if it comes
// after b, 0 if they are equal. ok is false if services may differ on the order: they sort texts by bytes, by letters
// regardless of case, by the rules of a language, or by the numbers in them.
func Compare(a, b any) (order int, ok bool) {
	switch x := a.(type) {
	case json.Number:
		y, isNumber := b.(json.Number)
		if !isNumber {
			return 0, false
		}
		p, err := x.Float64()
		q, err2 := y.Float64()
		switch {
		case err != nil || err2 != nil:
			return 0, false
		case p < q:
			return -1, true
		case p > q:
			return 1, true
		}
		return 0, x == y // large numbers may differ although they are equal here
	case string:
		y, isText := b.(string)
		if !isText {
			return 0, false
		}
		return compareTexts(x, y)
	}
	return 0, false
}

var (
	wordText = regexp.MustCompile(`^[A-Za-z0-9]+$`)
	timeText = regexp.MustCompile(`^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$`)
)

// compareTexts compares texts of letters and digits. It also compares two times if they have the same length.
func compareTexts(a, b string) (order int, ok bool) {
	if a == b {
		return 0, true
	}
	if timeText.MatchString(a) && timeText.MatchString(b) && len(a) == len(b) {
		return strings.Compare(a, b), true
	}
	if !wordText.MatchString(a) || !wordText.MatchString(b) {
		return 0, false
	}
	folded, other := strings.ToLower(a), strings.ToLower(b)
	i := 0
	for i < min(len(folded), len(other)) && folded[i] == other[i] {
		i++
	}
	if i < len(folded) && i < len(other) && isDigit(folded[i]) && isDigit(other[i]) {
		return 0, false // by their numbers, a10 comes after a2
	}
	if order = strings.Compare(folded, other); order != strings.Compare(a, b) {
		return 0, false
	}
	return order, order != 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
