package gene

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// plainer returns genes whose own value is plainer than that of g, the plainest first. It returns nil if the
// value is the plainest. It does not make the genes inside plainer.
func plainer(g Gene) []Gene {
	switch g := g.(type) {
	case *Boolean:
		return when(g.v, &Boolean{})
	case *Enum:
		return when(g.at > 0, &Enum{literals: g.literals})
	case *Integer:
		return made(g.plainer(), func(at int64) Gene { return &Integer{g.span, at} })
	case *Long:
		return made(g.plainer(), func(at int64) Gene { return &Long{Integer{g.span, at}} })
	case *Double:
		return made(g.plainer(), func(v float64) Gene { return &Double{g.interval, v} })
	case *Float:
		return made(g.plainer(), func(v float64) Gene { return &Float{Double{g.interval, v}} })
	case *String:
		return made(g.plainer(), func(v string) Gene { return &String{g.shape, v} })
	case *Date:
		return unless(newDate(), g)
	case *Time:
		return unless(newTime(), g)
	case *seeded:
		return g.plainer()
	}
	return fewer(g)
}

func when(yes bool, g Gene) []Gene {
	if yes {
		return []Gene{g}
	}
	return nil
}

// unless returns a list with only plain, or nil if plain and g have the same text.
func unless(plain, g Gene) []Gene { return when(Text(plain) != Text(g), plain) }

func made[T any](values []T, gene func(T) Gene) []Gene {
	var all []Gene
	for _, v := range values {
		all = append(all, gene(v))
	}
	return all
}

// plainer returns numbers nearer to 0: first 0 or the bound nearest to 0, then the next number, and the number
// half-way to g.
func (g *Integer) plainer() []int64 {
	plain := min(max(0, g.lo), g.hi)
	distance := func(at int64) uint64 { return uint64(max(at, plain) - min(at, plain)) }
	var all []int64
	for _, at := range []int64{plain, min(plain+1, g.hi), plain + (g.at-plain)/2} {
		if distance(at) < distance(g.at) && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return all
}

// plainer returns 0 or the allowed number nearest to 0. After that, it returns numbers that have fewer digits than
// the value, or that have as many digits and are nearer to 0.
func (g *Double) plainer() []float64 {
	plain := g.fit(0)
	if g.v == plain {
		return nil
	}
	all := []float64{plain}
	for _, v := range []float64{g.fit(1), g.fit(math.Trunc(g.v)), g.fit(math.Trunc(g.v / 2))} {
		fewer := figures(v) < figures(g.v) || figures(v) == figures(g.v) && math.Abs(v) < math.Abs(g.v)
		if fewer && g.allows(v) && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

func figures(v float64) int {
	return len(strings.Trim(strconv.FormatFloat(v, 'f', -1, 64), "-.0"))
}

// draws is how many strings of a format are drawn to choose the plainest.
const draws = 8

// plainer returns shorter strings, and strings that repeat the letter "a". For a string with a format or a
// pattern, it also returns a plainer string that the generator makes. If the schema has a format and no pattern,
// it returns only such a string.
func (g *String) plainer() []string {
	var all []string
	add := func(v string) {
		if shorter(v, g.v) && g.fits(v) && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	chars := []rune(g.v)
	if g.make == nil || g.loose {
		add(strings.Repeat("a", g.min))
		add("a")
	}
	if g.make != nil {
		add(g.drawn())
	}
	if g.make == nil || g.loose || g.match != nil {
		add(string(chars[:len(chars)/2]))
		add(strings.Repeat("a", len(chars)))
	}
	return all
}

// drawn draws some strings of the format, and returns the plainest.
func (g *String) drawn() string {
	r := rand.New(rand.NewPCG(1, 2))
	best := g.make(r)
	for range draws - 1 {
		if v := g.make(r); shorter(v, best) {
			best = v
		}
	}
	return best
}

// shorter reports whether a is plainer than b. The shorter text is plainer; of texts with the same length, the text
// with more letters "a" is plainer; otherwise the first in alphabetical order is.
func shorter(a, b string) bool {
	others := func(s string) int { return utf8.RuneCountInString(s) - strings.Count(s, "a") }
	length := cmp.Compare(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	return cmp.Or(length, cmp.Compare(others(a), others(b)), cmp.Compare(a, b)) < 0
}

// plainer returns the scalar with its default or, without a default, with its last example. It returns nil if
// the scalar already has this value, and for genes that are not scalars.
func (g *seeded) plainer() []Gene {
	if !IsScalar(g) {
		return nil
	}
	for _, seed := range slices.Backward(g.values) {
		if c := g.Clone().(*seeded); c.SetValue(seed) && c.atSeed() {
			return unless(c, g)
		}
	}
	return nil
}

// atSeed reports whether the value of a scalar is its default or an example, which count as the plainest values.
func (g *seeded) atSeed() bool {
	if !IsScalar(g) {
		return false
	}
	return g.known[string(JSON(g))]
}
