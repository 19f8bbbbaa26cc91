package oracle

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/model"
)

// addDoubtful notes a value that may also be a word or punctuation mark of a message by chance.
func (e *sentValues) addDoubtful(value string) {
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		e.blank = true
	case isDoubtful(value) && len(e.doubtful) < maxValues:
		e.doubtful[lower(value)] = true
	}
}

// isDoubtful reports whether a value may be a word or punctuation mark of a message by chance: a short
// word of letters only, or a single character.
func isDoubtful(value string) bool {
	if utf8.RuneCountInString(value) == 1 {
		return value[0] < utf8.RuneSelf
	}
	return len(value) <= certainLength && !strings.ContainsFunc(value, func(r rune) bool { return !letter(r) })
}

func letter(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }

// namedArgs returns the named values of a call, except those in its path and body: at most maxValues.
func (p *playedTest) namedArgs(call int) (all []model.Arg) {
	add := func(a model.Arg) {
		if a.Name != "" && len(all) < maxValues {
			all = append(all, a)
		}
	}
	for _, a := range p.test.Calls[call].Args {
		if a.In != model.InPath && a.In != model.InQuery {
			add(a)
		}
	}
	_, query, _ := strings.Cut(p.exchanges[call].Request.URL, "?")
	for pair := range strings.SplitSeq(query[:min(len(query), maxRead)], "&") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			add(model.Arg{In: model.InQuery, Name: unescaped(name), Value: unescaped(value)})
		}
	}
	return all
}

// repeated returns the values that a message contains completely.
func (e *sentValues) repeated(text string) []string {
	return slices.DeleteFunc(slices.Clone(e.values), func(value string) bool { return !repeats(text, value) })
}

// maskCertain masks the values in a message that cannot be words of it by chance. Parts that may repeat
// the request, and that the masks would misread, are replaced by placeholders: the names of arguments
// whose values the message also repeats, and single punctuation marks, which may be quotes or brackets.
func (e *sentValues) maskCertain(text string) (string, placeholders) {
	text = strings.Map(dropPlaceholder, text)
	masked := masking(text, slices.DeleteFunc(slices.Clone(e.values), isDoubtful))
	h := placeholders{}
	for _, a := range e.args {
		if repeats(text, a.Value) {
			masked = h.hold(masked, a.Name, atNameBoundary)
		}
	}
	for _, value := range slices.Sorted(maps.Keys(e.doubtful)) {
		if !letter(rune(value[0])) {
			masked = h.hold(masked, value, isSeparate)
		}
	}
	return masked, h
}

// repeats reports whether a message contains a value, in any spelling.
func repeats(text, value string) bool {
	return strings.TrimSpace(value) != "" && slices.ContainsFunc(append(spellings(value), value), func(form string) bool {
		return form != "" && strings.Contains(replaced(text, form, false), maskMark)
	})
}

// placeholders maps characters to the parts of a message that they replace until it is split into words.
// They are private-use characters, so that no mask matches them.
type placeholders map[string]string

const (
	firstHolder = '\uE000'
	lastHolder  = '\uF8FF'
)

// dropPlaceholder removes characters that could be mistaken for placeholders.
func dropPlaceholder(r rune) rune {
	if firstHolder <= r && r <= lastHolder {
		return -1
	}
	return r
}

// hold replaces all occurrences of a non-empty part of a text whose neighbours are accepted by may.
func (h placeholders) hold(text, part string, may func(before, after rune) bool) string {
	holder := string(firstHolder + rune(len(h)))
	var b strings.Builder
	at := 0
	for {
		i := strings.Index(text[at:], part)
		if i < 0 {
			break
		}
		from, to := at+i, at+i+len(part)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		b.WriteString(text[at:from])
		if may(before, after) {
			h[holder] = part
			b.WriteString(holder)
		} else {
			b.WriteString(part)
		}
		at = to
	}
	return b.String() + text[at:]
}

// atNameBoundary reports whether a name is not part of a longer name.
func atNameBoundary(before, after rune) bool {
	within := func(r rune) bool { return isWordRune(r) || r == '_' || r == '-' }
	return !within(before) && !within(after)
}

// isSeparate reports whether a punctuation mark is separate from the text around it.
func isSeparate(before, after rune) bool {
	return (before == utf8.RuneError || unicode.IsSpace(before) || strings.ContainsRune(":=([", before)) &&
		(after == utf8.RuneError || unicode.IsSpace(after) || strings.ContainsRune(":;,.)]", after))
}
