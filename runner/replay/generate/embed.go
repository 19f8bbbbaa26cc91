package generate

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// token matches the parts of a text that may be values of their own.
var token = regexp.MustCompile(uuidForm + `|` + timeForm + `|(127\.0\.0\.1|localhost|\[::1\])(:\d+)?|[A-Za-z0-9]+`)

// embedded returns how a text is compared that contains volatile values, nil if it has none.
func (m *maker) embedded(s *recordedExchange, part int, l leaf) *model.Expectation {
	text, ok := l.value.(string)
	if !ok || len(text) > 64<<10 {
		return nil
	}
	e := embedding{m: m, s: s, part: part, l: l, others: m.others(s, part, l)}
	form := e.form(text)
	if len(e.found) == 0 || !e.proved(form) {
		return nil
	}
	return pattern(form, "holds "+strings.Join(slices.Compact(e.found), " and "))
}

// embedding is a text that is searched for volatile values.
type embedding struct {
	m      *maker
	s      *recordedExchange
	part   int
	l      leaf
	others []leaf
	found  []string // what is volatile in it
	sure   bool     // that one of them is no chance
}

// form returns a pattern of the text.
func (e *embedding) form(text string) string {
	all, last := "", 0
	for _, at := range e.m.tokens().FindAllStringIndex(text, -1) {
		all += regexp.QuoteMeta(text[last:at[0]])
		all += e.token(text, at[0], at[1])
		last = at[1]
	}
	return all + regexp.QuoteMeta(text[last:])
}

// tokens finds the parts of a text, values of earlier answers among them.
func (m *maker) tokens() *regexp.Regexp {
	if m.words != nil && m.counted == len(m.known) {
		return m.words
	}
	var all []string
	for _, c := range m.known {
		if text := c.text(); !c.strict && distinct(text) && len(all) < 200 &&
			!slices.Contains(all, regexp.QuoteMeta(text)) {
			all = append(all, regexp.QuoteMeta(text))
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	m.words, m.counted = regexp.MustCompile(strings.Join(append(all, token.String()), "|")), len(m.known)
	return m.words
}

// token returns the pattern of a part.
func (e *embedding) token(text string, from, to int) string {
	word := text[from:to]
	inPath := from > 0 && text[from-1] == '/'
	switch {
	case hostPort.MatchString(word):
		e.found, e.sure = append(e.found, "where the service is"), true
		return `(\d+\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?`
	case e.m.volatile(e.s, word, isDigit.MatchString(word) && !inPath):
		e.found = append(e.found, "the id "+shown(word))
		e.sure = e.sure || inPath || distinct(word) ||
			len(word) >= 2 && (word[0] == '0' || !strings.ContainsAny(text, " \t\n"))
		return classOf(word)
	case e.m.literal(e.s, leaf{value: word}) || stubbed(e.s, e.part, leaf{value: word}):
	case clock(leaf{value: word}, e.s.Exchange) != nil:
		e.found, e.sure = append(e.found, "the time of the call"), true
		return classOf(word)
	case random(word) && !constant(e.l, e.others):
		e.found, e.sure = append(e.found, shown(word)+", which is made up each time"), true
		return classOf(word)
	}
	return regexp.QuoteMeta(word)
}

// proved reports whether the pattern is no coincidence: it matches in the other recordings, or
// there are none.
func (e *embedding) proved(form string) bool {
	same := regexp.MustCompile("^" + form + "$")
	other := 0
	for _, o := range e.others {
		if o.text() == e.l.text() {
			continue
		}
		other++
		if !same.MatchString(o.text()) {
			return e.sure && len(e.others) < enough
		}
	}
	return other > 0 || e.sure && len(e.others) == 0 || e.sure && strings.Contains(e.l.text(), "/")
}

// volatile reports whether a word is an id of this run: from an earlier answer, or of this call.
// Numbers may have leading zeros.
func (m *maker) volatile(s *recordedExchange, word string, digits bool) bool {
	is := func(l leaf) bool {
		text := l.text()
		return text != "" &&
			(text == word || digits && isDigit.MatchString(text) && strings.TrimLeft(word, "0") == text)
	}
	for _, c := range m.known {
		if !c.strict && is(c.leaf) {
			return true
		}
	}
	return slices.ContainsFunc(s.told, func(l leaf) bool { return is(l) && m.isNew(s, l) })
}
