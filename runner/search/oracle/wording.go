package oracle

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// Some values cannot be distinguished from the message around them: a value "x", "[" or "is" may be part
// of the message by chance. A single message does not show which it is, but two messages do. Therefore
// messages are compared word by word, as Drain does with lines of a log (He et al., Drain: An Online Log
// Parsing Approach with Fixed Depth Tree, ICWS 2017). Two messages are one fault if they have the same
// words, where a word may differ if in both messages it repeats the request. Drain allows any word to
// differ, up to a share of them; here "missing name" and "missing date" are different.

// wording is a message as a list of words, with masks where they are certain.
type wording struct {
	words []word
	cut   bool // the message has more words
	blank bool // the request has an empty value, which the message may repeat
}

// word is one word or punctuation mark of a message.
type word struct {
	text string
	open bool // it may repeat the request
}

// maxWords bounds the compared words of a message.
const maxWords = 64

// wordsOf matches the words of a masked message. Punctuation marks are words.
var wordsOf = regexp.MustCompile(`<value>|[\pL\pN]+|[^\s\pL\pN]`)

// wordingOf returns the wording of an answer to requests whose values are known.
func wordingOf(body []byte, said *sentValues) wording {
	raw := messageOf(body)
	text, held := said.maskCertain(raw)
	found := wordsOf.FindAllString(model.Printable(shape(text, said), maxMessage), maxWords+1)
	w := wording{cut: len(found) > maxWords, blank: said.blank}
	whole := said.repeated(raw)
	for _, text := range found[:min(len(found), maxWords)] {
		if plain, ok := held[text]; ok {
			w.words = append(w.words, word{text: plain, open: true})
			continue
		}
		open := text == "<value>" || said.doubtful[lower(text)] || begins(whole, text)
		w.words = append(w.words, word{text: text, open: open})
	}
	return w
}

// begins reports whether a word is the beginning of a value: a message may repeat only the beginning.
func begins(values []string, word string) bool {
	return slices.ContainsFunc(values, func(value string) bool { return strings.HasPrefix(lower(value), lower(word)) })
}

// matches reports whether two messages differ only in what they repeat of their requests.
func (w wording) matches(other wording) bool {
	a := alignment{a: w, b: other, failed: map[place]bool{}}
	return a.from(place{})
}

// alignment compares the words of two messages pairwise.
type alignment struct {
	a, b   wording
	failed map[place]bool
}

// place is a position in both messages. Open means that the last words of both were open: more open words
// may follow in either message, because a list is as long as its input.
type place struct {
	a, b int
	open bool
}

// from reports whether the words from a place on match.
func (l *alignment) from(p place) bool {
	endA, endB := p.a == len(l.a.words), p.b == len(l.b.words)
	switch {
	case endA && endB, endA && l.a.cut, endB && l.b.cut:
		return true
	case l.failed[p]:
		return false
	}
	for _, next := range l.after(p, endA, endB) {
		if l.from(next) {
			return true
		}
	}
	l.failed[p] = true
	return false
}

// after returns the places after a pair of words, or after a word of one message alone.
func (l *alignment) after(p place, endA, endB bool) (next []place) {
	openA, openB := !endA && l.a.words[p.a].open, !endB && l.b.words[p.b].open
	if !endA && !endB && (l.a.words[p.a].text == l.b.words[p.b].text || openA && openB) {
		next = append(next, place{a: p.a + 1, b: p.b + 1, open: openA && openB})
	}
	if openA && (p.open || l.b.blank) {
		next = append(next, place{a: p.a + 1, b: p.b, open: p.open})
	}
	if openB && (p.open || l.a.blank) {
		next = append(next, place{a: p.a, b: p.b + 1, open: p.open})
	}
	return next
}

// wordingKey identifies the messages that are compared with each other.
type wordingKey struct {
	op     model.OpID
	status int
}

// wordings has the messages of each operation and status.
type wordings map[wordingKey]*phrases

// phrases are messages that are different from each other, and the signatures that are known to belong to
// one of them.
type phrases struct {
	all  []phrase
	same map[string]string
}

type phrase struct {
	wording
	signature string
}

// Bounds of what is kept for each operation and status.
const (
	maxPhrases = 40
	maxShapes  = 1000
)

// signatureOf returns the signature of an answer to an operation.
func (v *verdict) signatureOf(op model.OpID, r model.Reply, said *sentValues) string {
	own := strconv.Itoa(r.Status) + " " + signature(r.Body, said)
	read := func() wording { return wordingOf(r.Body, said) }
	return v.judge.worded.firstSignature(wordingKey{op, r.Status}, own, read)
}

// firstSignature returns the signature of the first message that matches. If there is none, it returns
// the given one.
func (w wordings) firstSignature(at wordingKey, signature string, read func() wording) string {
	p := w.of(at)
	if first, ok := p.same[signature]; ok {
		return first
	}
	said, first := read(), signature
	for _, known := range p.all {
		if known.matches(said) {
			first = known.signature
			break
		}
	}
	p.add(phrase{wording: said, signature: first}, signature)
	return first
}

// of returns the messages of an operation and a status.
func (w wordings) of(at wordingKey) *phrases {
	if w[at] == nil {
		w[at] = &phrases{same: map[string]string{}}
	}
	return w[at]
}

// add keeps a message that is different from all others, and the signature of any message.
func (p *phrases) add(said phrase, signature string) {
	if said.signature == signature && len(p.all) < maxPhrases {
		p.all = append(p.all, said)
	}
	if len(p.same) < maxShapes {
		p.same[signature] = said.signature
	}
}

// RememberFault registers a fault of an earlier part of the run, so that a message that matches its
// message is the same fault.
func (j *Judge) RememberFault(f model.Fault) {
	last := len(f.Exchanges) - 1
	if last < 0 || f.Test == nil || len(f.Test.Calls) != len(f.Exchanges) || j.ops[f.Op] == nil {
		return
	}
	played := playedTest{ops: j.ops, test: *f.Test}
	for i, s := range f.Exchanges {
		played.exchanges = append(played.exchanges, model.Exchange{Request: model.Request{URL: s.URL}})
		if body := f.Test.Calls[i].Body; body != nil {
			played.exchanges[i].Request.Body = []byte(body.Data)
		}
	}
	said, body := played.sentValuesOf(last), []byte(f.Exchanges[last].Body)
	p := j.worded.of(wordingKey{f.Op, f.Status})
	p.add(phrase{wording: wordingOf(body, said), signature: f.Signature}, f.Signature)
}
