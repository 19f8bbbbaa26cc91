package send

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// candidate is a text that may complete what the user types: as it is listed, and as it is inserted.
type candidate struct{ shown, insert string }

// completion has the candidates for a part of a text. The key tab replaces the part by one candidate after the other.
type completion struct {
	candidates []candidate
	at         int // the number of the inserted candidate, from 1; 0 before the first
	start, end int // the part of the text, in bytes
}

// next returns a text with the next candidate in place of the completed part, and the place of the cursor after it.
// There must be a candidate.
func (c *completion) next(text string) (completed string, cursor int) {
	insert := widget.EscapeControls(c.candidates[c.at%len(c.candidates)].insert)
	c.at = c.at%len(c.candidates) + 1
	completed = text[:c.start] + insert + text[c.end:]
	c.end = c.start + len(insert)
	return completed, c.end
}

// line draws the candidates. The inserted one is marked.
func (c *completion) line(key string) draw.Line {
	if len(c.candidates) == 0 {
		return nil
	}
	line := draw.TextLine(key, theme.Accent)
	for i, one := range c.candidates {
		style := theme.Plain
		if i == c.at-1 {
			style = theme.Active.Underline(true)
		}
		line = append(line, draw.Span{Text: "  ", Style: theme.Plain}, draw.Span{Text: draw.Clean(one.shown), Style: style})
	}
	return line
}

// maxCandidates is the maximum number of candidates.
const maxCandidates = 50

// withPrefix returns the candidates whose text begins with what was typed, in any case, without the one that was typed
// completely.
func withPrefix(all []candidate, typed string) []candidate {
	lower := strings.ToLower(typed)
	all = slices.DeleteFunc(all, func(c candidate) bool {
		return c.shown == typed || !strings.HasPrefix(strings.ToLower(c.shown), lower)
	})
	return all[:min(len(all), maxCandidates)]
}

// valueTexts returns texts of values that a schema suggests, each once: values that were seen in answers first, then the
// constant, the enumeration, examples and the default.
func valueTexts(s *model.Schema, seen []string) []string {
	all := slices.Clone(seen)
	for _, part := range partsOf(s) {
		for _, v := range slices.Concat([]any{part.Const}, part.Enum, part.Examples, []any{part.Default}) {
			if v != nil {
				all = append(all, words.Literal(v))
			}
		}
		if part.Type == "boolean" {
			all = append(all, "true", "false")
		}
	}
	return unique(all)
}

// partsOf returns a schema and the schemas of its allOf, oneOf and anyOf.
func partsOf(s *model.Schema) (all []*model.Schema) {
	model.FindInParts(s, func(part *model.Schema) *model.Schema {
		all = append(all, part)
		return nil
	})
	return all
}

// unique returns the texts without repetitions, in their order.
func unique(texts []string) (all []string) {
	seen := map[string]bool{}
	for _, text := range texts {
		if !seen[text] {
			seen[text], all = true, append(all, text)
		}
	}
	return all
}

// completeField returns the candidates for the text of a field: those that begin with what was typed or, if the text is
// a suggestion already, all others.
func completeField(texts []string, typed string) completion {
	var all []candidate
	for _, text := range texts {
		clean := draw.Clean(text)
		all = append(all, candidate{shown: clean, insert: clean})
	}
	c := completion{end: len(typed)}
	if slices.Contains(texts, typed) {
		c.candidates = slices.DeleteFunc(all, func(one candidate) bool { return one.shown == typed })
		c.candidates = c.candidates[:min(len(c.candidates), maxCandidates)]
	} else {
		c.candidates = withPrefix(all, typed)
	}
	return c
}

// completeJSON returns the candidates at a place of a JSON text: names of properties that the object lacks, the required
// ones first, or values. seen are values in answers.
func completeJSON(s *model.Schema, text string, cursor int, p jsonPlace, seen []string) completion {
	at, _ := p.schema(s)
	typed := strings.TrimPrefix(text[p.start:max(cursor, p.start)], `"`)
	c := completion{start: p.start, end: p.end}
	if cursor <= p.end && strings.ContainsAny(text[cursor:p.end], ",:{}[]") {
		c.end = cursor // the closing quote is missing: what follows is not meant to be a part of the string
	}
	switch {
	case at == nil:
	case p.inName:
		c.candidates = withPrefix(nameCandidates(at, p), typed)
	default:
		token := strings.Trim(text[p.start:p.end], `"`)
		c.candidates = valueCandidates(at, seen)
		if !slices.ContainsFunc(c.candidates, func(one candidate) bool { return one.shown == token }) {
			c.candidates = withPrefix(c.candidates, typed)
		}
	}
	return c
}

// nameCandidates returns the names of properties that the object at a place lacks.
func nameCandidates(s *model.Schema, p jsonPlace) (all []candidate) {
	var required, optional []string
	for _, part := range partsOf(s) {
		for _, property := range part.Properties {
			switch {
			case property.Schema.ReadOnly || slices.Contains(p.names, property.Name):
			case s.Requires(property.Name):
				required = append(required, property.Name)
			default:
				optional = append(optional, property.Name)
			}
		}
	}
	for _, name := range unique(slices.Concat(required, optional)) {
		insert := strconv.Quote(name)
		if quoted, err := json.Marshal(name); err == nil {
			insert = string(quoted)
		}
		if !p.named {
			insert += ": "
		}
		all = append(all, candidate{shown: name, insert: insert})
	}
	return all
}

// valueCandidates returns values of a schema as JSON. A text that was seen in an answer is a string unless the schema is
// of another type.
func valueCandidates(s *model.Schema, seen []string) (all []candidate) {
	for _, text := range valueTexts(s, seen) {
		insert := text
		if isTextSchema(s, text) {
			quoted, _ := json.Marshal(text) // cannot fail for a string
			insert = string(quoted)
		}
		all = append(all, candidate{shown: text, insert: insert})
	}
	if s.Nullable {
		all = append(all, candidate{shown: "null", insert: "null"})
	}
	return all
}

// isTextSchema reports whether a suggested text is a JSON string: its schema says so, or it is no other JSON value.
func isTextSchema(s *model.Schema, text string) bool {
	for _, part := range partsOf(s) {
		if part.Type != "" {
			return part.Type == "string"
		}
	}
	return !json.Valid([]byte(text))
}
