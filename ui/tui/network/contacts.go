package network

import (
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/payload"
	"sonde/ui/theme"

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
func viewContact(m model.HostContact, at bool, width int) pane.Line {
	line := pane.Text("  ", theme.Plain)
	if at {
		line = pane.Text(theme.Cursor+" ", theme.Active)
	}
	column := width * 3 / 5
	line = append(line, asks(m.Contact, column-3)...).At(column, outcome(m.Outcome))
	if said := answered(m); said != "" {
		line = append(line, pane.Span{Text: "  " + said, Style: theme.Dim})
	}
	return line
}

// asks is what the service asked, in at most width cells.
func asks(c model.Contact, width int) pane.Line {
	switch {
	case c.Kind == model.ContactLookup:
		return pane.Text("looks up "+pane.Clean(string(c.Data)), theme.Plain)
	case c.Kind == model.ContactListen:
		return pane.Text("listens", theme.Plain)
	case c.Kind == model.ContactDial:
		return pane.Text("connects", theme.Plain)
	case c.Protocol == model.HTTP:
		method := pane.Clean(c.Request.Method)
		line := append(pane.Text(method, theme.Method(method)), pane.Span{Text: " " + pane.Clean(c.Request.URL), Style: theme.Plain})
		if rest := width - line.Width() - 2; rest > 8 && len(c.Request.Body) > 0 {
			line = append(line, pane.Span{Text: "  " + ansi.Truncate(excerpt(c.Request.Body), rest, "…"), Style: theme.Dim})
		}
		return line.Cut(width)
	case len(c.Data) == 0:
		return pane.Text("says nothing", theme.Dim)
	}
	return pane.Text(excerpt(c.Data), theme.Plain).Cut(width)
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
		return pane.Clean(strings.Join(records, ", "))
	}
	return excerpt(a.Content())
}

// mostExcerpt is how many bytes of what was said stand on one line.
const mostExcerpt = 200

// excerpt is the beginning of what was said on one line: text as it is, bytes as
// hexadecimal digits.
func excerpt(said []byte) string {
	short := said[:min(len(said), mostExcerpt)]
	if !payload.Legible(short) {
		return payload.Spaced(short[:min(len(short), 32)])
	}
	return strings.TrimSpace(pane.Clean(string(short)))
}
