package send

import (
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/markup"
	"sonde/ui/theme"
)

// hint is what the form shows below a value while the user types it.
type hint struct {
	schema     draw.Line // what the schema says of the value
	problem    string    // why the text is not JSON, "" for nothing
	completion completion
}

// lines returns exactly most lines: what the schema says, the candidates, and the problem. If there is no room for all,
// the candidates take the place of the problem.
func (h *hint) lines(tab string, most int) []draw.Line {
	lines := []draw.Line{h.schema}
	if len(h.completion.candidates) > 0 {
		lines = append(lines, h.completion.line(tab))
	}
	if h.problem != "" {
		lines = append(lines, draw.TextLine(theme.Failed+" "+draw.Clean(h.problem), theme.Bad))
	}
	lines = append(lines, nil, nil, nil)
	return lines[:most]
}

// schemaLine draws what a schema says of a value: the name, the type with its limits, whether it is required, and the
// first sentence of the description.
func schemaLine(name string, s *model.Schema, required bool, description string) draw.Line {
	if s == nil {
		return draw.TextLine(draw.Clean(name)+" is not in the spec", theme.Dim)
	}
	line := draw.Line{{Text: draw.Clean(name), Style: theme.Strong}}
	if name != "" {
		line = append(line, draw.Span{Text: "  ", Style: theme.Plain})
	}
	line = append(line, draw.Span{Text: draw.SchemaKind(s), Style: theme.Plain})
	if required {
		line = append(line, draw.Span{Text: ", required", Style: theme.Plain})
	}
	text, _, _ := strings.Cut(markup.Plain(description), ". ")
	if text != "" {
		line = append(line, draw.Span{Text: "  " + draw.Clean(text), Style: theme.Dim})
	}
	return line
}

// maxHinted is the maximum size of a body for which hints are computed with each key.
const maxHinted = 64 << 10

// jsonHint returns the hint for a cursor in a JSON body. seen returns values in answers for a place in the body.
func jsonHint(s *model.Schema, text string, cursor int, seen func(pointer string) []string) hint {
	if len(text) > maxHinted {
		return hint{schema: draw.TextLine("the body is too large for hints", theme.Dim)}
	}
	p := findJSONPlace(text, cursor)
	h := hint{problem: jsonProblem(text)}
	if s == nil {
		return h
	}
	h.completion = completeJSON(s, text, cursor, p, seen(p.pointer()))
	about := p
	if name := unquoted(text[p.start:p.end]); p.inName && name != "" {
		about.path = append(about.path[:len(about.path):len(about.path)], jsonToken{name: name})
	}
	at, required := about.schema(s)
	h.schema = schemaLine(about.title(), at, required, descriptionOf(at))
	return h
}

// title returns the name of the last property of a path, "body" for the root, or the name of a list with brackets.
func (p jsonPlace) title() string {
	title := ""
	for i := len(p.path) - 1; i >= 0; i-- {
		if !p.path[i].item {
			return p.path[i].name + title
		}
		title += "[]"
	}
	return "body" + title
}

// descriptionOf returns the description or the title of a schema or of its first part that has one.
func descriptionOf(s *model.Schema) string {
	text := model.FindInParts(s, func(s *model.Schema) *string {
		switch {
		case s.Description != "":
			return &s.Description
		case s.Title != "":
			return &s.Title
		}
		return nil
	})
	if text == nil {
		return ""
	}
	return *text
}
