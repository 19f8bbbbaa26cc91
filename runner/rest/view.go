package rest

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sonde/model"
	"sonde/runner/gene"
)

// view is how an operand of the service's came from a value of the test.
type view struct {
	kind viewKind
	at   int     // of a part: where it begins, and
	cut  string  // what it is; of a rest, what stands before the value in the operand,
	tail string  // and behind it
	gap  float64 // of a shift
}

type viewKind int

const (
	whole   viewKind = iota // the value, be it a text, a number or a time
	part                    // the value has the operand in it
	rest                    // the operand has the value in it
	length                  // how long the value is
	letter                  // one of its characters, as a number
	since                   // the time that it is, counted from 1970 on; at says in what
	field                   // a field of that time; at says which
	shifted                 // something that moves as the value does, perhaps
	tail                    // the value and what is behind it in its line
	behind                  // what is not there: the next word of its line
	count                   // how many words are in the line that it begins
)

// The shortest texts that are known by a part of another.
const (
	shortestPart = 2
	shortestRest = 3
)

// views are the ways in which a value may have become an operand.
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
		if t, _, ok := timeOf(text); ok && t.Equal(o.Time) {
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
	if at := strings.Index(text, o.Text); at >= 0 && len(o.Text) >= shortestPart {
		return []view{{kind: part, at: at, cut: o.Text}}
	}
	if before, behind, ok := strings.Cut(o.Text, text); ok && len(text) >= shortestRest && !o.Cut {
		return []view{{kind: rest, cut: before, tail: behind}}
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
	if t, _, ok := timeOf(text); ok {
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

// put is the value that makes the operand what it is compared with, or next to it.
func (v view) put(r *rand.Rand, text string, op model.Relation, with model.Operand) (string, bool) {
	switch v.kind {
	case length:
		return resized(r, text, op, with)
	case letter:
		n := with.Int + step(r, op)
		if with.Kind != model.IntOperand || n < ' ' || n > utf8.MaxRune || !strings.HasPrefix(text[min(v.at, len(text)):], v.cut) {
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
		return gene.Matching(r, with.Text)
	}
	if with.Kind != model.TextOperand {
		return numeral(r, text, op, with)
	}
	return v.putText(r, text, op, with.Text)
}

// putText is for the views of texts.
func (v view) putText(r *rand.Rand, text string, op model.Relation, with string) (string, bool) {
	switch v.kind {
	case part:
		if v.at > len(text) || !strings.HasPrefix(text[v.at:], v.cut) {
			return "", false
		}
		return text[:v.at] + joined(r, v.cut, op, with) + text[v.at+len(v.cut):], true
	case rest:
		if inner, ok := strings.CutPrefix(with, v.cut); ok && strings.HasSuffix(inner, v.tail) {
			with = strings.TrimSuffix(inner, v.tail)
		}
	}
	return joined(r, text, op, with), true
}

// joined is a text that is to another as a relation says, or nearly so.
func joined(r *rand.Rand, text string, op model.Relation, with string) string {
	same := text[min(len(text), len(with)):]
	switch op {
	case model.Begins:
		return with + []string{text, same, ""}[r.IntN(3)]
	case model.Ends:
		return []string{text, text[:max(0, len(text)-len(with))], ""}[r.IntN(3)] + with
	case model.Has:
		half := len(text) / 2
		return []string{text + with, text[:half] + with + text[half:], with}[r.IntN(3)]
	case model.Less, model.NoMore, model.More, model.NoLess:
		return beside(r, with)
	}
	return with
}

// beside is a text, or one just before or behind it in the dictionary.
func beside(r *rand.Rand, text string) string {
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

// step is how far beside an operand a value is put that is to be less or more.
func step(r *rand.Rand, op model.Relation) int64 {
	if op == model.Equal || op == model.Unequal {
		return 0
	}
	return r.Int64N(3) - 1
}

// resized is a text of the length that it was compared with.
func resized(r *rand.Rand, text string, op model.Relation, with model.Operand) (string, bool) {
	n := with.Int + step(r, op)
	if with.Kind != model.IntOperand || n < 0 || n > longestResized {
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

// longestResized bounds how long a text is made.
const longestResized = 4096

// numeral is a number or a time for a value that is one, or next to it.
func numeral(r *rand.Rand, text string, op model.Relation, with model.Operand) (string, bool) {
	switch with.Kind {
	case model.IntOperand:
		return strconv.FormatInt(with.Int+step(r, op), 10), true
	case model.RealOperand:
		return realText(with.Real + float64(step(r, op))*[]float64{1, 0.1, 0.001}[r.IntN(3)]), true
	}
	_, layout, ok := timeOf(text)
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
