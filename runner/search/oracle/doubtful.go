package oracle

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/model"
)

// addDoubtful records a value if a message may contain the value by chance. It sets blank if the value is empty.
func (s *sentValues) addDoubtful(value string) {
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		s.blank = true
	case isDoubtful(value) && len(s.doubtful) < maxValues:
		s.doubtful[lower(value)] = true
	}
}

// isDoubtful reports whether a message may contain a value by chance, because the value is a short word of
// letters or a single ASCII character.
func isDoubtful(value string) bool {
	if utf8.RuneCountInString(value) == 1 {
		return value[0] < utf8.RuneSelf
	}
	return len(value) <= certainLength && !strings.ContainsFunc(value, func(r rune) bool { return !letter(r) })
}

func letter(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }

// namedArgs returns at most maxValues arguments of a call that have a name, except those in the path.
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

// repeated returns the values that a message contains in full.
func (s *sentValues) repeated(text string) []string {
	return slices.DeleteFunc(slices.Clone(s.values), func(value string) bool { return !repeats(text, value) })
}

// maskCertain masks the values that a message cannot contain by chance. Two other kinds of parts may repeat the
// request, too: names of arguments whose values the message repeats, and single punctuation marks. The function shape
// would misread these parts. maskCertain therefore replaces them by placeholders, and returns the placeholders.
func (s *sentValues) maskCertain(text string) (string, placeholders) {
	text = strings.Map(dropPlaceholder, text)
	masked := maskValues(text, slices.DeleteFunc(slices.Clone(s.values), isDoubtful))
	held := placeholders{}
	for _, a := range s.args {
		if repeats(text, a.Value) {
			masked = held.replace(masked, a.Name, atNameBoundary)
		}
	}
	for _, value := range slices.Sorted(maps.Keys(s.doubtful)) {
		if !letter(rune(value[0])) {
			masked = held.replace(masked, value, isSeparate)
		}
	}
	return masked, held
}

// repeats reports whether a message contains a value, in any spelling.
func repeats(text, value string) bool {
	return strings.TrimSpace(value) != "" && slices.ContainsFunc(append(spellings(value), value), func(form string) bool {
		return form != "" && strings.Contains(maskForm(text, form, false), maskMark)
	})
}

// placeholders maps characters to the parts of a message that they replace, until the message is split into
// words. The characters are private-use characters of Unicode, so that no pattern matches them.
type placeholders map[string]string

const (
	firstPlaceholder = '\uE000'
	lastPlaceholder  = '\uF8FF'
)

// dropPlaceholder returns -1 for a character that is used as a placeholder, so that strings.Map removes it.
func dropPlaceholder(r rune) rune {
	if firstPlaceholder <= r && r <= lastPlaceholder {
		return -1
	}
	return r
}

// replace replaces each occurrence of part in a text by a placeholder, if accept returns true for the
// characters before and after. part must not be empty.
func (p placeholders) replace(text, part string, accept func(before, after rune) bool) string {
	holder := string(firstPlaceholder + rune(len(p)))
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
		if accept(before, after) {
			p[holder] = part
			b.WriteString(holder)
		} else {
			b.WriteString(part)
		}
		at = to
	}
	return b.String() + text[at:]
}

// atNameBoundary reports whether a name between two characters is not part of a longer name.
func atNameBoundary(before, after rune) bool {
	within := func(r rune) bool { return isWordRune(r) || r == '_' || r == '-' }
	return !within(before) && !within(after)
}

// isSeparate reports whether a punctuation mark between two characters is separate from the text around it.
func isSeparate(before, after rune) bool {
	return (before == utf8.RuneError || unicode.IsSpace(before) || strings.ContainsRune(":=([", before)) &&
		(after == utf8.RuneError || unicode.IsSpace(after) || strings.ContainsRune(":;,.)]", after))
}
