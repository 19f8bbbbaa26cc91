package explore

import (
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/markup"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// params writes the declared parameters.
func (b *pageWriter) params(all []model.Parameter) {
	if len(all) == 0 {
		return
	}
	b.head("Parameters")
	b.paramRows(all, "param")
}

// paramRows writes a row for each parameter or header.
func (b *pageWriter) paramRows(all []model.Parameter, fold string) {
	list := make([]part, len(all))
	name := 0
	for i, p := range all {
		list[i] = part{name: p.Name, required: p.Required, schema: described(p)}
		name = max(name, len([]rune(p.Name)))
	}
	for i, p := range list {
		b.part(p, branch{fold: fold + string(all[i].In)}, min(name, 28))
	}
}

// described returns a parameter's schema with the parameter's description.
func described(p model.Parameter) *model.Schema {
	if p.Description == "" {
		return p.Schema
	}
	s := *p.Schema
	s.Description = p.Description
	return &s
}

// body writes the declared request body.
func (b *pageWriter) body(body *model.RequestBody) {
	if body == nil {
		return
	}
	b.head("Body")
	if !body.Required {
		last := &b.rows[len(b.rows)-1]
		last.line = append(last.line, draw.Span{Text: "  may be left out", Style: theme.Dim})
	}
	b.prose(body.Description, 3, 2, theme.Dim, "about body")
	b.contents(body.Contents, "body", true)
}

// contents writes the media types of a message. Media types with the same schema share a row. If first is
// set, the first schema is initially unfolded.
func (b *pageWriter) contents(all []model.Content, fold string, first bool) {
	for i, same := range alike(all) {
		b.content(same, fold+strconv.Itoa(i), first && i == 0)
	}
}

// content writes the media types that share a schema, and the schema.
func (b *pageWriter) content(same []model.Content, fold string, first bool) {
	var media []string
	for _, c := range same {
		media = append(media, c.Media)
	}
	s := same[0].Schema
	r := row{line: draw.Line{}.At(5, draw.Span{Text: draw.Clean(strings.Join(media, ", ")), Style: theme.Dim})}
	if s != nil {
		r.line = append(r.line, draw.Span{Text: "  " + draw.SchemaKind(s), Style: theme.Plain})
	}
	if len(parts(s)) > 0 {
		r.fold = fold
		r.line = b.marked(r.line, 3, fold, first)
	}
	b.rows = append(b.rows, r)
	if r.fold != "" && b.unfolded(fold, first) {
		b.schema(s, branch{fold: fold, depth: 1, within: []*model.Schema{inside(s)}})
	}
}

// alike groups contents by their schema, in the order of the document.
func alike(all []model.Content) [][]model.Content {
	var out [][]model.Content
	at := map[*model.Schema]int{}
	for _, c := range all {
		i, ok := at[c.Schema]
		if !ok || c.Schema == nil {
			i = len(out)
			at[c.Schema] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

// answerText is the column of the description of an answer.
const answerText = 14

// answers writes the declared responses.
func (b *pageWriter) answers(all []model.Response) {
	if len(all) == 0 {
		return
	}
	b.head("Answers")
	b.answering = true
	for _, r := range all {
		b.answer(r)
	}
	b.answering = false
}

// answer writes a response. The headers and contents of a success are initially unfolded.
func (b *pageWriter) answer(r model.Response) {
	fold := "answer " + r.Status
	status, _ := strconv.Atoi(strings.ReplaceAll(strings.ToUpper(r.Status), "XX", "00"))
	_, style := theme.Class(status)
	plain := markup.Plain(r.Description)
	text := sentence(plain)
	whole := text == plain && answerText+ansi.StringWidth(text) <= b.width
	entry := row{line: draw.Line{}.At(5, draw.Span{Text: draw.Clean(r.Status), Style: style}).
		At(answerText, draw.Span{Text: text, Style: theme.Plain})}
	if len(r.Headers)+len(r.Contents) > 0 || !whole {
		entry.fold = fold
		entry.line = b.marked(entry.line, 3, fold, r.Success())
	}
	b.rows = append(b.rows, entry)
	if entry.fold == "" || !b.unfolded(fold, r.Success()) {
		return
	}
	if !whole {
		b.prose(r.Description, answerText, 40, theme.Dim, fold+" about")
	}
	b.paramRows(r.Headers, fold)
	b.contents(r.Contents, fold, true)
}

// callbacks writes the requests that the service sends after a call.
func (b *pageWriter) callbacks(all []model.Callback) {
	if len(all) == 0 {
		return
	}
	b.head("Callbacks")
	b.answering = true
	for i, c := range all {
		b.write(draw.Line{}.At(5, draw.Span{Text: draw.Clean(c.Method), Style: theme.Method(c.Method)}).
			At(12, draw.Span{Text: draw.Clean(c.To), Style: theme.Plain})...)
		if c.Body != nil {
			b.contents(c.Body.Contents, "callback"+strconv.Itoa(i)+" ", false)
		}
	}
	b.answering = false
}
