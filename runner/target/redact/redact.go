// Package redact takes secrets out of texts in which a service repeats them, however
// they are written there: as they are, escaped for a URLText, JSON, HTML or a program, once or
// several times over, in base64 or in hexadecimal.
//
// It knows neither HTTP nor users. What is secret, and where a text came from, is for the
// caller to say.
package redact

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"sonde/model"
)

// LongSecret is the length in bytes from which a secret is masked wherever it occurs: no other
// text contains it by chance. See short.go for shorter ones.
const LongSecret = 8

// pattern is one way to write a secret, before any of its characters is escaped.
type pattern struct {
	text    string
	short   kind
	wrapped bool // line breaks within it do not count, as in base64
	shared  int  // bytes with which the pattern before it begins, too
}

// Secret is what to look for to find one secret.
type Secret []pattern

// NewSecret prepares a secret, which is not empty.
func NewSecret(text string) Secret {
	short := kindOf(text)
	all := Secret{{text: text, short: short}}
	if short != long { // within a longer text in base64 it would be found by chance
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			all = append(all, pattern{text: e.EncodeToString([]byte(text)), short: token})
		}
		for _, h := range hexadecimals(text) {
			all = append(all, pattern{text: h, short: token})
		}
		return all.distinct()
	}
	for shift := range 3 {
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			all = append(all, pattern{text: aligned(text, shift, e), wrapped: true})
		}
	}
	for _, h := range hexadecimals(text) {
		all = append(all, pattern{text: h})
	}
	return all.distinct()
}

// hexadecimals are a text in hexadecimal, in small and in capital letters.
func hexadecimals(text string) []string {
	small := hex.EncodeToString([]byte(text))
	return []string{small, strings.ToUpper(small)}
}

// aligned returns those characters of a text in base64 that do not depend on what is
// around it, if so many bytes, up to 3, come before it.
func aligned(text string, shift int, e *base64.Encoding) string {
	const bits = 6 // of a character
	all := e.EncodeToString(append(make([]byte, shift), text...))
	first := (8*shift + bits - 1) / bits
	last := 8 * (shift + len(text)) / bits
	return all[first:last]
}

func (s Secret) distinct() Secret {
	var out Secret
	for _, p := range s {
		if !slices.ContainsFunc(out, func(q pattern) bool { return q.text == p.text }) {
			out = append(out, p)
		}
	}
	return out
}

// Matcher finds secrets. The zero value finds none. It is not changed after Compile, and
// may be used by several goroutines.
type Matcher struct {
	begins [1 << 16 / 64]uint64 // pairs of bytes with which something may begin
	by     [256][]pattern       // by their first byte, in order
	some   bool
}

// Compile returns a matcher of all secrets.
func Compile(all []Secret) *Matcher {
	m := &Matcher{}
	for _, s := range all {
		for _, p := range s {
			m.add(p)
			m.by[p.text[0]] = append(m.by[p.text[0]], p)
		}
	}
	for c, is := range opener {
		if is {
			m.markAll(byte(c))
		}
	}
	for _, all := range m.by {
		order(all)
	}
	return m
}

// order sorts patterns, so that those which begin alike are beside each other.
func order(all []pattern) {
	slices.SortStableFunc(all, func(p, q pattern) int { return strings.Compare(p.text, q.text) })
	for i := 1; i < len(all); i++ {
		all[i].compare(&all[i-1])
	}
}

// compare notes what a pattern shares with the one before it.
func (p *pattern) compare(before *pattern) {
	p.shared = 0
	if p.wrapped != before.wrapped {
		return
	}
	for p.shared < min(len(p.text), len(before.text)) && p.text[p.shared] == before.text[p.shared] {
		p.shared++
	}
}

// WithSecret returns a matcher of one more secret. It costs much less than Compile.
func (m *Matcher) WithSecret(s Secret) *Matcher {
	if !m.some {
		return Compile([]Secret{s})
	}
	more := *m
	for _, p := range s {
		all := more.by[p.text[0]]
		at, _ := slices.BinarySearchFunc(all, p, func(a, b pattern) int { return strings.Compare(a.text, b.text) })
		more.add(p)
		all = slices.Insert(slices.Clip(all), at, p) // in a slice of its own
		for i := at; i < min(at+2, len(all)); i++ {
			all[i].shared = 0
			if i > 0 {
				all[i].compare(&all[i-1])
			}
		}
		more.by[p.text[0]] = all
	}
	return &more
}

// add marks the bytes with which a pattern may begin.
func (m *Matcher) add(p pattern) {
	m.some = true
	first := p.text[0]
	m.markAfter(first, p)
	if first == ' ' {
		m.markAfter('+', p)
	}
}

// markAfter marks what may follow the first byte of a pattern.
func (m *Matcher) markAfter(first byte, p pattern) {
	if len(p.text) == 1 {
		m.markAll(first)
		return
	}
	m.mark(first, p.text[1])
	for _, c := range []byte(`%\&`) {
		m.mark(first, c)
	}
	if p.text[1] == ' ' {
		m.mark(first, '+')
	}
	if p.wrapped {
		m.mark(first, '\n')
		m.mark(first, '\r')
	}
}

func (m *Matcher) markAll(first byte) {
	for c := range 256 {
		m.mark(first, byte(c))
	}
}

func (m *Matcher) mark(a, b byte) {
	pair := int(a)<<8 | int(b)
	m.begins[pair/64] |= 1 << (pair % 64)
}

func (m *Matcher) marked(a, b byte) bool {
	pair := int(a)<<8 | int(b)
	return m.begins[pair/64]&(1<<(pair%64)) != 0
}

// TextKind is what kind of text is masked: it decides where a short secret is one.
type TextKind int

const (
	BodyText TextKind = iota // of a message, or what a program prints
	LineText                 // a header's value, or an error
	URLText                  // of which a path may have a short secret as a word
)

// MaskText masks a text. It returns the same text if there is nothing to mask.
func (m *Matcher) MaskText(s string, at TextKind) string {
	spans := m.spans(s, at)
	if len(spans) == 0 {
		return s
	}
	var out strings.Builder
	done := 0
	for _, x := range spans {
		out.WriteString(s[done:x.from])
		out.WriteString(stand(s, x, at))
		done = x.to
	}
	out.WriteString(s[done:])
	return out.String()
}

// MaskBytes masks a body, of which the end may be missing: then a secret may be cut off, too.
func (m *Matcher) MaskBytes(b []byte, cut bool) []byte {
	if len(b) == 0 || !m.some {
		return b
	}
	s := unsafe.String(&b[0], len(b)) // neither is changed below
	masked := m.MaskText(s, BodyText)
	if cut {
		masked = m.cutOff(masked)
	}
	if len(masked) == len(s) && unsafe.StringData(masked) == &b[0] {
		return b
	}
	return []byte(masked)
}

// stand returns what is put in the place of a secret. A number of JSON becomes a text, so
// that the body still is JSON.
func stand(s string, x span, at TextKind) string {
	if at != BodyText || !isNumber(s[x.from:x.to]) {
		return model.MaskedSecret
	}
	before := strings.TrimRight(s[:x.from], " \t\r\n")
	after := strings.TrimLeft(s[x.to:], " \t\r\n")
	if before != "" && strings.ContainsRune(":,[", rune(before[len(before)-1])) && after != "" &&
		strings.ContainsRune(",]}", rune(after[0])) {
		return strconv.Quote(model.MaskedSecret)
	}
	return model.MaskedSecret
}

// leastCut is how much of a secret at the end of a text that was cut off is masked.
const leastCut = 4

// cutOff masks the beginning of a long secret with which a text ends.
func (m *Matcher) cutOff(s string) string {
	const most = 1 << 10
	for from := max(0, len(s)-most); from < len(s)-leastCut+1; from++ {
		for _, p := range m.by[s[from]] {
			if p.short == long && strings.HasPrefix(p.text, s[from:]) {
				return s[:from] + model.MaskedSecret
			}
		}
	}
	return s
}

// span is a part of a text.
type span struct{ from, to int }

// spans returns what is secret of a text, in order; no two overlap.
func (m *Matcher) spans(s string, at TextKind) (all []span) {
	if !m.some {
		return nil
	}
	var u units
	for i := range len(s) {
		if i+1 < len(s) && !m.marked(s[i], s[i+1]) {
			continue
		}
		to := m.longest(s, i, at, &u)
		switch n := len(all); {
		case to <= i:
		case n > 0 && i < all[n-1].to:
			all[n-1].to = max(all[n-1].to, to)
		default:
			all = append(all, span{i, to})
		}
	}
	return all
}

// longest returns the end of the longest secret that begins at a place, 0 if there is none.
func (m *Matcher) longest(s string, i int, at TextKind, u *units) (to int) {
	if c := s[i]; !opener[c] && c != '+' {
		return m.longestOf(m.alike(s, i), s, i, at)
	}
	var seen [256 / 64]uint64
	u.read(s, i)
	for _, x := range u.all[:u.n] {
		if first := x.is[0]; len(m.by[first]) > 0 && seen[first/64]&(1<<(first%64)) == 0 {
			seen[first/64] |= 1 << (first % 64)
			to = max(to, m.longestOf(m.by[first], s, i, at))
		}
	}
	return to
}

// alike returns the patterns that may begin with two bytes of a text of which the first is
// no escape.
func (m *Matcher) alike(s string, i int) []pattern {
	all := m.by[s[i]]
	if i+1 == len(s) || len(all) < 2 || len(all[0].text) == 1 {
		return all
	}
	c := s[i+1]
	if opener[c] || c == '+' || c == '\n' || c == '\r' {
		return all
	}
	from, _ := slices.BinarySearchFunc(all, c, func(p pattern, c byte) int { return int(p.text[1]) - int(c) })
	to := from
	for to < len(all) && all[to].text[1] == c {
		to++
	}
	return all[from:to]
}

func (m *Matcher) longestOf(all []pattern, s string, i int, at TextKind) (to int) {
	reached := -1 // the byte of the pattern before that was not there, -1 if that says nothing
	for j := range all {
		p := &all[j]
		if j > 0 && reached >= 0 && p.shared > reached {
			continue
		}
		w := walker{text: s, pattern: p}
		end, ok := w.walk(0, i)
		if ok && end > to && (p.short == long || p.short.alone(s, i, end, at)) {
			to = end
		}
		reached = w.reached
		if ok || w.steps > mostSteps {
			reached = -1
		}
	}
	return to
}
