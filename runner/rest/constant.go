package rest

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/gene"
)

// constants are values that the service is known to compare with.
type constants struct {
	texts, numbers []model.Constant
	named          map[string][]model.Constant // by what they are compared with
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

// folded is a name without how it is written: min_rating is MinRating.
func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// byName is how often a value is compared with what has its name, where anything
// does.
const byName = 0.7

// asDigits is how often a text is a number: the service may read it as one.
const asDigits = 0.1

// draw returns a constant for a scalar, "" where there is none.
func (c constants) draw(r *rand.Rand, l leaf) string {
	from := c.texts
	if gene.IsNumber(l.gene) || len(c.numbers) > 0 && r.Float64() < asDigits {
		from = c.numbers
	}
	if named := c.called(l); len(named) > 0 && r.Float64() < byName {
		from = named
	}
	if len(from) == 0 {
		return ""
	}
	return near(r, from[r.IntN(len(from))])
}

// called are the constants that something of a scalar's name is compared with: where
// there are texts and numbers, those of its kind.
func (c constants) called(l leaf) []model.Constant {
	all, number := c.named[folded(l.name)], gene.IsNumber(l.gene)
	own := slices.DeleteFunc(slices.Clone(all), func(one model.Constant) bool { return one.Number != number })
	if len(own) == 0 {
		return all
	}
	return own
}

// near is a constant, or a whole number next to it: it may be a bound.
func near(r *rand.Rand, c model.Constant) string {
	n, err := strconv.ParseInt(c.Text, 10, 64)
	if !c.Number || err != nil {
		return c.Text
	}
	return strconv.FormatInt(n+r.Int64N(3)-1, 10)
}

// hint gives one of a test's scalars a value that the service compares with, and
// reports whether it did.
func (p *Problem) hint(r *rand.Rand, ind *Individual) bool { return p.hintOne(r, ind.leaves()) }

func (p *Problem) hintOne(r *rand.Rand, all []leaf) bool {
	for range min(len(all), someTries) {
		l := all[r.IntN(len(all))]
		text := p.constants.draw(r, l)
		if text != "" && text != gene.Text(l.gene) && gene.PutText(l.gene, text) {
			return true
		}
	}
	return false
}

// hints reports whether it is time for such a value. Where none is known, chance is
// not asked: a run that sees nothing is as if there were no such thing.
func (p *Problem) hints(r *rand.Rand, odds float64) bool {
	return len(p.constants.texts)+len(p.constants.numbers) > 0 && r.Float64() < odds
}
