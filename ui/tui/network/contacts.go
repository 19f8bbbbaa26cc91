package network

import (
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/x/ansi"
)

// contactRows draws the visible contacts of a list.
func contactRows(all []model.HostContact, list widget.List, focused bool, width int) string {
	if len(all) == 0 {
		return theme.Dim.Render(" none so far")
	}
	var rows []string
	from, to := list.Visible()
	for i := from; i < to; i++ {
		selected := i == list.At && focused
		rows = append(rows, contactRow(all[i], selected, width).Render(width, selected))
	}
	return strings.Join(rows, "\n")
}

// contactRow draws the message of the service and the outcome.
func contactRow(c model.HostContact, selected bool, width int) draw.Line {
	line := draw.TextLine("  ", theme.Plain)
	if selected {
		line = draw.TextLine(theme.Cursor+" ", theme.Active)
	}
	if c.AtStart {
		line = append(line, draw.Span{Text: theme.AtStart + " ", Style: theme.Accent})
	}
	column := width * 3 / 5
	line = append(line, sentLine(c.Contact, column-1-line.Width())...).At(column, outcome(c.Outcome))
	if answer := answerExcerpt(c); answer != "" {
		line = append(line, draw.Span{Text: "  " + answer, Style: theme.Dim})
	}
	return line
}

// sentLine draws the message or the action of the service in a contact. A request or a message is truncated
// to width cells.
func sentLine(c model.Contact, width int) draw.Line {
	switch {
	case c.Kind == model.ContactLookup:
		return draw.TextLine("looks up "+draw.Clean(string(c.Data)), theme.Plain)
	case c.Kind == model.ContactListen:
		return draw.TextLine("listens", theme.Plain)
	case c.Kind == model.ContactDial:
		return draw.TextLine("connects", theme.Plain)
	case c.Kind == model.ContactUse:
		return draw.TextLine(draw.Clean(string(c.Data)), theme.Plain)
	case c.Protocol == model.HTTP:
		method := draw.Clean(c.Request.Method)
		line := draw.TextLine(method, theme.Method(method))
		line = append(line, draw.Span{Text: " " + draw.Clean(c.Request.URL), Style: theme.Plain})
		if rest := width - line.Width() - 2; rest > 8 && len(c.Request.Body) > 0 {
			body := ansi.Truncate(excerpt(c.Request.Body), rest, "…")
			line = append(line, draw.Span{Text: "  " + body, Style: theme.Dim})
		}
		return line.Cut(width)
	case len(c.Data) == 0:
		return draw.TextLine("sends nothing", theme.Dim)
	}
	return draw.TextLine(excerpt(c.Data), theme.Plain).Cut(width)
}

// answerExcerpt returns the beginning of the host's answer, "" if no stub answered.
func answerExcerpt(c model.HostContact) string {
	a := c.StubAnswer()
	if a == nil {
		return ""
	}
	var records []string
	for _, r := range a.Records {
		records = append(records, r.Type+" "+r.Value)
	}
	if len(records) > 0 {
		return draw.Clean(strings.Join(records, ", "))
	}
	return excerpt(a.Content())
}

// maxExcerpt is the maximum number of bytes of text on one line.
const maxExcerpt = 200

// excerpt returns the beginning of data as one line: text, or hexadecimal digits of at most 32 bytes.
func excerpt(data []byte) string {
	short := data[:min(len(data), maxExcerpt)]
	if !widget.IsText(short) {
		return widget.HexBytes(short[:min(len(short), 32)])
	}
	return strings.TrimSpace(draw.Clean(string(short)))
}
