package shape

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// Bounds of what is read from a refusal.
const (
	maxTexts     = 20  // texts
	maxTextBytes = 300 // of each
)

var (
	quoted = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|'[^'\\s]*'|“[^”]*”|«[^»]*»")
	ids    = regexp.MustCompile(
		`[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|\b[0-9a-fA-F]{12,}\b|\b[A-Za-z0-9_-]*\d[A-Za-z0-9_-]{15,}\b`,
	)
	digits = regexp.MustCompile(`\d+([.,:]\d+)*`)
	// coded matches names of members whose value is one of a few.
	coded = regexp.MustCompile(`(?i)(code|errno|status|type|kind|reason)$`)
)

// refusal returns the message of a refusal without the parts that differ each time: numbers, IDs,
// quoted texts that are not names of inputs, and texts of the request.
func refusal(op *model.Operation, asked, told body) string {
	r := refuser{known: names(op, asked), echoes: echoes(asked.value)}
	if !told.isJSON {
		return r.plain(string(told.text[:min(len(told.text), maxTextBytes)]))
	}
	r.into("", told.value)
	return strings.Join(r.said, "; ")
}

// refuser reads a refusal.
type refuser struct {
	known  map[string]bool // names of inputs
	echoes []string        // texts in the request, the longest first
	said   []string
}

func (r *refuser) into(at string, v any) {
	if len(r.said) >= maxTexts {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			r.into(name, v[name])
		}
	case []any:
		for _, item := range v {
			r.into(at, item)
		}
	case string:
		r.text(at, v)
	case json.Number:
		if coded.MatchString(at) {
			r.said = append(r.said, at+" "+v.String())
		}
	}
}

func (r *refuser) text(at, text string) {
	text = text[:min(len(text), maxTextBytes)]
	if !coded.MatchString(at) || strings.Contains(text, " ") {
		text = r.plain(text)
	}
	r.said = append(r.said, at+" "+text)
}

// plain returns a text with placeholders for the parts that differ each time.
func (r *refuser) plain(text string) string {
	for _, echo := range r.echoes {
		text = strings.ReplaceAll(text, echo, "…")
	}
	text = quoted.ReplaceAllStringFunc(text, func(q string) string {
		if r.known[strings.Trim(q, "\"'`“”«»")] {
			return q
		}
		return "…"
	})
	text = digits.ReplaceAllString(ids.ReplaceAllString(text, "#"), "#")
	return strings.Join(strings.Fields(text), " ")
}

// names returns the names of an operation's inputs, which refusals quote.
func names(op *model.Operation, asked body) map[string]bool {
	all := map[string]bool{}
	if sent, ok := asked.value.(map[string]any); ok {
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

// shortestEcho is the minimum length of a text that is taken for one of the request.
const shortestEcho = 5

// echoes returns the texts in a request that an answer may repeat.
func echoes(v any) []string {
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
			if len(v) >= shortestEcho && len(all) < maxTraits {
				all = append(all, v)
			}
		}
	}
	into(v)
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}
