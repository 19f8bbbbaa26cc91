// Package redact removes secrets from texts in which a service repeats them, however they are
// written there: plain, escaped for a URL, JSON, HTML or a program, once or several times over, in
// base64 or in hexadecimal.
//
// It knows neither HTTP nor users: the caller decides what is secret and which kind of text it is.
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

// LongSecret is the length in bytes from which a secret is masked wherever it occurs, because no
// other text contains it by chance. See short.go for shorter ones.
const LongSecret = 8

// pattern is one form of a secret, before any of its characters is escaped.
type pattern struct {
	text    string
	short   kind
	wrapped bool // it may contain line breaks, as base64 does
	shared  int  // length of the common prefix with the pattern before it
}

// Secret is the forms of one secret.
type Secret []pattern

// NewSecret prepares a secret, which must not be empty.
func NewSecret(text string) Secret {
	short := kindOf(text)
	all := Secret{{text: text, short: short}}
	if short != long { // a short one would be found by chance within longer base64 texts
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

// hexadecimals returns a text in hexadecimal, in lower and upper case.
func hexadecimals(text string) []string {
	small := hex.EncodeToString([]byte(text))
	return []string{small, strings.ToUpper(small)}
}

// aligned returns the characters of a text in base64 that do not depend on what is around it, if
// shift bytes, up to 3, precede it.
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

// Matcher finds secrets. The zero value finds none. It is immutable after Compile, and safe for
// concurrent use.
type Matcher struct {
	begins [1 << 16 / 64]uint64 // pairs of bytes with which a pattern may begin
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

// order sorts patterns, so that those with a common prefix are adjacent.
func order(all []pattern) {
	slices.SortStableFunc(all, func(p, q pattern) int { return strings.Compare(p.text, q.text) })
	for i := 1; i < len(all); i++ {
		all[i].compare(&all[i-1])
	}
}

// compare records the common prefix of a pattern and the one before it.
func (p *pattern) compare(before *pattern) {
	p.shared = 0
	if p.wrapped != before.wrapped {
		return
	}
	for p.shared < min(len(p.text), len(before.text)) && p.text[p.shared] == before.text[p.shared] {
		p.shared++
	}
}

// WithSecret returns a matcher with one more secret. It costs much less than Compile.
func (m *Matcher) WithSecret(s Secret) *Matcher {
	if !m.some {
		return Compile([]Secret{s})
	}
	more := *m
	for _, p := range s {
		all := more.by[p.text[0]]
		at, _ := slices.BinarySearchFunc(all, p, func(a, b pattern) int { return strings.Compare(a.text, b.text) })
		more.add(p)
		all = slices.Insert(slices.Clip(all), at, p) // in a new slice
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

// TextKind is the kind of a text. It decides where a short secret is masked.
type TextKind int

// The kinds of text.
const (
	BodyText TextKind = iota // the body of a message, or the output of a program
	LineText                 // the value of a header, or an error
	URLText                  // a URL, whose path may contain a short secret as a word
)

// MaskText returns a text without secrets, or s itself if it has none.
func (m *Matcher) MaskText(s string, at TextKind) string {
	spans := m.spans(s, at)
	if len(spans) == 0 {
		return s
	}
	var out strings.Builder
	done := 0
	for _, x := range spans {
		out.WriteString(s[done:x.from])
		out.WriteString(replacement(s, x, at))
		done = x.to
	}
	out.WriteString(s[done:])
	return out.String()
}

// MaskBytes returns a body without secrets. If its end is cut off, so may be a secret there.
func (m *Matcher) MaskBytes(b []byte, cut bool) []byte {
	if len(b) == 0 || !m.some {
		return b
	}
	s := unsafe.String(&b[0], len(b)) // neither is changed afterwards
	masked := m.MaskText(s, BodyText)
	if cut {
		masked = m.cutOff(masked)
	}
	if len(masked) == len(s) && unsafe.StringData(masked) == &b[0] {
		return b
	}
	return []byte(masked)
}

// replacement returns the replacement of a secret. A JSON number is replaced by a string, so that the
// body stays valid JSON.
func replacement(s string, x span, at TextKind) string {
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

// minCut is the minimum length of the beginning of a secret to be masked at the end of a text that
// was cut off.
const minCut = 4

// cutOff masks the beginning of a long secret at the end of a text.
func (m *Matcher) cutOff(s string) string {
	const most = 1 << 10
	for from := max(0, len(s)-most); from < len(s)-minCut+1; from++ {
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

// spans returns the secrets in a text, in order; no two overlap.
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

// longest returns the end of the longest secret that begins at a position, 0 if there is none.
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

// alike returns the patterns that may begin with the two bytes at a position, of which the first
// does not begin an escape.
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
	reached := -1 // index of the mismatch in the pattern before, -1 if unknown
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
		if ok || w.steps > maxSteps {
			reached = -1
		}
	}
	return to
}
