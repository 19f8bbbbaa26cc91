package network

import (
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/x/ansi"
)

// viewContacts lists what was asked of a host and answered, the newest first.
func (s *Screen) viewContacts(width int) string {
	all := s.listed()
	if len(all) == 0 {
		return theme.Dim.Render(" none so far")
	}
	var rows []string
	from, to := s.contacts.Visible()
	for i := from; i < to; i++ {
		at := i == s.contacts.At && s.focus == onContacts
		rows = append(rows, viewContact(all[i], at, width).Render(width, at))
	}
	return strings.Join(rows, "\n")
}

// viewContact draws a contact: what was asked, and what was answered.
func viewContact(m model.HostContact, at bool, width int) draw.Line {
	line := draw.TextLine("  ", theme.Plain)
	if at {
		line = draw.TextLine(theme.Cursor+" ", theme.Active)
	}
	column := width * 3 / 5
	line = append(line, asks(m.Contact, column-3)...).At(column, outcome(m.Outcome))
	if said := answered(m); said != "" {
		line = append(line, draw.Span{Text: "  " + said, Style: theme.Dim})
	}
	return line
}

// asks is what the service asked, in at most width cells.
func asks(c model.Contact, width int) draw.Line {
	switch {
	case c.Kind == model.ContactLookup:
		return draw.TextLine("looks up "+draw.Clean(string(c.Data)), theme.Plain)
	case c.Kind == model.ContactListen:
		return draw.TextLine("listens", theme.Plain)
	case c.Kind == model.ContactDial:
		return draw.TextLine("connects", theme.Plain)
	case c.Protocol == model.HTTP:
		method := draw.Clean(c.Request.Method)
		line := append(draw.TextLine(method, theme.Method(method)), draw.Span{Text: " " + draw.Clean(c.Request.URL), Style: theme.Plain})
		if rest := width - line.Width() - 2; rest > 8 && len(c.Request.Body) > 0 {
			line = append(line, draw.Span{Text: "  " + ansi.Truncate(excerpt(c.Request.Body), rest, "…"), Style: theme.Dim})
		}
		return line.Cut(width)
	case len(c.Data) == 0:
		return draw.TextLine("says nothing", theme.Dim)
	}
	return draw.TextLine(excerpt(c.Data), theme.Plain).Cut(width)
}

// answered is the beginning of what the host said.
func answered(m model.HostContact) string {
	a := m.StubAnswer()
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

// mostExcerpt is how many bytes of what was said stand on one line.
const mostExcerpt = 200

// excerpt is the beginning of what was said on one line: text as it is, bytes as
// hexadecimal digits.
func excerpt(said []byte) string {
	short := said[:min(len(said), mostExcerpt)]
	if !widget.IsText(short) {
		return widget.HexBytes(short[:min(len(short), 32)])
	}
	return strings.TrimSpace(draw.Clean(string(short)))
}
