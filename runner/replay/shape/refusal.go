package shape

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// Limits of what is read from a refusal.
const (
	maxTexts     = 20  // texts of a refusal
	maxTextBytes = 300 // bytes of each text
)

var (
	quotation = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|'[^'\\s]*'|“[^”]*”|«[^»]*»")
	idPattern = regexp.MustCompile(
		`[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|\b[0-9a-fA-F]{12,}\b|\b[A-Za-z0-9_-]*\d[A-Za-z0-9_-]{15,}\b`,
	)
	numberPattern = regexp.MustCompile(`\d+([.,:]\d+)*`)
	// codeName matches names of members whose value is a code.
	codeName = regexp.MustCompile(`(?i)(code|errno|status|type|kind|reason)$`)
)

// refusalMessage returns the message of a refusal without what differs each time: numbers, IDs,
// texts of the request, and quotations other than names of inputs.
func refusalMessage(op *model.Operation, request, answer body) string {
	r := refusalReader{inputNames: inputNames(op, request), requestTexts: requestTexts(request.value)}
	if !answer.isJSON {
		return r.withoutVaryingParts(string(answer.text[:min(len(answer.text), maxTextBytes)]))
	}
	r.read("", answer.value)
	return strings.Join(r.texts, "; ")
}

// refusalReader collects the texts of a refusal.
type refusalReader struct {
	inputNames   map[string]bool // names of inputs
	requestTexts []string        // texts in the request, the longest first
	texts        []string        // the texts so far, after their members' names
}

// read collects the texts in a value, and numbers that are codes. at is the name of the member with this value. Items
// of an array have the name of the array.
func (r *refusalReader) read(at string, v any) {
	if len(r.texts) >= maxTexts {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			r.read(name, v[name])
		}
	case []any:
		for _, item := range v {
			r.read(at, item)
		}
	case string:
		r.text(at, v)
	case json.Number:
		if codeName.MatchString(at) {
			r.texts = append(r.texts, at+" "+v.String())
		}
	}
}

// text adds a text, at most maxTextBytes of it. If the member's name matches codeName and the text has no spaces, the
// text keeps its varying parts.
func (r *refusalReader) text(at, text string) {
	text = text[:min(len(text), maxTextBytes)]
	if !codeName.MatchString(at) || strings.Contains(text, " ") {
		text = r.withoutVaryingParts(text)
	}
	r.texts = append(r.texts, at+" "+text)
}

// withoutVaryingParts returns a text with placeholders for what differs each time.
func (r *refusalReader) withoutVaryingParts(text string) string {
	for _, echo := range r.requestTexts {
		text = strings.ReplaceAll(text, echo, "…")
	}
	text = quotation.ReplaceAllStringFunc(text, func(q string) string {
		if r.inputNames[strings.Trim(q, "\"'`“”«»")] {
			return q
		}
		return "…"
	})
	text = numberPattern.ReplaceAllString(idPattern.ReplaceAllString(text, "#"), "#")
	return strings.Join(strings.Fields(text), " ")
}

// inputNames returns the names of an operation's parameters, of the properties of its body, and of the members of a
// request's body. op may be nil.
func inputNames(op *model.Operation, request body) map[string]bool {
	all := map[string]bool{}
	if sent, ok := request.value.(map[string]any); ok {
		for name := range sent {
			all[name] = true
		}
	}
	if op == nil {
		return all
	}
	for _, p := range op.Params {
		all[p.Name] = true
	}
	if s := bodySchema(op); s != nil {
		for _, p := range s.Properties {
			all[p.Name] = true
		}
	}
	return all
}

// minRequestText is the minimum length of a request's text that is recognised in an answer, in
// bytes.
const minRequestText = 5

// requestTexts returns the texts in a request that an answer may repeat, the longest first.
func requestTexts(v any) []string {
	var all []string
	var into func(v any)
	into = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				into(v[name])
			}
		case []any:
			for _, item := range v {
				into(item)
			}
		case string:
			if len(v) >= minRequestText && len(all) < maxTraits {
				all = append(all, v)
			}
		}
	}
	into(v)
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}
