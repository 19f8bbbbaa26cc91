package gene

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Edge gives a scalar a value at the edge of what its schema allows, where
// programs go wrong: the least, the most, one beside them, 0 and what is next to
// it, the shortest text and the longest. It tells whether the gene has such.
func Edge(r *rand.Rand, g Gene) bool {
	switch g := core(g).(type) {
	case *Integer:
		g.at = g.edge(r)
	case *Long:
		g.at = g.edge(r)
	case *Double:
		g.v = g.edge(r)
	case *Float:
		g.v = g.edge(r)
	case *String:
		return g.edge(r)
	default:
		return false
	}
	return true
}

func (g *Integer) edge(r *rand.Rand) int64 {
	edges := []int64{g.lo, addSaturating(g.lo, 1), addSaturating(g.hi, -1), g.hi, 0, 1, -1}
	edges = slices.DeleteFunc(edges, func(at int64) bool { return at < g.lo || at > g.hi })
	return edges[r.IntN(len(edges))]
}

func (g *Double) edge(r *rand.Rand) float64 {
	edges := [...]float64{g.lo, g.hi, 0, 1, -1}
	return g.fit(edges[r.IntN(len(edges))])
}

// edge leaves a text of a format or a pattern alone.
func (g *String) edge(r *rand.Rand) bool {
	if g.make != nil && !g.loose || g.match != nil {
		return false
	}
	lengths := [...]int{g.min, g.min + 1, g.max}
	g.v = g.text(r, min(lengths[r.IntN(len(lengths))], g.max))
	return true
}

// Echo gives a scalar the value of another one of its kind, or of a number or a
// date now and then one that is near, and tells whether it took it: services
// compare what they are given with what they were given.
func Echo(r *rand.Rand, g, other Gene) bool {
	from := core(other)
	if from == nil || kindOf(core(g)) != kindOf(from) || kindOf(from) == "" {
		return false
	}
	text := Text(from)
	if chance(r, 0.5) {
		text = near(r, from, text)
	}
	return text != Text(g) && PutText(g, text)
}

// IsNumber tells whether a gene is a scalar whose values are numbers.
func IsNumber(g Gene) bool { return kindOf(core(g)) == "number" }

// kindOf names what a scalar's values can be compared with, "" where that is
// nothing.
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

// near returns what is just before or behind a number or within a week of a date;
// other values as they are.
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
