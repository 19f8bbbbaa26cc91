package individual

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// constants are the constants in the service's source with which the service compares values.
type constants struct {
	texts, numbers []model.Constant
	named          map[string][]model.Constant // folded name of a variable → constants that are compared with it
}

func newConstants(all []model.Constant) constants {
	c := constants{named: map[string][]model.Constant{}}
	for _, one := range all {
		if one.Number {
			c.numbers = append(c.numbers, one)
		} else {
			c.texts = append(c.texts, one)
		}
		if one.Name != "" {
			key := folded(one.Name)
			c.named[key] = append(c.named[key], one)
		}
	}
	return c
}

// folded returns a name in lower case and without separators, so that min_rating and MinRating are equal.
func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// byNameChance is the probability of drawing a constant that the service compares with a variable named like the
// scalar, if there is such a constant.
const byNameChance = 0.7

// digitsChance is the probability of drawing a number for a text, because the service may parse the text as a
// number.
const digitsChance = 0.1

// fewConstants limits the use of constants for a scalar if none of them is compared with a variable of its name. If
// there are n constants to draw from, more than fewConstants, the scalar gets one with probability fewConstants/n; see
// draw.
const fewConstants = 30

// draw returns a constant for a scalar, or "" to try no constant. It often returns "" if there are more than
// fewConstants constants and none of them is compared with a variable of the scalar's name. A large service has
// hundreds of constants, and a wrong one makes a request invalid.
func (c constants) draw(r *rand.Rand, l leaf) string {
	from := c.texts
	if gene.IsNumber(l.gene) || len(c.numbers) > 0 && r.Float64() < digitsChance {
		from = c.numbers
	}
	named := c.forName(l)
	if len(named) > 0 && r.Float64() < byNameChance {
		from = named
	}
	if len(from) == 0 || len(named) == 0 && len(from) > fewConstants && r.IntN(len(from)) >= fewConstants {
		return ""
	}
	return near(r, from[r.IntN(len(from))])
}

// forName returns the constants that are compared with a variable of the scalar's name. If some of them are of
// the scalar's kind, number or text, it returns only these.
func (c constants) forName(l leaf) []model.Constant {
	all, number := c.named[folded(l.name)], gene.IsNumber(l.gene)
	own := slices.DeleteFunc(slices.Clone(all), func(one model.Constant) bool { return one.Number != number })
	if len(own) == 0 {
		return all
	}
	return own
}

// near returns the text of a constant. For a whole number it may return the next smaller or larger number,
// because the constant may be a bound.
func near(r *rand.Rand, c model.Constant) string {
	n, err := strconv.ParseInt(c.Text, 10, 64)
	if !c.Number || err != nil {
		return c.Text
	}
	return strconv.FormatInt(n+r.Int64N(3)-1, 10)
}

// assign sets one of the scalars to a constant, and reports whether it set one.
func (c constants) assign(r *rand.Rand, all []leaf) bool {
	for range min(len(all), maxTries) {
		l := all[r.IntN(len(all))]
		text := c.draw(r, l)
		if text != "" && text != gene.Text(l.gene) && gene.AssignText(l.gene, text) {
			return true
		}
	}
	return false
}

// due decides by chance, with the given probability, whether to use a constant. If no constant is known, due
// returns false and draws no random number, so that the run is the same as a run without constants.
func (c constants) due(r *rand.Rand, odds float64) bool {
	return len(c.texts)+len(c.numbers) > 0 && r.Float64() < odds
}
