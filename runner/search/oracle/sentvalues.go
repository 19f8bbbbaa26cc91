package oracle

import (
	"cmp"
	"encoding/json"
	"html"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/model"
)

// Bounds of the search for sent values in a message.
const (
	maxValues      = 200  // of the requests of a test
	maxValueLength = 4096 // bytes of one value
	// certainLength is how much of a long value is enough to recognise it: services shorten what they
	// repeat.
	certainLength = 16
)

// sentValues are the values of requests that a later message may repeat.
type sentValues struct {
	values   []string        // longest first
	known    map[string]bool // names of the operation's parameters and fields
	doubtful map[string]bool // see addDoubtful; in lower case
	blank    bool            // one of the values is empty
	args     []model.Arg     // named values of the call, except in its body
}

// sentValuesOf returns the values that the answer to a call may repeat: those of the call and of the
// calls before it.
func (p *playedTest) sentValuesOf(call int) *sentValues {
	e := &sentValues{known: p.op(call).known, doubtful: map[string]bool{}, args: p.namedArgs(call)}
	seen := map[string]bool{}
	add := func(text string) {
		text = text[:min(len(text), maxValueLength)]
		if isDistinct(text) && !seen[text] && len(e.values) < maxValues {
			seen[text] = true
			e.values = append(e.values, text)
		}
	}
	value := func(text string) {
		e.addDoubtful(text)
		add(text)
	}
	for i := call; i >= 0; i-- {
		c := p.test.Calls[i]
		path, query, _ := strings.Cut(p.exchanges[i].Request.URL, "?")
		add(path + "?" + query)
		add(path)
		add(query)
		for _, a := range c.Args {
			value(a.Value)
			value(unescaped(a.Value))
		}
		add(c.User)
		p.addSentValues(i, value)
	}
	slices.SortFunc(e.values, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return e
}

// addSentValues adds the values of a request as it was sent, which links may have changed: path
// parameters, query and body.
func (p *playedTest) addSentValues(i int, add func(string)) {
	r := p.exchanges[i].Request
	path, query, _ := strings.Cut(r.URL, "?")
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if op := p.op(i); op != nil && len(segments) == len(op.segments) {
		for k, want := range op.segments {
			if strings.Contains(want, "{") {
				add(segments[k])
				add(unescaped(segments[k]))
			}
		}
	}
	fields(query, add)
	if len(r.Body) > 0 {
		add(string(r.Body[:min(len(r.Body), maxValueLength)]))
	}
	if value, ok := read(r.Body); ok {
		leaves(value, add)
	} else if first(r.Header, "Content-Type") == "application/x-www-form-urlencoded" {
		fields(string(r.Body), add)
	}
}

// fields adds the values of a query or a form.
func fields(text string, add func(string)) {
	for pair := range strings.SplitSeq(text[:min(len(text), maxRead)], "&") {
		if _, value, ok := strings.Cut(pair, "="); ok {
			add(value)
			add(unescaped(value))
		}
	}
}

// leaves adds the texts and numbers of a JSON value.
func leaves(v any, add func(string)) {
	switch v := v.(type) {
	case string:
		add(v)
	case json.Number:
		add(v.String())
	case bool:
		add(strconv.FormatBool(v))
	case []any:
		for _, inner := range v {
			leaves(inner, add)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			leaves(v[name], add)
		}
	}
}

// isDistinct reports whether a value is distinguishable from the letters of a message. A single letter is
// not; numbers are masked anyway.
func isDistinct(text string) bool {
	text = strings.TrimSpace(text)
	return utf8.RuneCountInString(text) > 1 || text != "" && text[0] >= utf8.RuneSelf
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// names reports whether a word is the name of a parameter or field.
func (e *sentValues) names(word string) bool { return e != nil && e.known[word] }

// mask replaces the values in a message, in any spelling: first complete ones, then those that the
// service shortened.
func (e *sentValues) mask(text string) string {
	if e == nil {
		return text
	}
	return masking(text, e.values)
}

func masking(text string, values []string) string {
	text = strings.ToValidUTF8(text, "")
	spelled := make([][]string, len(values))
	for i, value := range values {
		spelled[i] = spellings(value)
	}
	for _, cut := range []bool{false, true} {
		low := lower(text)
		for _, forms := range spelled {
			for _, form := range forms {
				if cut && len(form) <= certainLength || !strings.Contains(low, lower(start(form, cut))) {
					continue
				}
				text = replaced(text, form, cut)
				low = lower(text)
			}
		}
	}
	return strings.ReplaceAll(text, maskMark, "<value>")
}

// maskMark replaces masked values until all are masked. It is not valid UTF-8, so that no spelling of
// another value contains it.
const maskMark = "\xff"

// start returns the part of a form that must be in a message.
func start(form string, cut bool) string {
	if cut {
		return form[:certainLength]
	}
	return form
}

// spellings returns the ways in which a message may write a value, longest first: unchanged, in Go, JSON,
// Python and HTML, and in URLs.
func spellings(value string) []string {
	if !strings.ContainsFunc(value, special) {
		return []string{value}
	}
	forms := []string{
		value, strings.TrimSpace(value),
		inside(strconv.Quote(value)), inside(strconv.QuoteToASCII(value)), inside(quotedJSON(value, true)),
		inside(quotedJSON(value, false)), pythonic(value), html.EscapeString(value),
		url.PathEscape(value), url.QueryEscape(value), strings.ReplaceAll(html.EscapeString(value), "&#39;", "&#x27;"),
		strings.ReplaceAll(value, "'", "''"), strings.Join(strings.Fields(value), " "),
		strings.ToUpper(value), strings.ToLower(value),
	}
	slices.SortStableFunc(forms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return slices.DeleteFunc(slices.Compact(forms), func(form string) bool { return !isDistinct(form) })
}

// special reports whether some spelling changes a character.
func special(r rune) bool {
	return r >= utf8.RuneSelf || !isWordRune(r) && r != '-' && r != '_' && r != '.'
}

// inside returns a quoted text without its quotes.
func inside(quoted string) string { return strings.TrimSuffix(strings.TrimPrefix(quoted, `"`), `"`) }

// quotedJSON returns a text as JSON, with or without Go's escapes for HTML.
func quotedJSON(value string, forHTML bool) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(forHTML)
	if e.Encode(value) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// pythonic returns a text as Python's repr writes it between the quotes.
func pythonic(value string) string {
	text := inside(strconv.Quote(value))
	text = strings.ReplaceAll(text, `\"`, `"`)
	if strings.Contains(value, `"`) {
		text = strings.ReplaceAll(text, `'`, `\'`)
	}
	return text
}

// replaced masks each occurrence of a form of a value that is a word of its own. If cut is true, a
// beginning of the form is enough. The comparison ignores case.
func replaced(text, form string, cut bool) string {
	low, want := lower(text), lower(form)
	begin := start(want, cut)
	var b strings.Builder
	at := 0
	for {
		i := strings.Index(low[at:], begin)
		if i < 0 {
			break
		}
		i += at
		end := i + common(low[i:], want)
		if isWholeWord(text, i, end, cut) {
			b.WriteString(text[at:i] + maskMark)
		} else {
			end = i + 1
			b.WriteString(text[at:end])
		}
		at = end
	}
	return b.String() + text[at:]
}

// common returns the length of the longest common prefix.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// isWholeWord reports whether a match is not part of a longer word. A shortened value may end anywhere.
func isWholeWord(text string, from, to int, cut bool) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	first, _ := utf8.DecodeRuneInString(text[from:])
	last, _ := utf8.DecodeLastRuneInString(text[:to])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !(isWordRune(before) && isWordRune(first)) && (cut || !(isWordRune(last) && isWordRune(after)))
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// lower returns a text with its ASCII letters in lower case, so that all bytes keep their positions.
func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
