package outside

import (
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/gene"
)

// Expected is a text that the service compared with a value which a place said, or an
// expression for such texts.
type Expected struct {
	Text    string
	Pattern bool
}

// mostExpected is how much is kept for values of one name.
const mostExpected = 40

// Said is a value that a stub says: by its name where it has one or, of a word, by where
// it stands in its line.
type Said struct {
	gene.Field
	*Stub
	line    gene.Gene // of words, nil where there is none
	at      int
	between string
}

// Tail is the word with all that is behind it in its line, "" where nothing is.
func (s *Said) Tail() string {
	if words := gene.Items(s.line); s.at+1 < len(words) {
		return join(words[s.at:], s.between)
	}
	return ""
}

// PutTail puts a text where the word is and all that is behind it in its line, and reports
// whether that can be.
func (s *Said) PutTail(text string) bool {
	return gene.Take(s.Gene, text) && gene.Truncate(s.line, s.at+1)
}

// Ends reports whether the word is the last of a line of words.
func (s *Said) Ends() bool { return s.between != "" && s.at+1 == len(gene.Items(s.line)) }

// Append puts a text behind the word, and reports whether that can be.
func (s *Said) Append(text string) bool {
	return s.Ends() && gene.Take(s.Gene, gene.Text(s.Gene)+s.between+text)
}

// Next is the name of a word behind this one.
func (s *Said) Next() string { return strconv.Itoa(s.at + 2) }

// Count is how many words the line has that the word begins, 0 of one that begins none.
func (s *Said) Count() int {
	if s.at != 0 || s.between == "" {
		return 0
	}
	return len(gene.Items(s.line))
}

// PutCount makes the line that the word begins one of n words, at least one, and reports
// whether it was another: the last are left out, or one is said again that may be anything.
func (s *Said) PutCount(n int) bool {
	words := gene.Items(s.line)
	if n < len(words) {
		return gene.Truncate(s.line, max(1, n))
	}
	more := n - len(words)
	return more > 0 && slices.ContainsFunc(words, func(w gene.Gene) bool {
		return gene.Take(w, gene.Text(w)+strings.Repeat(s.between+gene.Text(w), more))
	})
}

func join(words []gene.Gene, between string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = gene.Text(w)
	}
	return strings.Join(all, between)
}

// Values are what a stub says.
func (s *Stub) Values() (all []Said) {
	for _, a := range s.answers {
		if a.body != nil && a.speaks() {
			all = append(all, a.said(s)...)
		}
		for _, f := range a.head() {
			all = append(all, Said{Field: f, Stub: s})
		}
	}
	return all
}

// head is what an answer says besides its body.
func (a *answer) head() (all []gene.Field) {
	if a.code != nil && a.speaks() {
		all = append(all, gene.Field{Name: "status", Gene: a.code})
	}
	if a.media != nil && a.speaks() {
		all = append(all, gene.Field{Name: contentType, Gene: a.media})
	}
	for _, h := range a.headers {
		all = append(all, gene.Field{Name: h.name, Gene: h.value})
	}
	return all
}

// said is what an answer's body says.
func (a *answer) said(s *Stub) (all []Said) {
	if !a.worded() {
		return []Said{{Field: gene.Field{Gene: a.body}, Stub: s}}
	}
	for _, line := range gene.Items(a.body) {
		for i, word := range wordsOf(line) {
			all = append(all, Said{Field: word, Stub: s, line: line, at: i, between: a.text.between})
		}
	}
	return all
}

// worded reports whether the body is lines of words.
func (a *answer) worded() bool { return a.form != asJSON && a.value.Type == "" }

// Expect takes note of what the service compared with a value that the stub says, by the
// value's name: the next time the place may say it at once.
func (s *Stub) Expect(name string, e Expected) {
	if s.expected == nil {
		s.expected = map[string][]Expected{}
	}
	all := s.expected[name]
	if e.Text == "" || slices.Contains(all, e) {
		return
	}
	s.expected[name] = append(all[max(0, len(all)-mostExpected+1):len(all):len(all)], e)
}

// wordsOf are the words of a line, each by where it stands.
func wordsOf(line gene.Gene) (all []gene.Field) {
	for i, w := range gene.Items(line) {
		all = append(all, gene.Field{Name: strconv.Itoa(i + 1), Gene: w})
	}
	return all
}

// The chances of where a value comes from that a place says.
const (
	expectedChance = 0.5  // the service compared it with one of its name
	seasonChance   = 0.35 // it compares something with it
	verbChance     = 0.5  // that more often so of the first word of a line
	hostChance     = 0.05 // it is the name of a host
	readableChance = 0.1  // it is something that a parser reads
	patternChance  = 0.08 // a regular expression finds it
	lengthChance   = 0.03 // it is as long as what the service decides by
)

// season puts values into a new answer that the service may look for.
func (w *World) season(r *rand.Rand, p *place, f gene.Field) {
	for _, item := range gene.Items(f.Gene) {
		w.season(r, p, gene.Field{Name: f.Name, Gene: item})
	}
	for _, inner := range gene.Fields(f.Gene) {
		w.season(r, p, inner)
	}
	if text := w.joined(r, w.sought(r, p, f)); gene.Scalar(f.Gene) && text != "" {
		gene.Take(f.Gene, text) // what cannot have it stays as it is
	}
}

// joinChance is how often a text is a name with a value.
const joinChance = 0.15

// joined is a text, or one such as toner=7.
func (w *World) joined(r *rand.Rand, text string) string {
	if text == "" || r.Float64() >= joinChance {
		return text
	}
	value := strconv.Itoa(r.IntN(mostJoined))
	if len(w.Readable) > 0 && r.IntN(2) == 0 {
		value = w.Readable[r.IntN(len(w.Readable))]
	}
	return text + separator(r, w.Parts, w.Words, insides) + value
}

const mostJoined = 120

// sought is a text that the service may look for, "" for none.
func (w *World) sought(r *rand.Rand, p *place, f gene.Field) string {
	all := p.expected[f.Name]
	switch {
	case len(all) > 0 && r.Float64() < expectedChance:
		return all[r.IntN(len(all))].draw(r)
	case w.Constant != nil && (r.Float64() < seasonChance || f.Name == "1" && r.Float64() < verbChance):
		return w.Constant(r, f.Name, f.Gene)
	case len(w.Readable) > 0 && r.Float64() < readableChance:
		return w.Readable[r.IntN(len(w.Readable))]
	case r.Float64() < hostChance:
		return w.anyHost(r)
	case p.protocol == model.HTTP:
		return w.found(r)
	}
	return ""
}

// found is a text that the service may find in what it reads as a whole, as what is said by
// HTTP, or by the length of which it may decide; "" for none.
func (w *World) found(r *rand.Rand) string {
	switch {
	case len(w.Patterns) > 0 && r.Float64() < patternChance:
		return Expected{w.Patterns[r.IntN(len(w.Patterns))], true}.draw(r)
	case len(w.Lengths) > 0 && r.Float64() < lengthChance:
		return w.ofLength(r, longestWord)
	}
	return ""
}

// longestWord is how long a word is at most that is as long as a length.
const longestWord = 1000

// ofLength is a text that is as long as one of the lengths by which the service decides,
// or by one longer; "" where that is too long.
func (w *World) ofLength(r *rand.Rand, most int) string {
	n := w.Lengths[r.IntN(len(w.Lengths))] + r.IntN(2)
	if n > most {
		return ""
	}
	return strings.Repeat("x", n)
}

// anyHost is the name of a host that is known, at times with its port.
func (w *World) anyHost(r *rand.Rand) string {
	p := w.places[r.IntN(len(w.places))]
	name, _, err := net.SplitHostPort(p.host)
	if p.inward || err != nil || r.IntN(2) == 0 {
		return name
	}
	return p.host
}

// Other is a text that the service may look for in the place of the value, and that this
// is not: any where none is known.
func (s *Said) Other(r *rand.Rand, name, was string) string {
	all := slices.DeleteFunc(slices.Clone(s.expected[name]), func(e Expected) bool { return e.Text == was })
	if len(all) == 0 {
		return was + "x"
	}
	return all[r.IntN(len(all))].draw(r)
}

// Reword gives a value that a stub says one that the service may look for there, and
// reports whether it did.
func (w *World) Reword(r *rand.Rand, s *Said, f gene.Field) bool {
	was := gene.Text(f.Gene)
	text := w.partly(r, was, w.joined(r, w.sought(r, s.place, f)))
	return text != "" && text != was && gene.Take(f.Gene, text)
}

// partChance is how often only a part of a text changes that the service may take apart.
const partChance = 0.6

// partly is a text, or another one of which one part is that, or something that a parser
// reads.
func (w *World) partly(r *rand.Rand, was, text string) string {
	for _, by := range slices.Concat(w.Parts, w.Words) {
		before, behind, ok := strings.Cut(was, by)
		switch {
		case !ok || r.Float64() >= partChance:
		case len(w.Readable) > 0 && r.IntN(3) == 0:
			return before + by + w.Readable[r.IntN(len(w.Readable))]
		case text == "":
		case r.IntN(2) == 0:
			return before + by + text
		default:
			return text + by + behind
		}
	}
	return text
}

func (e Expected) draw(r *rand.Rand) string {
	if !e.Pattern {
		return e.Text
	}
	text, _ := gene.Matching(r, e.Text)
	return text
}
