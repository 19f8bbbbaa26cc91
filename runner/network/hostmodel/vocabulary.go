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
	// Documents are the documents that the service reads.
	Documents []*Document
	// Methods are the messages with which hosts answer methods of gRPC, by the path of the method. StatusCodes are the status
	// codes of gRPC that the source of the service names.
	Methods     map[string]*Document
	StatusCodes []int
	// Queries describe the queries in the source of the service, and what the service reads from their results.
	Queries []*Query
	// HasMySQL means that the service has a driver of MySQL, whose hosts speak first.
	HasMySQL bool
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
	// Prefixes and Suffixes are texts that the service looks for at the beginning and at the end of other texts.
	Prefixes, Suffixes []string
	// DrawConstant draws a constant that the service compares with values that have this name.
	// It returns "" if there is none. The function may be nil.
	DrawConstant func(r *rand.Rand, name string, g gene.Gene) string

	defined map[string]*model.Schema // schemas of columns of tables that the service creates, by column name; see fold
}

const (
	pairChance    = 0.15 // probability that a text becomes a name with a value
	maxPairNumber = 120  // random numbers in texts are less than this
	affixChance   = 0.15 // probability that a text gets one of Prefixes or Suffixes
	partChance    = 0.6  // probability that only a part of a text changes, if the text has a separator of the service
	patternChance = 0.08 // probability of a text that matches one of Patterns
	lengthChance  = 0.03 // probability of a text that has one of Lengths
	maxWord       = 1000 // maximum length of a text that lengthChance draws
)

// pair returns a text unchanged or, with the probability pairChance, a pair that has the text as
// its name, such as toner=7. It returns "" for an empty text.
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

// affix returns a text unchanged or, with the probability affixChance, with one of Prefixes or Suffixes. If the
// text is empty, affix adds the prefix or suffix to a number, or to the result of other.
func (v *Vocabulary) affix(r *rand.Rand, text string, other func() string) string {
	if len(v.Prefixes)+len(v.Suffixes) == 0 || r.Float64() >= affixChance {
		return text
	}
	switch {
	case text != "":
	case r.IntN(2) == 0:
		text = strconv.Itoa(r.IntN(maxPairNumber))
	default:
		text = other()
	}
	n := r.IntN(len(v.Prefixes) + len(v.Suffixes))
	if n < len(v.Prefixes) {
		return v.Prefixes[n] + text
	}
	return text + v.Suffixes[n-len(v.Prefixes)]
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

// replacePart returns a new text for a value. It is the given text, or the previous text of the value in which the part
// before or after a separator is replaced by the given text or by one of ParseableTexts.
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

// Document is a kind of document that a host may send.
type Document struct {
	model.Format
	Schema *model.Schema
}

func jsonDocument(s *model.Schema) *Document {
	return &Document{Format: model.Format{Encoding: model.JSONEncoding}, Schema: s}
}

// document draws the document of an answer: one of Documents, JSON with the schema of a request to the endpoint, or
// JSON with one of anySchemas. Without HTTP, it always draws one of Documents if there are any.
func (v *Vocabulary) document(r *rand.Rand, s *Stub) *Document {
	switch known := len(v.Documents) > 0; {
	case known && (s.protocol != model.HTTP || r.Float64() < knownDocumentChance):
		return knownDocument(r, v.Documents, s.learned)
	case len(s.sentSchemas) > 0 && r.Float64() < echoChance:
		return jsonDocument(s.sentSchemas[r.IntN(len(s.sentSchemas))])
	}
	return jsonDocument(anySchemas[r.IntN(len(anySchemas))])
}

// maxLearned is the maximum weight of a document in knownDocument. A document that was in no successful test of the
// endpoint has the weight 1.
const maxLearned = 10

// knownDocument draws one of several documents. It prefers documents that were in successful tests of the endpoint. learned
// is the number of these tests by document.
func knownDocument(r *rand.Rand, all []*Document, learned map[*Document]int) *Document {
	weight := func(d *Document) int { return 1 + min(2*learned[d], maxLearned-1) }
	total := 0
	for _, d := range all {
		total += weight(d)
	}
	at := r.IntN(total)
	for _, d := range all {
		if at -= weight(d); at < 0 {
			return d
		}
	}
	return nil
}

// lineFormat draws the separators of words and lines.
func (v *Vocabulary) lineFormat(r *rand.Rand) lineFormat {
	return lineFormat{separator(r, v.WordSeparators, v.PairSeparators, wordSeparators), lineEnds[r.IntN(len(lineEnds))]}
}
