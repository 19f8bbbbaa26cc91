package gene

import (
	"math/rand/v2"
	"regexp"
	"unicode/utf8"

	"sonde/model"
)

const longestString = 8192 // upper bound whatever the schema says

// String is a text of 0 to model.Sizes.Text characters, unless its schema says otherwise.
type String struct {
	*shape
	v string
}

// shape holds the constraints of a string. All clones share it.
type shape struct {
	min, max int // length in characters
	usual    int // maximum length of a sampled string, unless min is greater; see model.Sizes
	// make returns a string of the pattern, of the format, or of the format that the name indicates. It is nil for a
	// string without a pattern and a format.
	make func(r *rand.Rand) string
	// match is the pattern, or nil.
	match *regexp.Regexp
	// plain strings have letters and digits only.
	plain bool
	// loose strings may be sampled without make, because only their name indicates the format.
	loose bool
	// unbounded strings have no maximum length in the schema; max is a default.
	unbounded bool
}

// newShape returns a shape with the schema's bounds of length. most is the upper bound if the schema has none, and usual
// the maximum length of a sampled string. newShape swaps bounds that are in the wrong order.
func newShape(s *model.Schema, most, usual int) *shape {
	low, high := max(s.MinLength, 0), max(most, s.MinLength)
	if s.MaxLength != nil {
		high = max(*s.MaxLength, 0)
	}
	if low > high {
		low, high = high, low
	}
	return &shape{
		min: min(low, longestString), max: min(high, longestString), usual: usual, unbounded: s.MaxLength == nil,
	}
}

// fits reports whether a string has an allowed length and matches the pattern.
func (s *shape) fits(v string) bool {
	n := utf8.RuneCountInString(v)
	return n >= s.min && n <= s.max && (s.match == nil || s.match.MatchString(v))
}

// allows reports whether the schema allows a string. If the schema has no maximum length, the string may be longer
// than sampled strings.
func (s *shape) allows(v string) bool {
	if s.unbounded && s.match == nil {
		return len(v) <= longestString && utf8.RuneCountInString(v) >= s.min
	}
	return s.fits(v)
}

// Sample draws a string within the constraints.
func (g *String) Sample(r *rand.Rand) {
	if g.make != nil && !(g.loose && chance(r, otherMeaning)) {
		g.v = g.make(r)
		return
	}
	most := max(g.min, min(g.max, g.usual))
	g.v = g.text(r, g.min+r.IntN(most-g.min+1))
}

// MutateValue changes a character, drops the last character, or appends a character. A string mostly keeps
// its format or pattern.
func (g *String) MutateValue(r *rand.Rand, _ Pace) bool {
	if g.make != nil && !(g.loose && chance(r, otherMeaning)) && chance(r, 0.9) && g.remake(r) {
		return true
	}
	v, ok := g.move(r)
	g.v = v
	return ok
}

// remake changes the string to another string of the same format or pattern: a similar string if a move keeps the
// pattern, otherwise a new string. It reports whether the string changed.
func (g *String) remake(r *rand.Rand) bool {
	for range 8 {
		var v string
		if g.match != nil && chance(r, 0.8) {
			v, _ = g.move(r)
		} else {
			v = g.make(r)
		}
		if v != g.v && g.fits(v) {
			g.v = v
			return true
		}
	}
	return false
}

// move returns the string after a random move: a changed, dropped or appended character. It returns false if
// the bounds of length allow no move.
func (g *String) move(r *rand.Rand) (string, bool) {
	chars := []rune(g.v)
	n := len(chars)
	var moves []func()
	if n > 0 {
		moves = append(moves, func() { g.change(r, chars) })
	}
	if n > g.min {
		moves = append(moves, func() { chars = chars[:n-1] })
	}
	if n < g.max {
		moves = append(moves, func() { chars = append(chars, g.character(r)) })
	}
	if len(moves) == 0 {
		return g.v, false
	}
	moves[r.IntN(len(moves))]()
	return string(chars), true
}

// change replaces a random character by another one, in place.
func (s *shape) change(r *rand.Rand, chars []rune) {
	i := r.IntN(len(chars))
	for old := chars[i]; chars[i] == old; {
		chars[i] = s.character(r)
	}
}

// Clone returns a copy.
func (g *String) Clone() Gene {
	c := *g
	return &c
}

// SetValue accepts a string of an allowed length that matches the pattern.
func (g *String) SetValue(v any) bool {
	s, ok := v.(string)
	if !ok || !utf8.ValidString(s) || !g.allows(s) {
		return false
	}
	g.v = s
	return true
}

// AppendJSON appends the string in quotes.
func (g *String) AppendJSON(dst []byte) []byte { return appendQuoted(dst, g.v) }

func (g *String) appendText(dst []byte) []byte { return append(dst, g.v...) }

const (
	common = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	marks  = " -_.,:;!?@#$()[]+*/='"
)

// special are characters that often cause errors; none is a control character.
var special = []rune("\"\\<>&%|{}~^`äßéñ中文Жא😀")

// character returns a letter or digit. Unless the string is plain, it rarely returns a punctuation mark, and very
// rarely a special character.
func (s *shape) character(r *rand.Rand) rune {
	switch n := r.IntN(50); {
	case s.plain:
	case n == 0:
		return special[r.IntN(len(special))]
	case n < 5:
		return rune(marks[r.IntN(len(marks))])
	}
	return rune(common[r.IntN(len(common))])
}

// text returns n random characters.
func (s *shape) text(r *rand.Rand, n int) string {
	text := make([]byte, 0, n+4)
	for range n {
		text = utf8.AppendRune(text, s.character(r))
	}
	return string(text)
}
