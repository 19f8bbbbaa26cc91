package sondequery

// patternItem is a part of a pattern of LIKE: a certain character, any one character (_), or any number of characters
// (%).
type patternItem struct {
	char      rune
	one, many bool
}

// maxLike is the maximum number of characters of a pattern or text whose distance is computed.
const maxLike = 128

// patternItems splits a pattern of LIKE. If foldCase is set, ASCII letters are compared without regard to case.
func patternItems(pattern string, escape rune, foldCase bool) []patternItem {
	var items []patternItem
	escaped := false
	for _, c := range pattern {
		switch {
		case escaped:
			items, escaped = append(items, patternItem{char: folded(c, foldCase)}), false
		case escape != 0 && c == escape:
			escaped = true
		case c == '%':
			items = append(items, patternItem{many: true})
		case c == '_':
			items = append(items, patternItem{one: true})
		default:
			items = append(items, patternItem{char: folded(c, foldCase)})
		}
	}
	if escaped { // databases match nothing with such a pattern
		return nil
	}
	return items
}

func lower(c rune) rune {
	if 'A' <= c && c <= 'Z' {
		return c - 'A' + 'a'
	}
	return c
}

func folded(c rune, foldCase bool) rune {
	if foldCase {
		return lower(c)
	}
	return c
}

func foldedRunes(s string, foldCase bool) []rune {
	var all []rune
	for _, c := range s {
		all = append(all, folded(c, foldCase))
	}
	return all
}

// isLike reports whether a text matches a pattern.
func isLike(items []patternItem, s []rune) bool {
	i, k, retryItem, retryChar := 0, 0, -1, 0
	for k < len(s) {
		switch {
		case i < len(items) && items[i].many:
			retryItem, retryChar = i, k
			i++
		case i < len(items) && (items[i].one || items[i].char == s[k]):
			i++
			k++
		case retryItem >= 0:
			retryChar++
			i, k = retryItem+1, retryChar
		default:
			return false
		}
	}
	for i < len(items) && items[i].many {
		i++
	}
	return i == len(items)
}

// charWeight is the distance of one character that a text lacks, or that it has and should not have.
const charWeight = 65536

// likeDistance returns how far a text is from matching a pattern: the least sum of the differences of characters,
// and of charWeight for each character that must be inserted or removed. If the text or the pattern has more than
// maxLike characters, the distance is always maxLike * charWeight.
func likeDistance(items []patternItem, s []rune) float64 {
	if len(items) > maxLike || len(s) > maxLike {
		return maxLike * charWeight
	}
	cost := make([]float64, len(s)+1) // for each beginning of s, its distance from the items that were processed
	for k := range cost {
		cost[k] = float64(k) * charWeight
	}
	for _, item := range items {
		diagonal := cost[0]
		if !item.many {
			cost[0] += charWeight
		}
		for k := range s {
			above := cost[k+1]
			if item.many {
				cost[k+1] = min(above, cost[k])
			} else {
				cost[k+1] = min(diagonal+item.difference(s[k]), above+charWeight, cost[k]+charWeight)
			}
			diagonal = above
		}
	}
	return cost[len(s)]
}

// difference returns the difference of a character from an item.
func (p patternItem) difference(c rune) float64 {
	if p.one {
		return 0
	}
	d := float64(p.char) - float64(c)
	return min(max(d, -d), charWeight-1)
}
