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

// Limits of the search for sent values in a message.
const (
	maxValues      = 200  // values of the requests of a test
	maxValueLength = 4096 // bytes of one value
	// certainLength is how many bytes of a longer value must be in a message. Services shorten the values
	// that they repeat.
	certainLength = 16
)

// sentValues are the values of requests that an error message may repeat.
type sentValues struct {
	values   []string        // longest first
	known    map[string]bool // names of the operation's parameters and fields
	doubtful map[string]bool // values that a message may contain by chance, in lower case
	blank    bool            // one of the values is empty
	args     []model.Arg     // arguments of the call with a name, except those in the path
}

// sentValuesOf returns the values that the answer to a call may repeat: the values of the call and of all
// earlier calls.
func (p *playedTest) sentValuesOf(call int) *sentValues {
	s := &sentValues{known: p.op(call).known, doubtful: map[string]bool{}, args: p.namedArgs(call)}
	seen := map[string]bool{}
	add := func(text string) {
		text = text[:min(len(text), maxValueLength)]
		if isDistinct(text) && !seen[text] && len(s.values) < maxValues {
			seen[text] = true
			s.values = append(s.values, text)
		}
	}
	value := func(text string) {
		s.addDoubtful(text)
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
	slices.SortFunc(s.values, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return s
}

// addSentValues adds the values of a request as it was sent: of path parameters, query and body. Links may
// have changed the values.
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
	formValues(query, add)
	if len(r.Body) > 0 {
		add(string(r.Body[:min(len(r.Body), maxValueLength)]))
	}
	if value, ok := read(r.Body); ok {
		jsonValues(value, add)
	} else if firstValue(r.Header, "Content-Type") == "application/x-www-form-urlencoded" {
		formValues(string(r.Body), add)
	}
}

// formValues adds the values of a query or a form.
func formValues(text string, add func(string)) {
	for pair := range strings.SplitSeq(text[:min(len(text), maxRead)], "&") {
		if _, value, ok := strings.Cut(pair, "="); ok {
			add(value)
			add(unescaped(value))
		}
	}
}

// jsonValues adds the texts, numbers and booleans in a JSON value.
func jsonValues(v any, add func(string)) {
	switch v := v.(type) {
	case string:
		add(v)
	case json.Number:
		add(v.String())
	case bool:
		add(strconv.FormatBool(v))
	case []any:
		for _, inner := range v {
			jsonValues(inner, add)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			jsonValues(v[name], add)
		}
	}
}

// isDistinct reports whether a value can be recognized in a message: whether it has more than one character,
// or a character that is not ASCII.
func isDistinct(text string) bool {
	text = strings.TrimSpace(text)
	return utf8.RuneCountInString(text) > 1 || text != "" && text[0] >= utf8.RuneSelf
}

// unescaped returns a text without the escapes of a query, or the text itself if the escapes are invalid.
func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// names reports whether a word is the name of a parameter or field of the operation.
func (s *sentValues) names(word string) bool { return s != nil && s.known[word] }

// mask replaces the sent values in a message by "<value>".
func (s *sentValues) mask(text string) string {
	if s == nil {
		return text
	}
	return maskValues(text, s.values)
}

// maskValues replaces values in a message by "<value>", in all of their spellings. It replaces complete values
// first, and then values that the service shortened.
func maskValues(text string, values []string) string {
	text = strings.ToValidUTF8(text, "")
	spelled := make([][]string, len(values))
	for i, value := range values {
		spelled[i] = spellings(value)
	}
	for _, cut := range []bool{false, true} {
		low := lower(text)
		for _, forms := range spelled {
			for _, form := range forms {
				if cut && len(form) <= certainLength || !strings.Contains(low, lower(requiredPart(form, cut))) {
					continue
				}
				text = maskForm(text, form, cut)
				low = lower(text)
			}
		}
	}
	return strings.ReplaceAll(text, maskMark, "<value>")
}

// maskMark replaces masked values until all values are masked, because "<value>" may itself contain a
// value to mask. It is not valid UTF-8, so no message contains it.
const maskMark = "\xff"

// requiredPart returns the part of a value's spelling that must be in a message: the first certainLength bytes
// if the value may be cut, otherwise all of it.
func requiredPart(form string, cut bool) string {
	if cut {
		return form[:certainLength]
	}
	return form
}

// spellings returns the ways in which a message may write a value, longest first: unchanged, or as in Go, JSON,
// Python, HTML, SQL or a URL, or in upper or lower case.
func spellings(value string) []string {
	if !strings.ContainsFunc(value, changesInSpelling) {
		return []string{value}
	}
	forms := []string{
		value, strings.TrimSpace(value),
		withoutQuotes(strconv.Quote(value)), withoutQuotes(strconv.QuoteToASCII(value)), withoutQuotes(quotedJSON(value, true)),
		withoutQuotes(quotedJSON(value, false)), pythonQuoted(value), html.EscapeString(value),
		url.PathEscape(value), url.QueryEscape(value), strings.ReplaceAll(html.EscapeString(value), "&#39;", "&#x27;"),
		strings.ReplaceAll(value, "'", "''"), strings.Join(strings.Fields(value), " "),
		strings.ToUpper(value), strings.ToLower(value),
	}
	slices.SortStableFunc(forms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return slices.DeleteFunc(slices.Compact(forms), func(form string) bool { return !isDistinct(form) })
}

// changesInSpelling reports whether one of the spellings writes a character differently, apart from its case.
func changesInSpelling(r rune) bool {
	return r >= utf8.RuneSelf || !isWordRune(r) && r != '-' && r != '_' && r != '.'
}

func withoutQuotes(quoted string) string {
	return strings.TrimSuffix(strings.TrimPrefix(quoted, `"`), `"`)
}

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

// pythonQuoted returns what Python's repr writes between the quotes for a text.
func pythonQuoted(value string) string {
	text := withoutQuotes(strconv.Quote(value))
	text = strings.ReplaceAll(text, `\"`, `"`)
	if strings.Contains(value, `"`) {
		text = strings.ReplaceAll(text, `'`, `\'`)
	}
	return text
}

// maskForm masks each occurrence of a value's spelling that is not part of a longer word. If cut is true, the
// required part of the spelling is enough. The comparison ignores case.
func maskForm(text, form string, cut bool) string {
	low, want := lower(text), lower(form)
	begin := requiredPart(want, cut)
	var b strings.Builder
	at := 0
	for {
		i := strings.Index(low[at:], begin)
		if i < 0 {
			break
		}
		i += at
		end := i + commonPrefix(low[i:], want)
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

// commonPrefix returns the length in bytes of the longest common prefix of a and b.
func commonPrefix(a, b string) int {
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
