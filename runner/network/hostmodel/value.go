package hostmodel

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Expected is a text that the service compared with a value from a host. If Pattern is set, Text
// is a regular expression with which the service matched the value.
type Expected struct {
	Text    string
	Pattern bool
}

// maxExpected is the maximum number of Expected values that are kept for one name.
const maxExpected = 40

// StubValue is a value that a stub sends. Its Name depends on the kind of value:
//   - a word of a line: its number in the line, from 1
//   - the status of HTTP: "status"
//   - the status of gRPC: "code", and "message" for the message of an error
//   - a header: the name of the header
//   - a resource of the environment: the resource, such as "hostname"
//   - a document, the records of a DNS answer, or the reply of a database: ""
type StubValue struct {
	gene.Field
	*Stub
	line    gene.Gene // the line of a word; nil for other values
	at      int       // index of the word in the line
	between string    // the separator of the line's words
}

// LineTail returns the word with the rest of its line. It returns "" for the last word of a line
// and for a value that is not a word.
func (s *StubValue) LineTail() string {
	if words := gene.Elements(s.line); s.at+1 < len(words) {
		return joinWords(words[s.at:], s.between)
	}
	return ""
}

// SetLineTail replaces the word and the rest of its line by a text. It returns false if the word
// cannot have this text.
func (s *StubValue) SetLineTail(text string) bool {
	return gene.AssignText(s.Gene, text) && gene.TruncateArray(s.line, s.at+1)
}

// IsLastWord reports whether the word is the last of a line of words.
func (s *StubValue) IsLastWord() bool { return s.between != "" && s.at+1 == len(gene.Elements(s.line)) }

// AppendWord adds a separator and a text after the word. It returns false if the word is not the
// last of its line, or cannot have the longer text.
func (s *StubValue) AppendWord(text string) bool {
	return s.IsLastWord() && gene.AssignText(s.Gene, gene.Text(s.Gene)+s.between+text)
}

// NextName returns the name of the next word in the line. The name of a word is its position,
// counted from 1.
func (s *StubValue) NextName() string { return strconv.Itoa(s.at + 2) }

// WordCount returns the number of words in the line if the value is the first word of a line. It
// returns 0 for other values.
func (s *StubValue) WordCount() int {
	if s.at != 0 || s.between == "" {
		return 0
	}
	return len(gene.Elements(s.line))
}

// SetWordCount changes the number of words in the line to n. To shorten the line, it removes words at the end, but
// never the first word. To make the line longer, it repeats the first of the words that can have any text. It reports
// whether the line has changed.
func (s *StubValue) SetWordCount(n int) bool {
	words := gene.Elements(s.line)
	if n < len(words) {
		return gene.TruncateArray(s.line, max(1, n))
	}
	more := n - len(words)
	return more > 0 && slices.ContainsFunc(words, func(w gene.Gene) bool {
		return gene.AssignText(w, gene.Text(w)+strings.Repeat(s.between+gene.Text(w), more))
	})
}

// Alternative returns a text other than current, for which the service may look in values with this name. If no such
// text is known, it returns the current text with an "x" appended.
func (s *StubValue) Alternative(r *rand.Rand, name, current string) string {
	all := slices.DeleteFunc(slices.Clone(s.expected[name]), func(e Expected) bool { return e.Text == current })
	if len(all) == 0 {
		return current + "x"
	}
	return all[r.IntN(len(all))].draw(r)
}

func joinWords(words []gene.Gene, between string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = gene.Text(w)
	}
	return strings.Join(all, between)
}

// StubValues returns all values that a stub sends.
func (s *Stub) StubValues() (all []StubValue) {
	for _, a := range s.answers {
		if a.body != nil && a.sendsBody() {
			all = append(all, a.values(s)...)
		}
		for _, f := range a.headValues() {
			all = append(all, StubValue{Field: f, Stub: s})
		}
	}
	return all
}

// headValues returns the values that an answer sends besides its body.
func (a *answer) headValues() (all []gene.Field) {
	if a.code != nil && a.sendsBody() {
		all = append(all, gene.Field{Name: "status", Gene: a.code})
	}
	if a.status != nil {
		all = append(all, a.status.values()...)
	} else if a.media != nil && a.sendsBody() {
		all = append(all, gene.Field{Name: contentType, Gene: a.media})
	}
	for _, h := range a.headers {
		all = append(all, gene.Field{Name: h.name, Gene: h.value})
	}
	return all
}

// values returns the values of an answer's body: its words, or the whole body as one value.
func (a *answer) values(s *Stub) (all []StubValue) {
	if a.form == resourceValue {
		return []StubValue{{Field: gene.Field{Name: s.host, Gene: a.body}, Stub: s}}
	}
	if !a.hasWords() {
		return []StubValue{{Field: gene.Field{Gene: a.body}, Stub: s}}
	}
	for _, line := range gene.Elements(a.body) {
		for i, word := range wordsOf(line) {
			all = append(all, StubValue{Field: word, Stub: s, line: line, at: i, between: a.format.between})
		}
	}
	return all
}

// hasWords reports whether the body consists of lines of words.
func (a *answer) hasWords() bool {
	return a.form != structured && a.form != databaseReply && a.form != resourceValue && a.record.name == ""
}

// RecordExpected records a text that the service compared with a value of the stub. Later stubs of
// the endpoint may send this text in values with the same name.
func (s *Stub) RecordExpected(name string, e Expected) {
	if s.expected == nil {
		s.expected = map[string][]Expected{}
	}
	all := s.expected[name]
	if e.Text == "" || slices.Contains(all, e) {
		return
	}
	s.expected[name] = append(all[max(0, len(all)-maxExpected+1):len(all):len(all)], e)
}

// wordsOf returns the words of a line, named by their numbers.
func wordsOf(line gene.Gene) (all []gene.Field) {
	for i, w := range gene.Elements(line) {
		all = append(all, gene.Field{Name: strconv.Itoa(i + 1), Gene: w})
	}
	return all
}

// Probabilities of the sources of a value. expectedText tries the sources one after the other.
const (
	expectedChance  = 0.5  // a text that the service compared with a value of the same name
	argumentChance  = 0.25 // an argument of a request to the same database, for a value of its reply
	constantChance  = 0.35 // a constant in the service's source
	verbChance      = 0.5  // a constant, for the first word of a line if constantChance drew none
	hostChance      = 0.05 // the name of a host
	parseableChance = 0.1  // a text that a parser of the service accepts
)

// suggest sets the field f, and all fields inside it, to texts that the service may look for. Chance decides for each
// field whether it gets a text. The other fields do not change.
func (sa sampler) suggest(e *endpoint, f gene.Field) {
	for _, item := range gene.Elements(f.Gene) {
		sa.suggest(e, gene.Field{Name: f.Name, Gene: item})
	}
	for _, inner := range gene.PresentFields(f.Gene) {
		sa.suggest(e, inner)
	}
	if text := sa.drawText(e, f); gene.IsScalar(f.Gene) && text != "" {
		gene.AssignText(f.Gene, text) // has no effect on a value that cannot have the text
	}
}

// drawText draws a text that the service may look for in a value. Sometimes it makes the text longer: a pair such as
// toner=7, or a text with one of the known prefixes or suffixes. It returns "" if it draws none.
func (sa sampler) drawText(e *endpoint, f gene.Field) string {
	v := sa.vocabulary
	text := v.pair(sa.Rand, sa.expectedText(e, f))
	return v.affix(sa.Rand, text, func() string {
		if len(v.ParseableTexts) > 0 && sa.IntN(2) == 0 {
			return v.ParseableTexts[sa.IntN(len(v.ParseableTexts))]
		}
		return sa.endpoints.anyName(sa.Rand)
	})
}

// expectedText draws a text that the service may look for in a value. It returns "" if it draws none.
func (sa sampler) expectedText(e *endpoint, f gene.Field) string {
	v := sa.vocabulary
	all := e.expected[f.Name]
	drawsConstant := func() bool {
		return sa.Float64() < constantChance || f.Name == "1" && sa.Float64() < verbChance
	}
	switch {
	case len(all) > 0 && sa.Float64() < expectedChance:
		return all[sa.IntN(len(all))].draw(sa.Rand)
	case len(e.arguments) > 0 && sa.Float64() < argumentChance:
		return e.arguments[sa.IntN(len(e.arguments))]
	case v.DrawConstant != nil && drawsConstant():
		return v.DrawConstant(sa.Rand, f.Name, f.Gene)
	case len(v.ParseableTexts) > 0 && sa.Float64() < parseableChance:
		return v.ParseableTexts[sa.IntN(len(v.ParseableTexts))]
	case sa.Float64() < hostChance:
		return sa.endpoints.anyHost(sa.Rand)
	case e.protocol == model.HTTP:
		return v.foundText(sa.Rand)
	}
	return ""
}

// MutateValue sets the value f to a text that the service may look for. f is the value s itself or a value inside s.
// MutateValue reports whether f has changed.
func (h *Hosts) MutateValue(r *rand.Rand, s *StubValue, f gene.Field) bool {
	was := gene.Text(f.Gene)
	text := h.Vocabulary.replacePart(r, was, h.sampler(r).drawText(s.endpoint, f))
	return text != "" && text != was && gene.AssignText(f.Gene, text)
}

// draw returns Text or, if Text is a pattern, a text that the pattern matches.
func (e Expected) draw(r *rand.Rand) string {
	if !e.Pattern {
		return e.Text
	}
	text, _ := gene.MatchingText(r, e.Text)
	return text
}
