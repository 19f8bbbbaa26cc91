package oracle

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// This file decides whether two error messages get the same signature. Their shapes (see Signature) cannot decide it
// alone: a request's value "x", "[" or "is" may be part of the message by chance, and a single message does not show
// whether it is there by chance. Two messages show this. They are therefore compared word by word, as Drain compares
// the lines of a log (He et al., Drain: An Online Log Parsing Approach with Fixed Depth Tree, ICWS 2017).
//
// Two messages are alike if they have the same words. A word may differ if it may repeat the request in both
// messages. Drain allows a share of all words to differ; here "missing name" and "missing date" are not alike.

// wording is a message as a list of words.
type wording struct {
	words []word
	cut   bool // the message has more than maxWords words
	blank bool // the request has an empty value, which the message may repeat
}

// word is one word or punctuation mark of a message.
type word struct {
	text string
	open bool // the word may repeat the request
}

// maxWords is how many words of a message are compared.
const maxWords = 64

// wordsOf matches the words and punctuation marks of a masked message.
var wordsOf = regexp.MustCompile(`<value>|[\pL\pN]+|[^\s\pL\pN]`)

// wordingOf returns the wording of the message in an answer. sent are the values of the requests.
func wordingOf(body []byte, sent *sentValues) wording {
	raw := messageText(body)
	text, held := sent.maskCertain(raw)
	found := wordsOf.FindAllString(model.Printable(shape(text, sent), maxMessage), maxWords+1)
	w := wording{cut: len(found) > maxWords, blank: sent.blank}
	whole := sent.repeated(raw)
	for _, text := range found[:min(len(found), maxWords)] {
		if plain, ok := held[text]; ok {
			w.words = append(w.words, word{text: plain, open: true})
			continue
		}
		open := text == "<value>" || sent.doubtful[lower(text)] || begins(whole, text)
		w.words = append(w.words, word{text: text, open: open})
	}
	return w
}

// begins reports whether a word is the beginning of one of the values. A message may repeat only the beginning
// of a value.
func begins(values []string, word string) bool {
	return slices.ContainsFunc(values, func(value string) bool { return strings.HasPrefix(lower(value), lower(word)) })
}

// matches reports whether two messages have the same words, apart from open words.
func (w wording) matches(other wording) bool {
	a := alignment{left: w, right: other, failed: map[position]bool{}}
	return a.from(position{})
}

// alignment compares the words of two messages pairwise.
type alignment struct {
	left, right wording
	failed      map[position]bool // positions from which the messages do not match
}

// position is a position in both messages.
type position struct {
	left, right int // indexes of words
	// open is true if the previous words of both messages were open. Then further open words may follow in
	// only one of the messages, because the length of a list depends on the input.
	open bool
}

// from reports whether the messages match from a position on.
func (a *alignment) from(p position) bool {
	endLeft, endRight := p.left == len(a.left.words), p.right == len(a.right.words)
	switch {
	case endLeft && endRight, endLeft && a.left.cut, endRight && a.right.cut:
		return true
	case a.failed[p]:
		return false
	}
	for _, next := range a.after(p, endLeft, endRight) {
		if a.from(next) {
			return true
		}
	}
	a.failed[p] = true
	return false
}

// after returns the positions that may follow p: after the next word of both messages if these words match, or
// after an open word of one message.
func (a *alignment) after(p position, endLeft, endRight bool) (next []position) {
	openLeft, openRight := !endLeft && a.left.words[p.left].open, !endRight && a.right.words[p.right].open
	if !endLeft && !endRight && (a.left.words[p.left].text == a.right.words[p.right].text || openLeft && openRight) {
		next = append(next, position{left: p.left + 1, right: p.right + 1, open: openLeft && openRight})
	}
	if openLeft && (p.open || a.right.blank) {
		next = append(next, position{left: p.left + 1, right: p.right, open: p.open})
	}
	if openRight && (p.open || a.left.blank) {
		next = append(next, position{left: p.left, right: p.right + 1, open: p.open})
	}
	return next
}

// wordingKey identifies the messages that are compared with each other.
type wordingKey struct {
	op     model.OpID
	status int
}

// wordings has the error messages of each operation and status that were seen so far.
type wordings map[wordingKey]*phrases

// phrases are the known messages of an operation and a status: one message for each fault.
type phrases struct {
	all  []phrase
	same map[string]string // a message's own signature → signature of its fault
}

// phrase is a message and the signature of its fault.
type phrase struct {
	wording
	signature string
}

// Limits of what is kept for each operation and status.
const (
	maxPhrases = 40
	maxShapes  = 1000
)

// signatureOf returns the signature of the fault that an answer shows. It begins with the status.
func (e *examination) signatureOf(op model.OpID, r model.Reply, sent *sentValues) string {
	own := strconv.Itoa(r.Status) + " " + signature(r.Body, sent)
	read := func() wording { return wordingOf(r.Body, sent) }
	return e.rules.worded.firstSignature(wordingKey{op, r.Status}, own, read)
}

// firstSignature returns the signature of the first known message that matches the given one. If no message matches,
// the given message is a new fault, and firstSignature returns the message's own signature. read returns the wording
// of the message.
func (w wordings) firstSignature(at wordingKey, signature string, read func() wording) string {
	p := w.of(at)
	if first, ok := p.same[signature]; ok {
		return first
	}
	message, first := read(), signature
	for _, known := range p.all {
		if known.matches(message) {
			first = known.signature
			break
		}
	}
	p.add(phrase{wording: message, signature: first}, signature)
	return first
}

// of returns the messages of an operation and a status.
func (w wordings) of(at wordingKey) *phrases {
	if w[at] == nil {
		w[at] = &phrases{same: map[string]string{}}
	}
	return w[at]
}

// add records the signature of a message, and the message itself if it is a new fault.
func (p *phrases) add(added phrase, signature string) {
	if added.signature == signature && len(p.all) < maxPhrases {
		p.all = append(p.all, added)
	}
	if len(p.same) < maxShapes {
		p.same[signature] = added.signature
	}
}

// RememberFault adds the message of a fault that the run found before it was resumed, so that later messages are
// compared with it.
func (r *Rules) RememberFault(f model.Fault) {
	last := len(f.Exchanges) - 1
	if last < 0 || f.Test == nil || len(f.Test.Calls) != len(f.Exchanges) || r.ops[f.Op] == nil {
		return
	}
	played := playedTest{ops: r.ops, test: *f.Test}
	for i, s := range f.Exchanges {
		played.exchanges = append(played.exchanges, model.Exchange{Request: model.Request{URL: s.URL}})
		if body := f.Test.Calls[i].Body; body != nil {
			played.exchanges[i].Request.Body = []byte(body.Data)
		}
	}
	sent, body := played.sentValuesOf(last), []byte(f.Exchanges[last].Body)
	p := r.worded.of(wordingKey{f.Op, f.Status})
	p.add(phrase{wording: wordingOf(body, sent), signature: f.Signature}, f.Signature)
}
