package hostmodel

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Vocabulary has what the source of the service reveals about the texts that the service reads.
// Hosts send such texts. The zero value is empty.
type Vocabulary struct {
	// Schemas are the schemas of JSON that the service reads.
	Schemas []*model.Schema
	// Headers are the names of HTTP headers that the service reads.
	Headers []string
	// ParseableTexts are texts that parsers in the service accept, such as dates.
	ParseableTexts []string
	// Patterns are regular expressions that the service matches with texts.
	Patterns []string
	// Lengths are numbers with which the service compares the lengths of texts.
	Lengths []int
	// WordSeparators are the separators at which the service splits a text into many parts.
	// PairSeparators are the separators at which it splits a text into two parts.
	WordSeparators, PairSeparators []string
	// DrawConstant draws a constant that the service compares with values of a name. It
	// returns "" if there is none. The function may be nil.
	DrawConstant func(r *rand.Rand, name string, g gene.Gene) string
}

const (
	pairChance    = 0.15 // probability that a text becomes a name with a value
	maxPairNumber = 120  // if the value of such a pair is a random number, it is less than this
	partChance    = 0.6  // probability that only a part of a text changes, if the service splits it
	patternChance = 0.08 // probability of a text that matches one of Patterns
	lengthChance  = 0.03 // probability of a text that has one of Lengths
	maxWord       = 1000 // maximum length of a text for lengthChance
)

// pair returns a text unchanged or, with the probability pairChance, as the name of a pair such as
// toner=7. It leaves an empty text empty.
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

// foundText returns a text that the service may search for in an HTTP body, or whose length it
// may check. It returns "" if it draws none.
func (v *Vocabulary) foundText(r *rand.Rand) string {
	switch {
	case len(v.Patterns) > 0 && r.Float64() < patternChance:
		return Expected{v.Patterns[r.IntN(len(v.Patterns))], true}.draw(r)
	case len(v.Lengths) > 0 && r.Float64() < lengthChance:
		return v.textOfLength(r, maxWord)
	}
	return ""
}

// textOfLength returns a text whose length is one of Lengths, or one more. It returns "" if the
// text would be longer than limit.
func (v *Vocabulary) textOfLength(r *rand.Rand, limit int) string {
	n := v.Lengths[r.IntN(len(v.Lengths))] + r.IntN(2)
	if n > limit {
		return ""
	}
	return strings.Repeat("x", n)
}

// replacePart returns text, or previous with one of its parts replaced by text or by one of
// ParseableTexts.
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

// schema draws the schema of a JSON answer of an endpoint: one of Schemas, the schema of a
// request to the endpoint, or one of anySchemas.
func (v *Vocabulary) schema(r *rand.Rand, e *endpoint) *model.Schema {
	switch {
	case len(v.Schemas) > 0 && r.Float64() < knownSchemaChance:
		return v.Schemas[r.IntN(len(v.Schemas))]
	case len(e.sentSchemas) > 0 && r.Float64() < echoChance:
		return e.sentSchemas[r.IntN(len(e.sentSchemas))]
	}
	return anySchemas[r.IntN(len(anySchemas))]
}

// lineFormat draws the separators of words and lines.
func (v *Vocabulary) lineFormat(r *rand.Rand) lineFormat {
	return lineFormat{separator(r, v.WordSeparators, v.PairSeparators, wordSeparators), lineEnds[r.IntN(len(lineEnds))]}
}
