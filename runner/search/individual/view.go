package individual

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sonde/model"
	"sonde/runner/search/gene"
)

// view describes a way in which the service may have computed an operand from a value of the test.
type view struct {
	kind viewKind
	// at is the index of cut in the value, for the kinds substring and letter. For since and field, it is an index into
	// units and fields.
	at int
	// cut is the part of the value, for the kinds substring and letter. For superstring, it is the text before the value
	// in the operand. For lineTail, it is the beginning that the service cut off.
	cut  string
	tail string  // for the kind superstring: the text after the value in the operand
	gap  float64 // for the kind shifted: the difference of the operands
}

type viewKind int

const (
	whole       viewKind = iota // the value itself: a text, a number or a time
	substring                   // a part of the value
	superstring                 // a text that contains the value
	length                      // the length of the value
	letter                      // the code point of a character in the value
	since                       // the time since 1970, in units[at]; the value is a time
	field                       // a part of the time, such as the month: fields[at]; the value is a time
	shifted                     // perhaps the sum of the value and another number
	lineTail                    // the rest of a line from the value on, perhaps without the beginning of the value
	nextWord                    // the word after the value; it is missing, because the value is the last word of its line
	wordCount                   // the number of words in a line; the value is its first word
)

// The minimum lengths of texts that are recognised in another text.
const (
	minSubstring   = 2
	minSuperstring = 3
)

// views returns the ways in which the service may have computed an operand from a value.
func views(text string, o model.Operand) []view {
	switch o.Kind {
	case model.TextOperand:
		return viewsOfText(text, o)
	case model.IntOperand:
		return viewsOfInt(text, o.Int)
	case model.RealOperand:
		if f, ok := decimal(text); ok && (f == o.Real || math.Abs(f-o.Real) <= 1e-6*math.Abs(f)) {
			return []view{{kind: whole}}
		}
	case model.TimeOperand:
		if t, _, ok := parseTime(text); ok && t.Equal(o.Time) {
			return []view{{kind: whole}}
		}
	}
	return nil
}

func viewsOfText(text string, o model.Operand) []view {
	switch {
	case !o.Cut && (text == o.Text || strings.EqualFold(text, o.Text) || strings.TrimSpace(text) == o.Text):
		return []view{{kind: whole}}
	case o.Cut && strings.HasPrefix(text, o.Text):
		return []view{{kind: whole}}
	}
	if at := strings.Index(text, o.Text); at >= 0 && len(o.Text) >= minSubstring {
		return []view{{kind: substring, at: at, cut: o.Text}}
	}
	if before, after, ok := strings.Cut(o.Text, text); ok && len(text) >= minSuperstring && !o.Cut {
		return []view{{kind: superstring, cut: before, tail: after}}
	}
	return nil
}

func viewsOfInt(text string, n int64) []view {
	if v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && v == n {
		return []view{{kind: whole}}
	}
	if f, ok := decimal(text); ok && f == float64(n) {
		return []view{{kind: whole}}
	}
	if t, _, ok := parseTime(text); ok {
		return viewsOfTime(t, n)
	}
	var all []view
	if n == int64(len(text)) || n == int64(utf8.RuneCountInString(text)) {
		all = append(all, view{kind: length})
	}
	if n >= ' ' && n <= utf8.MaxRune {
		if at := strings.IndexRune(text, rune(n)); at >= 0 {
			all = append(all, view{kind: letter, at: at, cut: string(rune(n))})
		}
	}
	return all
}

func decimal(text string) (float64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

func isNumber(text string) bool {
	_, ok := decimal(text)
	return ok
}

// put returns a new value in place of text. with is the other operand of the comparison. When the service computes its
// operand from the new value, the two operands should satisfy the relation op, at least nearly. put returns false if it
// finds no such value.
func (v view) put(r *rand.Rand, text string, op model.Relation, with model.Operand) (string, bool) {
	switch v.kind {
	case length:
		return resized(r, text, op, with)
	case letter:
		n := with.Int + step(r, op)
		fits := with.Kind == model.IntOperand && n >= ' ' && n <= utf8.MaxRune
		if !fits || !strings.HasPrefix(text[min(v.at, len(text)):], v.cut) {
			return "", false
		}
		return text[:v.at] + string(rune(n)) + text[v.at+len(v.cut):], true
	case since, field:
		return v.putTime(r, text, op, with)
	case shifted:
		return v.shift(r, text, op)
	}
	if op == model.Matches {
		if with.Cut {
			return "", false
		}
		return gene.MatchingText(r, with.Text)
	}
	if with.Kind != model.TextOperand {
		return numeral(r, text, op, with)
	}
	return v.putText(r, text, op, with.Text)
}

// putText implements put for texts and the kinds of view whole, substring and superstring.
func (v view) putText(r *rand.Rand, text string, op model.Relation, with string) (string, bool) {
	switch v.kind {
	case substring:
		if v.at > len(text) || !strings.HasPrefix(text[v.at:], v.cut) {
			return "", false
		}
		return text[:v.at] + joined(r, v.cut, op, with) + text[v.at+len(v.cut):], true
	case superstring:
		if inner, ok := strings.CutPrefix(with, v.cut); ok && strings.HasSuffix(inner, v.tail) {
			with = strings.TrimSuffix(inner, v.tail)
		}
	}
	return joined(r, text, op, with), true
}

// joined changes a text so that it has, or nearly has, the relation op to the operand other.
func joined(r *rand.Rand, text string, op model.Relation, other string) string {
	same := text[min(len(text), len(other)):]
	switch op {
	case model.HasPrefix:
		return other + []string{text, same, ""}[r.IntN(3)]
	case model.HasSuffix:
		return []string{text, text[:max(0, len(text)-len(other))], ""}[r.IntN(3)] + other
	case model.ContainsText:
		half := len(text) / 2
		return []string{text + other, text[:half] + other + text[half:], other}[r.IntN(3)]
	case model.Less, model.LessOrEqual, model.Greater, model.GreaterOrEqual:
		return adjacent(r, other)
	}
	return other
}

// adjacent returns the text itself, or a text just before or after it in alphabetical order.
func adjacent(r *rand.Rand, text string) string {
	switch n := r.IntN(4); {
	case n == 0:
		return text
	case n == 1 || text == "":
		return text + string(rune('a'+r.IntN(26)))
	case n == 2:
		return text[:len(text)-1]
	}
	last := text[len(text)-1]
	return text[:len(text)-1] + string(rune(max(' ', min('~', int(last)-1+2*r.IntN(2)))))
}

// step returns the distance from an operand to a value that should satisfy a relation to the operand: 0
// for model.Equal and model.Unequal, otherwise -1, 0 or 1.
func step(r *rand.Rand, op model.Relation) int64 {
	if op == model.Equal || op == model.Unequal {
		return 0
	}
	return r.Int64N(3) - 1
}

// resized returns the text with another length: the number with which the service compared the length,
// or one more or less. It returns false if the number cannot be a length or is too large.
func resized(r *rand.Rand, text string, op model.Relation, with model.Operand) (string, bool) {
	n := with.Int + step(r, op)
	if with.Kind != model.IntOperand || n < 0 || n > maxResized {
		return "", false
	}
	runes := []rune(text)
	if more := int(n) - len(runes); more > 0 {
		pad := strings.Repeat(string(rune('a'+r.IntN(26))), more)
		if r.IntN(4) == 0 {
			return pad + text, true
		}
		return text + pad, true
	}
	if r.IntN(4) == 0 {
		return string(runes[len(runes)-int(n):]), true
	}
	return string(runes[:n]), true
}

// maxResized is the maximum number of characters of the text that resized returns.
const maxResized = 4096

// numeral returns the number or time of an operand, or a number or time that is one step larger or smaller, in the
// format of text. For a time it returns false if text is not a time.
func numeral(r *rand.Rand, text string, op model.Relation, with model.Operand) (string, bool) {
	switch with.Kind {
	case model.IntOperand:
		return strconv.FormatInt(with.Int+step(r, op), 10), true
	case model.RealOperand:
		return realText(with.Real + float64(step(r, op))*[]float64{1, 0.1, 0.001}[r.IntN(3)]), true
	}
	_, layout, ok := parseTime(text)
	if !ok {
		return "", false
	}
	return layout.format(with.Time.Add(time.Duration(step(r, op)) * layout.unit)), true
}

func realText(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
