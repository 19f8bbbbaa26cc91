package hostmodel

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Vocabulary holds what the source of the service reveals about the texts that it reads.
// It shapes what hosts send. The zero value knows nothing.
type Vocabulary struct {
	// Schemas are the shapes of JSON that the service reads.
	Schemas []*model.Schema
	// Headers are the names of HTTP headers that it reads.
	Headers []string
	// ParseableTexts are texts that its parsers accept, such as dates.
	ParseableTexts []string
	// Patterns are regular expressions that it searches texts for.
	Patterns []string
	// Lengths are lengths of texts that it compares with.
	Lengths []int
	// WordSeparators are texts by which it splits others into many parts, and
	// PairSeparators those by which it splits them into two.
	WordSeparators, PairSeparators []string
	// DrawConstant draws a value that the service compares with a value of a name. It
	// returns "" where there is none, as a nil function does.
	DrawConstant func(r *rand.Rand, name string, g gene.Gene) string
}

const (
	pairChance    = 0.15 // that a text becomes a name with a value
	maxPairNumber = 120  // values of such pairs are below it
	partChance    = 0.6  // that only a part of a text changes where the service splits it
	patternChance = 0.08 // that a text matches a regular expression
	lengthChance  = 0.03 // that a text has one of the lengths
	maxWord       = 1000 // characters of a word that has one of the lengths
)

// pair returns a text as it is or, with a small chance, as a pair such as toner=7. It
// returns "" for "".
func (v *Vocabulary) pair(r *rand.Rand, text string) string {
	if text == "" || r.Float64() >= pairChance {
		return text
	}
	value := strconv.Itoa(r.IntN(maxPairNumber))
	if len(v.ParseableTexts) > 0 && r.IntN(2) == 0 {
		value = v.ParseableTexts[r.IntN(len(v.ParseableTexts))]
	}
	return text + separator(r, v.PairSeparators, v.WordSeparators, pairSeparators) + value
}

// foundText returns a text that the service may search for in an HTTP body, or whose
// length it may check; "" for none.
func (v *Vocabulary) foundText(r *rand.Rand) string {
	switch {
	case len(v.Patterns) > 0 && r.Float64() < patternChance:
		return Expected{v.Patterns[r.IntN(len(v.Patterns))], true}.draw(r)
	case len(v.Lengths) > 0 && r.Float64() < lengthChance:
		return v.textOfLength(r, maxWord)
	}
	return ""
}

// textOfLength returns a text that has one of the known lengths, or is one byte longer. It
// returns "" where that is longer than limit.
func (v *Vocabulary) textOfLength(r *rand.Rand, limit int) string {
	n := v.Lengths[r.IntN(len(v.Lengths))] + r.IntN(2)
	if n > limit {
		return ""
	}
	return strings.Repeat("x", n)
}

// replacePart returns a text, or the previous text with one of its parts replaced by that
// text or by a parseable one.
func (v *Vocabulary) replacePart(r *rand.Rand, previous, text string) string {
	for _, by := range slices.Concat(v.PairSeparators, v.WordSeparators) {
		before, after, ok := strings.Cut(previous, by)
		switch {
		case !ok || r.Float64() >= partChance:
		case len(v.ParseableTexts) > 0 && r.IntN(3) == 0:
			return before + by + v.ParseableTexts[r.IntN(len(v.ParseableTexts))]
		case text == "":
		case r.IntN(2) == 0:
			return before + by + text
		default:
			return text + by + after
		}
	}
	return text
}

// schema returns a schema for JSON that an endpoint may answer: one that the service reads,
// one of what it sent there, or any.
func (v *Vocabulary) schema(r *rand.Rand, e *endpoint) *model.Schema {
	switch {
	case len(v.Schemas) > 0 && r.Float64() < knownSchemaChance:
		return v.Schemas[r.IntN(len(v.Schemas))]
	case len(e.asks) > 0 && r.Float64() < echoChance:
		return e.asks[r.IntN(len(e.asks))]
	}
	return anySchemas[r.IntN(len(anySchemas))]
}

// lineFormat draws how words and lines are put together.
func (v *Vocabulary) lineFormat(r *rand.Rand) lineFormat {
	return lineFormat{separator(r, v.WordSeparators, v.PairSeparators, wordSeparators), lineEnds[r.IntN(len(lineEnds))]}
}
