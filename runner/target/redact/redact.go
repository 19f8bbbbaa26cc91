// Package redact replaces given secrets by "***" in the texts of a service. It finds a secret in
// these forms: plain, in base64, in hexadecimal, or with characters that are escaped, up to three times,
// for a URL, JSON, HTML or a program.
//
// The package knows neither HTTP nor users. The caller decides what is secret and which kind of text
// it is. Package runner/replay/record has another masker, for real traffic: there the secrets are not
// known, but are found by the names of fields and headers, and are replaced by pseudonyms so that
// equal secrets stay equal.
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

// LongSecret is the minimum length in bytes of a secret that is masked wherever it occurs, because no
// other text contains it by chance. For shorter secrets see secretKind.
const LongSecret = 8

// pattern is one form of a secret: plain, in base64 or in hexadecimal. In a text, its characters may
// be escaped.
type pattern struct {
	text    string
	kind    secretKind
	wrapped bool // line breaks may be inserted, as in base64
	shared  int  // length in bytes of the common prefix with the previous pattern in Matcher.patterns
}

// Secret is the patterns of one secret.
type Secret []pattern

// NewSecret prepares a secret, which must not be empty.
func NewSecret(text string) Secret {
	k := kindOf(text)
	all := Secret{{text: text, kind: k}}
	if k != long { // longer base64 texts may contain the base64 form of a short secret by chance
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			all = append(all, pattern{text: e.EncodeToString([]byte(text)), kind: token})
		}
		for _, h := range hexadecimals(text) {
			all = append(all, pattern{text: h, kind: token})
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

// aligned returns the part of a text's base64 form that does not depend on the bytes around the text.
// shift, from 0 to 2, is the number of bytes before the text, modulo 3.
func aligned(text string, shift int, e *base64.Encoding) string {
	const bits = 6 // bits that a character of base64 encodes
	all := e.EncodeToString(append(make([]byte, shift), text...))
	first := (8*shift + bits - 1) / bits
	last := 8 * (shift + len(text)) / bits
	return all[first:last]
}

// distinct returns the patterns without duplicates.
func (s Secret) distinct() Secret {
	var out Secret
	for _, p := range s {
		if !slices.ContainsFunc(out, func(q pattern) bool { return q.text == p.text }) {
			out = append(out, p)
		}
	}
	return out
}

// Matcher finds secrets in texts. The zero value finds none. A Matcher is immutable after Compile, and
// safe for concurrent use.
type Matcher struct {
	startPairs [1 << 16 / 64]uint64 // a bit set of the pairs of bytes with which a secret may begin
	patterns   [256][]pattern       // index: first byte of the patterns; each list is sorted by text
	nonEmpty   bool                 // there is a pattern
}

// Compile returns a matcher of all secrets.
func Compile(all []Secret) *Matcher {
	m := &Matcher{}
	for _, s := range all {
		for _, p := range s {
			m.add(p)
			m.patterns[p.text[0]] = append(m.patterns[p.text[0]], p)
		}
	}
	for c, is := range escapeStart {
		if is {
			m.markAll(byte(c))
		}
	}
	for _, all := range m.patterns {
		order(all)
	}
	return m
}

// order sorts patterns by text, so that patterns with a common prefix are adjacent, and sets pattern.shared.
func order(all []pattern) {
	slices.SortStableFunc(all, func(p, q pattern) int { return strings.Compare(p.text, q.text) })
	for i := 1; i < len(all); i++ {
		all[i].compare(&all[i-1])
	}
}

// compare sets p.shared, the length of the common prefix with the previous pattern. It is 0 if only
// one of the two patterns is wrapped.
func (p *pattern) compare(before *pattern) {
	p.shared = 0
	if p.wrapped != before.wrapped {
		return
	}
	for p.shared < min(len(p.text), len(before.text)) && p.text[p.shared] == before.text[p.shared] {
		p.shared++
	}
}

// WithSecret returns a copy of the matcher with one more secret. It is much faster than Compile.
func (m *Matcher) WithSecret(s Secret) *Matcher {
	if !m.nonEmpty {
		return Compile([]Secret{s})
	}
	more := *m
	for _, p := range s {
		all := more.patterns[p.text[0]]
		at, _ := slices.BinarySearchFunc(all, p, func(a, b pattern) int { return strings.Compare(a.text, b.text) })
		more.add(p)
		all = slices.Insert(slices.Clip(all), at, p) // Clip makes Insert copy the slice
		for i := at; i < min(at+2, len(all)); i++ {
			all[i].shared = 0
			if i > 0 {
				all[i].compare(&all[i-1])
			}
		}
		more.patterns[p.text[0]] = all
	}
	return &more
}

// add marks the pairs of bytes with which a pattern may begin in a text. In a URL, a plus sign encodes
// a space.
func (m *Matcher) add(p pattern) {
	m.nonEmpty = true
	first := p.text[0]
	m.markAfter(first, p)
	if first == ' ' {
		m.markAfter('+', p)
	}
}

// markAfter marks the pairs of a first byte and each byte that may follow it.
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

// markAll marks all pairs with a first byte.
func (m *Matcher) markAll(first byte) {
	for c := range 256 {
		m.mark(first, byte(c))
	}
}

func (m *Matcher) mark(a, b byte) {
	pair := int(a)<<8 | int(b)
	m.startPairs[pair/64] |= 1 << (pair % 64)
}

func (m *Matcher) marked(a, b byte) bool {
	pair := int(a)<<8 | int(b)
	return m.startPairs[pair/64]&(1<<(pair%64)) != 0
}

// TextKind is the kind of a text. It decides where in the text a short secret is masked.
type TextKind int

// The kinds of text.
const (
	BodyText TextKind = iota // the body of a message, or the output of a program
	LineText                 // the value of a header, or an error
	URLText                  // a URL; its path may contain a short secret as an ordinary word
)

// MaskText returns s with its secrets masked, or s itself if it has none.
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

// MaskBytes returns a body with its secrets masked, or b itself if it has none. cut is true if the end
// of the body is missing; then MaskBytes also masks the beginning of a long secret at the end of b.
func (m *Matcher) MaskBytes(b []byte, cut bool) []byte {
	if len(b) == 0 || !m.nonEmpty {
		return b
	}
	s := unsafe.String(&b[0], len(b)) // b does not change while s is in use
	masked := m.MaskText(s, BodyText)
	if cut {
		masked = m.cutOff(masked)
	}
	if len(masked) == len(s) && unsafe.StringData(masked) == &b[0] {
		return b
	}
	return []byte(masked)
}

// replacement returns the text that replaces the secret s[x.from:x.to]. The text is quoted if the secret is a number
// in an object or array of a JSON body, so that the body stays valid JSON.
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

// minCut is the minimum length in bytes of a secret's beginning that is masked at the end of an incomplete text.
const minCut = 4

// cutOff masks the beginning of a long secret at the end of s, unless it is escaped.
func (m *Matcher) cutOff(s string) string {
	const most = 1 << 10
	for from := max(0, len(s)-most); from < len(s)-minCut+1; from++ {
		for _, p := range m.patterns[s[from]] {
			if p.kind == long && strings.HasPrefix(p.text, s[from:]) {
				return s[:from] + model.MaskedSecret
			}
		}
	}
	return s
}

// span is the part [from:to] of a text.
type span struct{ from, to int }

// spans returns the parts of a text that are secrets, in order. They do not overlap.
func (m *Matcher) spans(s string, at TextKind) (all []span) {
	if !m.nonEmpty {
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

// longest returns the end of the longest secret that begins at s[i], 0 if there is none.
func (m *Matcher) longest(s string, i int, at TextKind, u *units) (to int) {
	if c := s[i]; !escapeStart[c] && c != '+' {
		return m.longestOf(m.candidates(s, i), s, i, at)
	}
	var seen [256 / 64]uint64
	u.read(s, i)
	for _, x := range u.all[:u.n] {
		if first := x.char[0]; len(m.patterns[first]) > 0 && seen[first/64]&(1<<(first%64)) == 0 {
			seen[first/64] |= 1 << (first % 64)
			to = max(to, m.longestOf(m.patterns[first], s, i, at))
		}
	}
	return to
}

// candidates returns the patterns that may begin with the bytes s[i] and s[i+1]. s[i] must not begin an
// escape.
func (m *Matcher) candidates(s string, i int) []pattern {
	all := m.patterns[s[i]]
	if i+1 == len(s) || len(all) < 2 || len(all[0].text) == 1 {
		return all
	}
	c := s[i+1]
	if escapeStart[c] || c == '+' || c == '\n' || c == '\r' {
		return all
	}
	from, _ := slices.BinarySearchFunc(all, c, func(p pattern, c byte) int { return int(p.text[1]) - int(c) })
	to := from
	for to < len(all) && all[to].text[1] == c {
		to++
	}
	return all[from:to]
}

// longestOf returns the end of the longest of the given patterns that is a secret at s[i], 0 if there
// is none. It skips a pattern if the previous pattern failed within the prefix that both share.
func (m *Matcher) longestOf(all []pattern, s string, i int, at TextKind) (to int) {
	reached := -1 // index of the mismatch in the previous pattern, -1 if unknown
	for j := range all {
		p := &all[j]
		if j > 0 && reached >= 0 && p.shared > reached {
			continue
		}
		w := walker{text: s, pattern: p}
		end, ok := w.walk(0, i)
		if ok && end > to && (p.kind == long || p.kind.matches(s, i, end, at)) {
			to = end
		}
		reached = w.reached
		if ok || w.steps > maxSteps {
			reached = -1
		}
	}
	return to
}
