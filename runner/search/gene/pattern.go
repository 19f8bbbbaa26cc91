package gene

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/model"
)

const (
	longestPattern = 4096 // longer patterns are ignored
	// longerChance is the probability of a longer text with a match in it, if the expression and the lengths allow one.
	longerChance = 0.1
	tries        = 256 // attempts to sample a value that fits the constraints
	// maxWork is the maximum of a string's length times the number of the expression's instructions. It bounds
	// the time of matching.
	maxWork = 1 << 20
)

// pattern generates strings from a regular expression.
type pattern struct {
	tree  *syntax.Regexp
	root  piece
	match *regexp.Regexp
	insts int // instructions of the compiled expression
}

// piece appends a string that matches one part of an expression.
type piece func(w *writer)

// escaped matches ECMA 262's \uXXXX, which Go does not have.
var escaped = regexp.MustCompile(`\\u([0-9a-fA-F]{4})`)

// manyTimes matches loops whose upper bound has four or more digits. Go allows at most a thousand repetitions.
var manyTimes = regexp.MustCompile(`\{(\d+),\d{4,}\}`)

// newPattern parses a regular expression. If Go cannot parse the expression, newPattern removes two things
// that Go's syntax lacks: lookaround, and the upper bounds of long loops. It returns nil for an empty or very
// long expression, or if Go still cannot parse it.
func newPattern(expr string) *pattern {
	if expr == "" || len(expr) > longestPattern {
		return nil
	}
	expr = escaped.ReplaceAllString(expr, `\x{$1}`)
	match, err := regexp.Compile(expr)
	if err != nil {
		expr = manyTimes.ReplaceAllString(withoutLookaround(expr), "{$1,}")
		match, err = regexp.Compile(expr)
		if err != nil {
			return nil
		}
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil
	}
	return &pattern{tree: tree, root: compile(tree), match: match, insts: len(prog.Inst)}
}

// patterned returns the shape of strings with the schema's pattern and lengths. It returns nil if the schema has no
// pattern that can be used. usual is the value of the shape's field usual.
func patterned(m *model.Schema, usual int) *shape {
	p := newPattern(m.Pattern)
	if p == nil {
		return nil
	}
	s := newShape(m, longestString, usual)
	s.max = min(s.max, maxWork/p.insts)
	s.match = p.match
	sure, ok := p.generate(rand.New(rand.NewPCG(1, 2)), s)
	if !ok {
		return nil
	}
	s.make = func(r *rand.Rand) string {
		text, ok := p.generate(r, s)
		if !ok {
			return sure
		}
		if chance(r, longerChance) {
			all := longerTexts(text)
			if longer := all[r.IntN(len(all))]; s.fits(longer) {
				return longer
			}
		}
		return text
	}
	return s
}

// MatchingText returns a text that a regular expression matches, and false if none is found.
func MatchingText(r *rand.Rand, expr string) (string, bool) {
	if s := patterned(&model.Schema{Pattern: expr}, model.DefaultSizes().Text); s != nil {
		return s.make(r), true
	}
	return "", false
}

// NonMatchingText returns a short text that a regular expression does not match, and false if none is
// found.
func NonMatchingText(expr string) (string, bool) {
	p := newPattern(expr)
	if p == nil {
		return "", false
	}
	for _, text := range []string{"x-none", "!", "0", " "} {
		if !p.match.MatchString(text) {
			return text, true
		}
	}
	return "", false
}

// generate returns a string that fits the shape, or its last attempt and false. Loops repeat more often after an
// attempt that was too short, and less often after an attempt that was too long.
func (p *pattern) generate(r *rand.Rand, s *shape) (string, bool) {
	w := &writer{r: r, more: r.IntN(s.usual)}
	for try, work := 0, 0; try < tries && work < 2*maxWork; try++ {
		w.text, w.rounds = w.text[:0], 0
		p.root(w)
		work += w.rounds + len(w.text)*p.insts
		text := string(w.text)
		switch n := utf8.RuneCountInString(text); {
		case n < s.min:
			w.more = min(2*w.more+1, longestString)
		case n > s.max:
			w.more /= 2
		case s.match.MatchString(text):
			return text, true
		default:
			w.more = r.IntN(s.usual)
		}
	}
	return string(w.text), false
}

// writer holds the string that is being written.
type writer struct {
	r    *rand.Rand
	text []byte
	// more is the number of repetitions beyond the minimum that a loop may have.
	more   int
	rounds int // repetitions of all loops so far
}

// full counts a repetition of a loop, and reports whether loops must end. Nested loops might otherwise repeat without
// bound, even if they write nothing.
func (w *writer) full() bool {
	w.rounds++
	return len(w.text) > longestString || w.rounds > 2*longestString
}

// compile returns the generator of an expression. Anchors and word boundaries write nothing; generate checks
// them when it matches the whole string.
func compile(re *syntax.Regexp) piece {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(string(re.Rune))
	case syntax.OpCharClass:
		return class(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return anyOf([]byte(common))
	case syntax.OpCapture:
		return compile(re.Sub[0])
	case syntax.OpConcat:
		return concat(compileAll(re.Sub))
	case syntax.OpAlternate:
		return alternate(compileAll(re.Sub))
	case syntax.OpStar:
		return repeat(compile(re.Sub[0]), 0, -1)
	case syntax.OpPlus:
		return repeat(compile(re.Sub[0]), 1, -1)
	case syntax.OpQuest:
		return repeat(compile(re.Sub[0]), 0, 1)
	case syntax.OpRepeat:
		return repeat(compile(re.Sub[0]), re.Min, re.Max)
	}
	return literal("")
}

func compileAll(subs []*syntax.Regexp) []piece {
	pieces := make([]piece, len(subs))
	for i, sub := range subs {
		pieces[i] = compile(sub)
	}
	return pieces
}

func literal(text string) piece {
	return func(w *writer) { w.text = append(w.text, text...) }
}

func anyOf(chars []byte) piece {
	return func(w *writer) { w.text = append(w.text, chars[w.r.IntN(len(chars))]) }
}

func concat(pieces []piece) piece {
	return func(w *writer) {
		for _, p := range pieces {
			p(w)
		}
	}
}

func alternate(pieces []piece) piece {
	return func(w *writer) { pieces[w.r.IntN(len(pieces))](w) }
}

// repeat returns a piece that writes p between low and high times, but at most low plus writer.more times. high -1
// means no bound.
func repeat(p piece, low, high int) piece {
	return func(w *writer) {
		more := w.more
		if high >= 0 {
			more = min(more, high-low)
		}
		for range low + w.r.IntN(more+1) {
			if w.full() {
				return
			}
			p(w)
		}
	}
}

// class returns a piece that writes one character of a class, a printable ASCII character if the class has
// any. ranges are pairs of bounds.
func class(ranges []rune) piece {
	var ascii []byte
	for c := byte(' '); c <= '~'; c++ {
		if in(rune(c), ranges) {
			ascii = append(ascii, c)
		}
	}
	if len(ascii) > 0 {
		return anyOf(ascii)
	}
	return func(w *writer) { w.text = appendRune(w.r, w.text, ranges) }
}

func in(c rune, ranges []rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i] <= c && c <= ranges[i+1] {
			return true
		}
	}
	return false
}

// appendRune appends a random character of a class, if possible a printable one. It appends nothing for an
// empty class.
func appendRune(r *rand.Rand, dst []byte, ranges []rune) []byte {
	if len(ranges) < 2 {
		return dst
	}
	c := ranges[0]
	for range 16 {
		i := 2 * r.IntN(len(ranges)/2)
		c = ranges[i] + r.Int32N(ranges[i+1]-ranges[i]+1)
		if unicode.IsPrint(c) {
			break
		}
	}
	return utf8.AppendRune(dst, c)
}

// withoutLookaround returns the expression without the groups (?=…), (?!…), (?<=…) and (?<!…). The result matches all
// strings that the expression matches, and perhaps more.
func withoutLookaround(expr string) string {
	for _, open := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		for {
			from := strings.Index(expr, open)
			if from < 0 {
				break
			}
			expr = expr[:from] + expr[from+groupLength(expr[from:]):]
		}
	}
	return expr
}

// groupLength returns the length of the group at the start of an expression.
func groupLength(expr string) int {
	depth, class := 0, false
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(expr)
}
