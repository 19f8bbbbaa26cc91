package generate

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// tokenPattern matches the parts of a text that may be values themselves.
var tokenPattern = regexp.MustCompile(
	uuidForm + `|` + timeForm + `|` + mailTimeForm + `|(127\.0\.0\.1|localhost|\[::1\])(:\d+)?|[A-Za-z0-9]+`,
)

// embeddedExpectation returns how to compare a text that contains volatile values. It returns nil for any other value,
// for a text over 64 KiB, and if isConfirmed rejects the pattern of the text.
func (b *testBuilder) embeddedExpectation(x *recordedExchange, part int, l leaf) *model.Expectation {
	text, ok := l.value.(string)
	if !ok || len(text) > 64<<10 {
		return nil
	}
	e := embedding{builder: b, exchange: x, part: part, l: l, others: b.valuesInSameShape(x, part, l)}
	form := e.pattern(text)
	if len(e.reasons) == 0 || !e.isConfirmed(form) {
		return nil
	}
	return patternExpectation(form, "holds "+strings.Join(slices.Compact(e.reasons), " and "))
}

// embedding finds volatile values inside a text.
type embedding struct {
	builder   *testBuilder
	exchange  *recordedExchange
	part      int
	l         leaf
	others    []leaf
	reasons   []string // the reasons why parts of the text vary
	isCertain bool     // at least one of the reasons cannot be a coincidence
	isMasked  bool     // the text has an address that was masked
}

// pattern returns a regular expression for a text, with a pattern in place of each volatile value.
func (e *embedding) pattern(text string) string {
	all, last := "", 0
	for _, at := range addressPattern.FindAllStringIndex(text, -1) {
		if word := text[at[0]:at[1]]; e.builder.isMaskedAddress(e.exchange, e.part, word) {
			all += e.patternOfTokens(text[last:at[0]]) + addressForm
			last = at[1]
			e.reasons, e.isMasked = append(e.reasons, whyMasked), true
		}
	}
	return all + e.patternOfTokens(text[last:])
}

// patternOfTokens returns the same as pattern for a text that has no masked addresses.
func (e *embedding) patternOfTokens(text string) string {
	all, last := "", 0
	for _, at := range e.builder.tokens().FindAllStringIndex(text, -1) {
		all += regexp.QuoteMeta(text[last:at[0]])
		all += e.tokenPattern(text, at[0], at[1])
		last = at[1]
	}
	return all + regexp.QuoteMeta(text[last:])
}

// tokens returns a regular expression for the parts of a text that may be values, including distinctive linked values.
func (b *testBuilder) tokens() *regexp.Regexp {
	if b.tokensPattern != nil && b.tokensCount == len(b.linkedValues) {
		return b.tokensPattern
	}
	var all []string
	for _, v := range b.linkedValues {
		if text := v.text(); !v.strict && isDistinctive(text) && len(all) < 200 &&
			!slices.Contains(all, regexp.QuoteMeta(text)) {
			all = append(all, regexp.QuoteMeta(text))
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	b.tokensPattern = regexp.MustCompile(strings.Join(append(all, tokenPattern.String()), "|"))
	b.tokensCount = len(b.linkedValues)
	return b.tokensPattern
}

// tokenPattern returns a regular expression for text[from:to]. If this part of the text is volatile, tokenPattern adds
// the reason to e.reasons, and sets e.isCertain if the reason is certain.
func (e *embedding) tokenPattern(text string, from, to int) string {
	word := text[from:to]
	inPath := from > 0 && text[from-1] == '/'
	switch {
	case hostPort.MatchString(word):
		e.reasons, e.isCertain = append(e.reasons, "where the service is"), true
		return `(\d+\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?`
	case e.builder.isIDOfRun(e.exchange, word, isDigit.MatchString(word) && !inPath):
		e.reasons = append(e.reasons, "the id "+shortened(word))
		e.isCertain = e.isCertain || inPath || isDistinctive(word) ||
			len(word) >= 2 && (word[0] == '0' || !strings.ContainsAny(text, " \t\n"))
		return generatedPattern(word)
	case e.builder.isSentLiterally(e.exchange, leaf{value: word}) || isFromStub(e.exchange, e.part, leaf{value: word}):
	case timeExpectation(leaf{value: word}, e.exchange.Exchange) != nil:
		e.reasons, e.isCertain = append(e.reasons, "the time of the call"), true
		return generatedPattern(word)
	case looksGenerated(word) && !isConstant(e.l, e.others):
		e.reasons, e.isCertain = append(e.reasons, shortened(word)+", which is made up each time"), true
		return generatedPattern(word)
	}
	return regexp.QuoteMeta(word)
}

// isConfirmed reports whether the pattern of a text is most likely not a coincidence. A pattern with a masked address
// needs no confirmation. Other patterns are compared with the different texts at the same location in other exchanges:
//   - If all of these texts match the pattern, it is confirmed.
//   - If one of them does not match, the pattern is confirmed only if a reason is certain and there are few other
//     exchanges.
//   - If there are no such texts, the pattern is confirmed only if a reason is certain and either there are no other
//     exchanges or the text itself has a slash.
func (e *embedding) isConfirmed(form string) bool {
	if e.isMasked {
		return true
	}
	same := regexp.MustCompile("^" + form + "$")
	other := 0
	for _, o := range e.others {
		if o.text() == e.l.text() {
			continue
		}
		other++
		if !same.MatchString(o.text()) {
			return e.isCertain && len(e.others) < enoughExchanges
		}
	}
	return other > 0 || e.isCertain && len(e.others) == 0 || e.isCertain && strings.Contains(e.l.text(), "/")
}

// isIDOfRun reports whether a word is an id that the service generates anew in each run: a value of
// an earlier answer, or a new id in the answer of x. If digits is set, the word may have leading
// zeros.
func (b *testBuilder) isIDOfRun(x *recordedExchange, word string, digits bool) bool {
	is := func(l leaf) bool {
		text := l.text()
		return text != "" &&
			(text == word || digits && isDigit.MatchString(text) && strings.TrimLeft(word, "0") == text)
	}
	for _, v := range b.linkedValues {
		if !v.strict && is(v.leaf) {
			return true
		}
	}
	return slices.ContainsFunc(x.responseValues, func(l leaf) bool { return is(l) && b.isNewID(x, l) })
}
