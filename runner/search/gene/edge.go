package gene

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// SetEdge sets a scalar to a value at the edge of what its schema allows: the least or the greatest number; 0, 1 or -1;
// a whole number next to the least or the greatest; or a text of the least, the second least or the greatest length. It
// returns false if the gene has no such value.
func SetEdge(r *rand.Rand, g Gene) bool {
	switch g := core(g).(type) {
	case *Integer:
		return drawn(r, g.edges(), &g.at)
	case *Long:
		return drawn(r, g.edges(), &g.at)
	case *Double:
		return drawn(r, g.edges(), &g.v)
	case *Float:
		return drawn(r, g.edges(), &g.v)
	case *String:
		return drawn(r, g.edges(r), &g.v)
	}
	return false
}

// drawn sets *to to a random one of the values. It returns false if there are no values.
func drawn[T any](r *rand.Rand, values []T, to *T) bool {
	if len(values) == 0 {
		return false
	}
	*to = values[r.IntN(len(values))]
	return true
}

func (g *Integer) edges() []int64 {
	edges := []int64{g.lo, addSaturating(g.lo, 1), addSaturating(g.hi, -1), g.hi, 0, 1, -1}
	return ascending(slices.DeleteFunc(edges, func(at int64) bool { return at < g.lo || at > g.hi }))
}

func (g *Double) edges() []float64 {
	return ascending([]float64{g.fit(g.lo), g.fit(g.hi), g.fit(0), g.fit(1), g.fit(-1)})
}

// edges returns texts of the least length, of the second least length and of the greatest length. It returns nil for
// a text with a format or a pattern.
func (g *String) edges(r *rand.Rand) []string {
	if g.make != nil && !g.loose || g.match != nil {
		return nil
	}
	var all []string
	for _, n := range ascending([]int{g.min, min(g.min+1, g.max), g.max}) {
		all = append(all, g.text(r, n))
	}
	return all
}

func ascending[T cmp.Ordered](values []T) []T {
	slices.Sort(values)
	return slices.Compact(values)
}

// ResampleText samples a text again. It does not change other genes.
func ResampleText(r *rand.Rand, g Gene) {
	if text, ok := core(g).(*String); ok {
		text.Sample(r)
	}
}

// CopyValue sets a scalar to the value of another scalar of the same kind, because services often compare two inputs
// with each other. With probability 1/2 it uses a neighbour of the other value instead, if there is one; see near.
// CopyValue reports whether the gene changed.
func CopyValue(r *rand.Rand, g, other Gene) bool {
	if !Comparable(g, other) {
		return false
	}
	from := core(other)
	text := Text(from)
	if chance(r, 0.5) {
		text = near(r, from, text)
	}
	return text != Text(g) && AssignText(g, text)
}

// Comparable reports whether two genes are scalars of the same kind, so that their values can be
// compared.
func Comparable(g, other Gene) bool {
	kind := kindOf(core(g))
	return kind != "" && kind == kindOf(core(other))
}

// IsNumber reports whether a gene is a scalar whose values are numbers.
func IsNumber(g Gene) bool { return kindOf(core(g)) == "number" }

// IsDate reports whether a gene is a scalar whose values are dates, as in RFC 3339.
func IsDate(g Gene) bool { return kindOf(core(g)) == "date" }

// IsDateTime reports whether a gene is a scalar whose values are times with a date, as in RFC 3339.
func IsDateTime(g Gene) bool { return kindOf(core(g)) == "time" }

// kindOf returns the kind of a scalar's values. Values of the same kind can be compared. It returns "" for booleans and
// times of day, and for genes that are not scalars.
func kindOf(g Gene) string {
	switch g.(type) {
	case *Integer, *Long, *Double, *Float:
		return "number"
	case *String, *Enum, *Base64String:
		return "text"
	case *Date:
		return "date"
	case *DateTime:
		return "time"
	}
	return ""
}

// near returns a neighbour of a whole number of 32 bits, or moves a date or a date-time by at most a week. It returns
// other values unchanged.
func near(r *rand.Rand, g Gene, text string) string {
	switch g := g.(type) {
	case *Integer:
		return Text(&Integer{g.span, min(max(g.lo, g.at+1-2*r.Int64N(2)), g.hi)})
	case *Date:
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return day.AddDate(0, 0, r.IntN(15)-7).Format(time.DateOnly)
		}
	case *DateTime:
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return strings.ToUpper(at.AddDate(0, 0, r.IntN(15)-7).Format(time.RFC3339))
		}
	}
	return text
}
